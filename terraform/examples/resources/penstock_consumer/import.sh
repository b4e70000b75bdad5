terraform import penstock_consumer.example 'acme/prod/orders/ORDERS/billing-worker'

terraform import penstock_export.example 'acme/prod/orders/order-events'

terraform import penstock_import.example 'acme/prod/billing/order-events'

terraform import penstock_object_bucket.example 'acme/prod/orders/invoices'

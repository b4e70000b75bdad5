terraform import penstock_kv_bucket.example 'acme/prod/orders/settings'

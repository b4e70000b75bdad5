terraform import penstock_kv_entry.example 'acme/prod/orders/settings/limits.daily'

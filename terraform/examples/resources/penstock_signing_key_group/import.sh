terraform import penstock_signing_key_group.example 'acme/prod/orders/services'

terraform import penstock_account.example 'acme/prod/orders'

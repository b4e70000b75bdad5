terraform import penstock_user.example 'acme/prod/orders/billing-svc'

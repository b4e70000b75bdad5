terraform import penstock_service_account.example 'acme/ci'

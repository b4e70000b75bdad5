terraform import penstock_credential.example 'acme/prod/orders/billing-svc/iss_01J9ZQ4T7YJ3M5X8R2B6C0D1EF'

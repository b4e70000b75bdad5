terraform import penstock_share.example 'acme/prod/orders/order-events/shr_01J9ZQ4T7YJ3M5X8R2B6C0D1EF'

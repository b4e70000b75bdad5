terraform import penstock_stream.example 'acme/prod/orders/ORDERS'

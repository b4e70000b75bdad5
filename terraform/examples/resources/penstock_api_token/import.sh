terraform import penstock_api_token.example 'acme/ci/deploy'

import {
  to = penstock_api_token.example
  identity = {
    id = "tok_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

import {
  to = penstock_service_account.example
  identity = {
    id = "sa_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

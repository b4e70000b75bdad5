import {
  to = penstock_credential.example
  identity = {
    id = "iss_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

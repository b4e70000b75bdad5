import {
  to = penstock_signing_key_group.example
  identity = {
    id = "skg_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

import {
  to = penstock_share.example
  identity = {
    id = "shr_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

import {
  to = penstock_kv_bucket.example
  identity = {
    account = "acct_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
    name    = "settings"
  }
}

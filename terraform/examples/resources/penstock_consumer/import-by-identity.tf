import {
  to = penstock_consumer.example
  identity = {
    account = "acct_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
    stream  = "ORDERS"
    name    = "billing-worker"
  }
}

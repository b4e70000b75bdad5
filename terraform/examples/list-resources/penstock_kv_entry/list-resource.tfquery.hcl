list "penstock_kv_entry" "all" {
  provider = penstock
  config {
    account = "acct_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
    bucket  = "settings"
  }
}

list "penstock_account" "all" {
  provider = penstock
  config {
    project = "proj_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

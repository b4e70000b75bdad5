list "penstock_api_token" "all" {
  provider = penstock
  config {
    service_account = "sa_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

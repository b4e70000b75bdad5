list "penstock_share" "all" {
  provider = penstock
  config {
    export = "exp_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

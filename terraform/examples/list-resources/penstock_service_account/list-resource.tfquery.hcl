list "penstock_service_account" "all" {
  provider = penstock
}

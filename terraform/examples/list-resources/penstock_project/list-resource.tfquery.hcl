list "penstock_project" "all" {
  provider = penstock
}

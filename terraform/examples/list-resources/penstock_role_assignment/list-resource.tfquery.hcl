list "penstock_role_assignment" "all" {
  provider = penstock
}

resource "penstock_role_assignment" "ci" {
  principal = penstock_service_account.ci.id
  role      = "developer"
  project   = penstock_project.prod.id
}

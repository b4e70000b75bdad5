resource "penstock_service_account" "ci" {
  name        = "ci"
  description = "Pipelines"
}

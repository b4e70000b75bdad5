resource "penstock_project" "prod" {
  name        = "prod"
  description = "What customers use"
}

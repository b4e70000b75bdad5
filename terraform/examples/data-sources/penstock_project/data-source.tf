data "penstock_project" "prod" {
  name = "prod"
}

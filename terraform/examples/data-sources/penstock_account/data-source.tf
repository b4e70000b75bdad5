data "penstock_account" "orders" {
  project = data.penstock_project.prod.id
  name    = "orders"
}

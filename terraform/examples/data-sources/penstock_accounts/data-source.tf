data "penstock_accounts" "all" {
  project = data.penstock_project.prod.id
}

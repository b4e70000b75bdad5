resource "penstock_account" "orders" {
  project = penstock_project.prod.id
  name    = "orders"
  limits = {
    connections = 500
    jetstream   = { streams = 20, consumers = 200 }
  }
}

resource "penstock_account" "billing" {
  project = penstock_project.prod.id
  name    = "billing"
}

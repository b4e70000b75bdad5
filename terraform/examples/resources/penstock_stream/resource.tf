resource "penstock_stream" "orders" {
  account      = penstock_account.orders.id
  name         = "ORDERS"
  subjects     = ["orders.>"]
  max_age      = "7d"
  max_bytes    = "100MiB"
  num_replicas = 1
}

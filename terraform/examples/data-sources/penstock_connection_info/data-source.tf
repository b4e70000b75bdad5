data "penstock_connection_info" "orders" {
  account = data.penstock_account.orders.id
}

output "servers" {
  value = data.penstock_connection_info.orders.client_urls
}

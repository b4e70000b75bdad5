data "penstock_stream" "orders" {
  account = data.penstock_account.orders.id
  name    = "ORDERS"
}

output "messages" {
  value = data.penstock_stream.orders.state.messages
}

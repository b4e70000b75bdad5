data "penstock_consumers" "all" {
  account = data.penstock_account.orders.id
  stream  = "ORDERS"
}

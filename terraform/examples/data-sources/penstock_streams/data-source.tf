data "penstock_streams" "all" {
  account = data.penstock_account.orders.id
}

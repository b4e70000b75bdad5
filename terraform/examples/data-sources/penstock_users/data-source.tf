data "penstock_users" "all" {
  account = data.penstock_account.orders.id
}

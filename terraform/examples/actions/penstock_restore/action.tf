# The stream is taken out of the state when it is deleted; restore it, then import it again.
action "penstock_restore" "orders" {
  config {
    account = penstock_account.orders.id
    stream  = "ORDERS"
  }
}

resource "penstock_export" "order_events" {
  account = penstock_account.orders.id
  name    = "order-events"
  subject = "orders.paid.*"
  type    = "stream"
}

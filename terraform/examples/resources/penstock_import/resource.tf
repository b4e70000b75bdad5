resource "penstock_import" "order_events" {
  account       = penstock_account.billing.id
  name          = "order-events"
  share         = penstock_share.billing.id
  type          = "stream"
  subject       = "orders.paid.*"
  local_subject = "shop.orders.paid.*"
}

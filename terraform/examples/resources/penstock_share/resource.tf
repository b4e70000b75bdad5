resource "penstock_share" "billing" {
  export         = penstock_export.order_events.id
  target_account = penstock_account.billing.id
}

resource "penstock_kv_entry" "daily_limit" {
  account = penstock_account.orders.id
  bucket  = penstock_kv_bucket.settings.name
  key     = "limits.daily"
  value   = jsonencode({ orders = 1000 })
}

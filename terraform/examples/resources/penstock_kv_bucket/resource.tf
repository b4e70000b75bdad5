resource "penstock_kv_bucket" "settings" {
  account = penstock_account.orders.id
  name    = "settings"
  history = 5
}

resource "penstock_object_bucket" "invoices" {
  account     = penstock_account.orders.id
  name        = "invoices"
  description = "Invoices as PDF"
}

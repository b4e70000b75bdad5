data "penstock_consumer" "billing_worker" {
  account = data.penstock_account.orders.id
  stream  = "ORDERS"
  name    = "billing-worker"
}

check "lag" {
  assert {
    condition     = data.penstock_consumer.billing_worker.num_pending < 10000
    error_message = "billing-worker is behind."
  }
}

resource "penstock_consumer" "billing_worker" {
  account         = penstock_account.orders.id
  stream          = penstock_stream.orders.name
  name            = "billing-worker"
  ack_wait        = "30s"
  max_deliver     = 5
  filter_subjects = ["orders.paid.>"]
}

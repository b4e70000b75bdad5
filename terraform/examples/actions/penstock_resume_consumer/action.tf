action "penstock_resume_consumer" "maintenance" {
  config {
    account  = penstock_account.orders.id
    stream   = penstock_stream.orders.name
    consumer = penstock_consumer.billing_worker.name
  }
}

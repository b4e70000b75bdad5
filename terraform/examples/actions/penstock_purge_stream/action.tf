# terraform apply -invoke=action.penstock_purge_stream.tests
action "penstock_purge_stream" "tests" {
  config {
    account = penstock_account.orders.id
    stream  = penstock_stream.orders.name
    subject = "orders.test.>"
  }
}

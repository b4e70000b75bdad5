resource "penstock_signing_key_group" "services" {
  account = penstock_account.orders.id
  name    = "services"
  scope = {
    publish   = { allow = ["orders.>", "$JS.API.>", "$JS.ACK.>"] }
    subscribe = { allow = ["orders.>", "_INBOX.>"] }
  }
}

# A project with an account, a user with a credential, a stream with a consumer, and a KV bucket.
# Against the local stack:  ./penstock terraform -chdir=terraform/examples/quickstart apply

terraform {
  required_providers {
    penstock = {
      source = "penstock/penstock"
    }
  }
}

# Endpoint, token and organisation come from PENSTOCK_ENDPOINT, PENSTOCK_TOKEN and PENSTOCK_ORG.
provider "penstock" {}

resource "penstock_project" "quickstart" {
  name = var.project
}

resource "penstock_account" "orders" {
  project = penstock_project.quickstart.id
  name    = "orders"
  limits  = { connections = 500, jetstream = { streams = 20 } }
}

resource "penstock_signing_key_group" "services" {
  account = penstock_account.orders.id
  name    = "services"
  scope = {
    publish   = { allow = ["orders.>", "$JS.API.>", "$JS.ACK.>", "$KV.settings.>"] }
    subscribe = { allow = ["orders.>", "_INBOX.>", "$KV.settings.>"] }
  }
}

resource "penstock_user" "billing" {
  signing_key_group = penstock_signing_key_group.services.id
  name              = "billing-svc"
  jwt_ttl           = "30d"
}

# For a first try the credential lies in the state. In earnest, give the public key of your own nkey, or hand an ephemeral
# credential to your secret store.
resource "penstock_credential" "billing" {
  user           = penstock_user.billing.id
  store_in_state = true
}

resource "penstock_stream" "orders" {
  account       = penstock_account.orders.id
  name          = "ORDERS"
  subjects      = ["orders.>"]
  max_age       = "7d"
  max_bytes     = "100MiB"
  force_destroy = true
}

resource "penstock_consumer" "billing" {
  account         = penstock_account.orders.id
  stream          = penstock_stream.orders.name
  name            = "billing"
  ack_wait        = "30s"
  max_deliver     = 5
  filter_subjects = ["orders.paid.>"]
}

resource "penstock_kv_bucket" "settings" {
  account       = penstock_account.orders.id
  name          = "settings"
  history       = 5
  force_destroy = true
}

data "penstock_connection_info" "orders" {
  account = penstock_account.orders.id
}

# For the run only: issued at plan and at apply, revoked when the run is over.
ephemeral "penstock_credential" "run" {
  user = penstock_user.billing.id
}

# For a secret store: issued once for each version.
resource "terraform_data" "billing_version" {
  triggers_replace = 1
}

ephemeral "penstock_credential" "billing" {
  user      = penstock_user.billing.id
  mode      = "detached"
  issue_key = terraform_data.billing_version.id
}

# resource "vault_kv_secret_v2" "billing" {
#   mount                = "kv"
#   name                 = "nats/billing"
#   data_json_wo         = jsonencode({ creds = ephemeral.penstock_credential.billing.creds })
#   data_json_wo_version = 1 # raise both together
# }

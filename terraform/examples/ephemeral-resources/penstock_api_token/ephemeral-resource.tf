ephemeral "penstock_api_token" "run" {
  service_account = penstock_service_account.ci.id
  scopes          = ["*:read"]
}

resource "penstock_api_token" "deploy" {
  service_account = penstock_service_account.ci.id
  name            = "deploy"
  scopes          = ["*:read", "streams:write"]
  projects        = [penstock_project.prod.id]
  expires_in      = "90d"
  store_in_state  = true
}

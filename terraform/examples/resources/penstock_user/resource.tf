resource "penstock_user" "billing" {
  signing_key_group = penstock_signing_key_group.services.id
  name              = "billing-svc"
  jwt_ttl           = "30d"
  tags              = ["team:billing"]
}

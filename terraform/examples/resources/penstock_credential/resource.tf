# The seed of this key stays with you; Terraform sees the public half only. The nkey comes from `nk -gen user -pubout`,
# from the console, or from the ephemeral resource penstock_nkey.
resource "penstock_credential" "billing" {
  user         = penstock_user.billing.id
  public_key   = "UDWDS6CYZDNKSSZ5XUV3IX7KTH66E5AG7MWCK6DETQSCOECYIE4VCRYJ"
  ttl          = "90d"
  rotate_after = "60d"
  overlap      = "72h"
}

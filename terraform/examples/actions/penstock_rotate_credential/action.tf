action "penstock_rotate_credential" "billing" {
  config {
    user       = penstock_user.billing.id
    public_key = "UDWDS6CYZDNKSSZ5XUV3IX7KTH66E5AG7MWCK6DETQSCOECYIE4VCRYJ"
    overlap    = "72h"
  }
}

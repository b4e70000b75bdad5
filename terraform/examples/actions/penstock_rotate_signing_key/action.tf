action "penstock_rotate_signing_key" "services" {
  config {
    signing_key_group = penstock_signing_key_group.services.id
    overlap           = "72h"
  }
}

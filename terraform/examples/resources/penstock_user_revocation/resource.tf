resource "penstock_user_revocation" "lost_laptop" {
  account    = penstock_account.orders.id
  public_key = "UAAH3GGAX7QKXUO32R2UKX4F7OVVLIA4I7KDZVZVMQP2NUWVCJYRMZZF"
  reason     = "laptop lost on the train"
}

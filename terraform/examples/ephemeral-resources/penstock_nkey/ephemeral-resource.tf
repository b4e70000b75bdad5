ephemeral "penstock_nkey" "user" {
  type = "user"
}

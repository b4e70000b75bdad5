data "penstock_current_principal" "me" {}

output "who" {
  value = data.penstock_current_principal.me.name
}

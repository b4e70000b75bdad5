data "penstock_permission_check" "streams" {
  permission = "streams:write"
}

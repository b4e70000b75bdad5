output "seconds" {
  value = provider::penstock::duration_seconds("3d") # 259200
}

output "covered" {
  value = provider::penstock::subject_matches("orders.*.new", "orders.eu.new") # true
}

output "server" {
  description = "Where clients connect."
  value       = join(",", data.penstock_connection_info.orders.client_urls)
}

output "creds" {
  description = "The .creds file: terraform output -raw creds > billing.creds"
  value       = penstock_credential.billing.creds
  sensitive   = true
}

terraform {
  required_providers {
    penstock = {
      source = "penstock/penstock"
    }
  }
}

# The token comes from PENSTOCK_TOKEN.
provider "penstock" {
  endpoint = "https://api.example.com"
}

variable "creds" {
  type      = string
  ephemeral = true
}

locals {
  public_key = provider::penstock::parse_creds(var.creds).public_key
}

output "kind" {
  value = provider::penstock::nkey_type("UDWDS6CYZDNKSSZ5XUV3IX7KTH66E5AG7MWCK6DETQSCOECYIE4VCRYJ") # "user"
}

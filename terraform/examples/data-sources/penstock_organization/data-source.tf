data "penstock_organization" "own" {}

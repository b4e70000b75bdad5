data "penstock_projects" "all" {}

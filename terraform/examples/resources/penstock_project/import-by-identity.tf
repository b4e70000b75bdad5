import {
  to = penstock_project.example
  identity = {
    id = "proj_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

import {
  to = penstock_role_assignment.example
  identity = {
    id = "ra_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

import {
  to = penstock_user.example
  identity = {
    id = "usr_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
  }
}

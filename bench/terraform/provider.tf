# The generic REST provider, for each of the organisations beside this file.

terraform {
  required_providers {
    restapi = { source = "mastercard/restapi" }
  }
}

variable "base_url" { type = string }
variable "token" {
  type      = string
  sensitive = true
}
variable "root" { type = string }
variable "viewer" { type = string }
variable "editor" { type = string }
variable "resources" { type = number }

provider "restapi" {
  uri                  = var.base_url
  id_attribute         = "uid"
  update_method        = "PATCH"
  write_returns_object = true
  headers              = { "Authorization" = "Bearer ${var.token}", "Content-Type" = "application/json" }
}

//go:build tools

// Package tools pins the generic REST provider that bench/systems/terraform.mjs builds.
package tools

import _ "github.com/Mastercard/terraform-provider-restapi"

//go:build tools

// Package tools pins the Pulumi CLI (docs/contributing/engine.md#engine-lookup): `go install pkg@version` refuses a module with replace directives,
// a local module that requires it may carry the same replacement.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"

//go:build tools

// Package tools pins the Node language host, in a module of its own so that its versions do not meet the CLI's
// (docs/engine.md#engine-lookup).
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"

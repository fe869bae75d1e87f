//go:build tools

// Package tools pins the Node language host (ENGINE §1.4), in a module of its own so that its versions do not meet the CLI's.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"

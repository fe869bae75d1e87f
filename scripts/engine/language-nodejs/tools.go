//go:build tools

// Package tools pins the Node.js language host (docs/contributing/engine.md#engine-lookup). Its module is separate, so that its versions do not conflict with the CLI's.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"

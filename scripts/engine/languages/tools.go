//go:build tools

// Package tools pins the language hosts of YAML and Java.
package tools

import (
	_ "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
)

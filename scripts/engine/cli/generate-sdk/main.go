// Generates the SDK of one language from a package schema, with the engine's own generators:
//
//	generate-sdk python|go SCHEMA FOLDER
//
// The CLI would start the language's host for this, and hosts of the present release are not published as Go modules.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	pythongen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-platform"

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generate-sdk python|go SCHEMA FOLDER"))
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func generate(language, file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	// The schema refers to no other package, so that the loader is never asked.
	pkg, diagnostics, err := schema.BindSpec(spec, struct{ schema.ReferenceLoader }{}, schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, err := filesOf(language, pkg)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func filesOf(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "python":
		return pythongen.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	}
	return nil, fmt.Errorf("no generator for %q: python or go", language)
}

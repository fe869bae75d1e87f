// Writes what other languages need of a Pulumi package, with the engine's own generators:
//
//	generate sdk python|go|java SCHEMA FOLDER
//	generate programs SCHEMA FILE
//
// FILE has YAML programs by their names, as JSON. The second command prints each in the other languages, as JSON too.
//
// The CLI would start the language's host for both, and present hosts of Python and Go are not published as Go modules.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	javagen "github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yamlgen "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	nodegen "github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	pythongen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-platform"

// The SDK of Node.js is made by scripts/languages/nodejs.mjs.
var generators = map[string]struct {
	sdk      func(*schema.Package) (map[string][]byte, error)
	program  func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	mainFile string
}{
	"python": {func(pkg *schema.Package) (map[string][]byte, error) {
		return pythongen.GeneratePackage(tool, pkg, nil, nil)
	}, pythongen.GenerateProgram, "__main__.py"},
	"go": {func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	}, gogen.GenerateProgram, "main.go"},
	"java": {func(pkg *schema.Package) (map[string][]byte, error) {
		return javagen.GeneratePackage(tool, pkg, nil, nil, false, false)
	}, javagen.GenerateProgram, "MyStack.java"},
	"nodejs": {nil, nodegen.GenerateProgram, "index.ts"},
}

// In Go, a function that has the name of a resource's own is called LookupRole, and so are its arguments. The converter knows only the first.
var lookups = regexp.MustCompile(`(\.Lookup\w+Output\(ctx, \w+\.)Get`)

// In Go, the converter asserts the type of a message of a result, which already has that type.
var messages = regexp.MustCompile(`(\w+)\.ApplyT\(func\(\w+ iam\.\w+Result\) \(iam\.\w+, error\) \{\s*return \w+\.(\w+)\.\(iam\.\w+\), nil\s*\}\)\.\(iam\.\w+Output\)`)

// In Java, a message of a result and one of arguments are two classes. scripts/languages/java.mjs adds the method that makes one from the other.
var claims = regexp.MustCompile(`\.(claimMatch|staticKeys|awsIdentity)\((\w+)\.applyValue\((\w+) -> \w+\.\w+\(\)\)\)`)

// The converter from YAML writes a key with slashes as a name: acme.groups.acme/engineering.
var keys = regexp.MustCompile(`\.(groups|identities)\.([\w-]+(?:/[\w-]+)+)(\s)`)

// It quotes all keys below a key of a map, and the generator of Java fails on a quoted key of an object in a map of a map.
var quoted = regexp.MustCompile(`(?m)^(\t+)"([A-Za-z_]\w*)" = `)

// The generator of Java takes such a key for a method.
var getters = regexp.MustCompile(`(-> _\w+)\.([\w-]+(?:/[\w-]+)+)\(\)`)

// A list of identities, each of which may be a text or an object: the generator of Java does not say which.
var identities = regexp.MustCompile(`\.access\(Map\.of\("[^"]*", Arrays\.asList\(("[^"]*"(?:, "[^"]*")*)\)`)
var texts = regexp.MustCompile(`"[^"]*"`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "sdk":
		return writeSdk(args[1], args[2], args[3])
	case len(args) == 3 && args[0] == "programs":
		return convert(args[1], args[2])
	}
	return fmt.Errorf("usage: generate sdk LANGUAGE SCHEMA FOLDER | generate programs SCHEMA FILE")
}

func writeSdk(language, file, folder string) error {
	generator, known := generators[language]
	if !known || generator.sdk == nil {
		return fmt.Errorf("no generator for %q: python, go or java", language)
	}
	pkg, err := bind(file)
	if err != nil {
		return err
	}
	files, err := generator.sdk(pkg)
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

func convert(schemaFile, file string) error {
	pkg, err := bind(schemaFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var programs map[string]string
	if err := json.Unmarshal(text, &programs); err != nil {
		return err
	}
	converted := map[string]map[string]string{}
	for name, text := range programs {
		if converted[name], err = convertOne(text, pkg); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(converted)
}

func convertOne(text string, pkg *schema.Package) (map[string]string, error) {
	template, diagnostics, err := pulumiyaml.LoadYAML("Pulumi.yaml", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	source, warnings, err := yamlgen.ConvertTemplateIL(template, loader{pkg})
	if err == nil && warnings.HasErrors() {
		err = warnings
	}
	if err != nil {
		return nil, err
	}
	source = quoted.ReplaceAllString(keys.ReplaceAllString(source, `.$1["$2"]$3`), `$1$2 = `)
	converted := map[string]string{}
	for language, generator := range generators {
		program, err := bindProgram(source, pkg)
		if err != nil {
			return nil, err
		}
		files, diagnostics, err := generator.program(program)
		if err == nil && len(diagnostics) > 0 {
			err = diagnostics
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", language, err)
		}
		text, found := files[generator.mainFile]
		if !found {
			return nil, fmt.Errorf("%s: the converter wrote no %s", language, generator.mainFile)
		}
		converted[language] = corrected(language, string(text))
	}
	return converted, nil
}

// corrected is the text of a converter, in the places where it does not compile.
func corrected(language, text string) string {
	switch language {
	case "go":
		shorter := messages.ReplaceAllString(lookups.ReplaceAllString(text, "${1}Lookup"), "${1}.${2}()")
		if formatted, err := format.Source([]byte(shorter)); err == nil {
			return string(formatted)
		}
		return shorter
	case "java":
		text = string(identities.ReplaceAllFunc([]byte(text), eitherText))
		return withClaims(getters.ReplaceAllString(text, `$1.get("$2")`))
	}
	return text
}

// withClaims passes the result of a claim helper to an identity.
func withClaims(text string) string {
	const inputs = "com.pulumi.platform.iam.inputs."
	for _, found := range claims.FindAllStringSubmatch(text, -1) {
		argument, helper, result := found[1], found[2], found[3]
		class := strings.ToUpper(argument[:1]) + argument[1:] + "Args"
		call := fmt.Sprintf(".%s(%s.applyValue(%s -> %s.of(%s.%s())))", argument, helper, result, class, result, argument)
		text = strings.ReplaceAll(text, found[0], call)
		line := fmt.Sprintf("import %s%s;\n", inputs, class)
		if !strings.Contains(text, line) {
			text = strings.Replace(text, "import java.util.ArrayList;\n", line+"import java.util.ArrayList;\n", 1)
		}
	}
	return text
}

// eitherText corrects a list of identities in Java.
func eitherText(list []byte) []byte {
	start := bytes.Index(list, []byte("asList("))
	return append(list[:start:start], texts.ReplaceAll(list[start:], []byte("com.pulumi.core.Either.ofLeft($0)"))...)
}

// bindProgram reads a program anew for each generator, because they change it.
func bindProgram(source string, pkg *schema.Package) (*pcl.Program, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(source), "program.pp"); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	// The other form of an invoke gives plain values, which cannot be exported.
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader{pkg}, pcl.PreferOutputVersionedInvokes)
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return program, err
}

func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader{}, schema.ValidationOptions{})
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return pkg, err
}

// loader knows one package, and the engine's own.
type loader struct{ pkg *schema.Package }

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	switch {
	case name == "pulumi":
		return schema.DefaultPulumiPackage, nil
	case l.pkg != nil && name == l.pkg.Name:
		return l.pkg, nil
	}
	return nil, fmt.Errorf("the package %s is not known here", name)
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(descriptor.Name, nil)
}

func (l loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, nil)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(_ context.Context, descriptor *schema.PackageDescriptor) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.Name, nil)
}

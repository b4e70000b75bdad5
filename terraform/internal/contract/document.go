// Package contract is the API as its OpenAPI document describes it: a document to compare the provider with, and a server in
// memory that answers by it, checks every request against it, and fails on demand.
package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Document is the OpenAPI document.
type Document struct {
	root       map[string]any
	operations []*operation
	compiler   *jsonschema.Compiler
	compiled   map[string]*jsonschema.Schema
}

type operation struct {
	method, template string
	form             *regexp.Regexp
	params           []string
	query            map[string]bool
	needsMatch       bool
	needsKey         bool
	// Names of schemas.
	request string
	answers map[string]string
}

const documentURL = "openapi.json"

// Load reads the document of this checkout.
func Load() (*Document, error) {
	_, here, _, _ := runtime.Caller(0)
	file := filepath.Join(filepath.Dir(here), "..", "..", "..", "control-plane", "src", "main", "openapi", "openapi.json")
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(content, &root); err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource(documentURL, root); err != nil {
		return nil, err
	}
	d := &Document{root: root, compiler: compiler, compiled: map[string]*jsonschema.Schema{}}
	d.readOperations()
	return d, nil
}

func (d *Document) readOperations() {
	for template, item := range object(d.root["paths"]) {
		for method, value := range object(item) {
			described := object(value)
			if described["operationId"] == nil {
				continue
			}
			op := &operation{method: strings.ToUpper(method), template: template, query: map[string]bool{}, answers: map[string]string{}}
			pattern := regexp.MustCompile(`\{([a-z_]+)\}`)
			for _, match := range pattern.FindAllStringSubmatch(template, -1) {
				op.params = append(op.params, match[1])
			}
			op.form = regexp.MustCompile("^" + pattern.ReplaceAllString(template, `([^/]+)`) + "$")
			d.readParameters(op, described)
			op.request = schemaName(content(described["requestBody"]))
			for status, answer := range object(described["responses"]) {
				op.answers[status] = schemaName(content(d.resolve(answer)))
			}
			d.operations = append(d.operations, op)
		}
	}
}

func (d *Document) readParameters(op *operation, described map[string]any) {
	list, _ := described["parameters"].([]any)
	for _, each := range list {
		parameter := object(d.resolve(each))
		name, _ := parameter["name"].(string)
		required, _ := parameter["required"].(bool)
		switch {
		case parameter["in"] == "query":
			op.query[name] = true
		case name == "If-Match":
			op.needsMatch = required
		case name == "Idempotency-Key":
			op.needsKey = required
		}
	}
}

func content(value any) any {
	for _, each := range object(object(value)["content"]) {
		return object(each)["schema"]
	}
	return nil
}

// The first named schema; an answer that may also be a dry run is that of the real call.
func schemaName(schema any) string {
	described := object(schema)
	if ref, ok := described["$ref"].(string); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	if any, ok := described["anyOf"].([]any); ok && len(any) > 0 {
		return schemaName(any[0])
	}
	return ""
}

func (d *Document) resolve(value any) any {
	for {
		ref, ok := object(value)["$ref"].(string)
		if !ok {
			return value
		}
		value = d.root
		for _, part := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			value = object(value)[part]
		}
	}
}

// Schema gives a schema by name, or nil.
func (d *Document) Schema(name string) map[string]any {
	return object(object(object(d.root["components"])["schemas"])[name])
}

// Property of a schema, references resolved; nil where there is none.
func (d *Document) Property(schema, name string) map[string]any {
	return d.bare(object(d.Schema(schema)["properties"])[name])
}

// bare follows references and takes the part of a union that is not null.
func (d *Document) bare(value any) map[string]any {
	described := object(d.resolve(value))
	for _, word := range []string{"oneOf", "anyOf"} {
		union, _ := described[word].([]any)
		for _, part := range union {
			if resolved := object(d.resolve(part)); resolved["type"] != "null" {
				return resolved
			}
		}
	}
	return described
}

// Has tells whether there is an operation.
func (d *Document) Has(method, path string) bool {
	for _, op := range d.operations {
		if op.method == method && op.form.MatchString(path) {
			return true
		}
	}
	return false
}

// Check validates a value against a schema by name.
func (d *Document) Check(name string, value any) error {
	if name == "" {
		return nil
	}
	schema, ok := d.compiled[name]
	if !ok {
		var err error
		if schema, err = d.compiler.Compile(documentURL + "#/components/schemas/" + name); err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
		d.compiled[name] = schema
	}
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	plain, err := jsonschema.UnmarshalJSON(strings.NewReader(string(content)))
	if err != nil {
		return err
	}
	return schema.Validate(plain)
}

func object(value any) map[string]any {
	out, _ := value.(map[string]any)
	return out
}

// Fields of a schema by name.
func (d *Document) Fields(schema string) map[string]any {
	return object(d.Schema(schema)["properties"])
}

// Enum gives the values of a field, null left out.
func (d *Document) Enum(schema, field string) []string {
	values, _ := d.Property(schema, field)["enum"].([]any)
	var out []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

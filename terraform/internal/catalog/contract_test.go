package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/contract"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

var place = regexp.MustCompile(`\{[a-z_]+\}`)

func document(t *testing.T) *contract.Document {
	t.Helper()
	doc, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Fields that a kind's Shape derives, or that go by calls of their own.
var derived = map[string][]string{
	"":                {"sync_state"},
	"api_token":       {"owner_id", "disabled"},
	"role_assignment": {"principal_id"},
	"credential":      {"user_id", "user_public_key"},
	"kv_entry":        {"account_id", "bucket", "key"},
}

func TestEveryAttributeIsAFieldOfTheDocument(t *testing.T) {
	doc := document(t)
	for _, k := range append(catalog.All(), catalog.Organization) {
		for _, a := range k.Attrs {
			checkAttribute(t, doc, k, a)
		}
	}
}

func checkAttribute(t *testing.T, doc *contract.Document, k *engine.Kind, a kind.Attr) {
	t.Helper()
	field := a.APIField()
	if a.Local || (k.ByName && a.Name == "id") || slices.Contains(derived[k.Name], field) || slices.Contains(derived[""], field) {
		return
	}
	if !a.WriteOnly && !a.CreateOnly && len(doc.Property(k.ObjectSchema, field)) == 0 {
		t.Errorf("%s.%s: %s has no field %s", k.Name, a.Name, k.ObjectSchema, field)
	}
	inPath := strings.Contains(k.Collection+k.Item, "{"+a.Name+"}")
	if a.Mode == kind.Computed || inPath || k.Name == "organization" {
		return
	}
	if !a.UpdateOnly && len(doc.Property(k.CreateSchema, field)) == 0 {
		t.Errorf("%s.%s: %s has no field %s", k.Name, a.Name, k.CreateSchema, field)
	}
	if a.Change != kind.Refused && a.Change != kind.Replaced && !a.CreateOnly && k.PatchSchema != "" && len(doc.Property(k.PatchSchema, field)) == 0 {
		t.Errorf("%s.%s is changed in place, but %s has no field %s", k.Name, a.Name, k.PatchSchema, field)
	}
}

func TestEveryFieldThatCanBeSetIsAnAttribute(t *testing.T) {
	doc := document(t)
	// Names of API fields that an attribute carries under another rule.
	known := map[string][]string{
		"kv_entry": {"create_only", "expected_revision", "encoding"}, "credential": {"issue_key", "public_key", "ttl"}, "api_token": {"expires_in"},
	}
	for _, k := range catalog.All() {
		for field := range doc.Fields(k.CreateSchema) {
			found := slices.ContainsFunc(k.Attrs, func(a kind.Attr) bool { return a.APIField() == field })
			if !found && !slices.Contains(known[k.Name], field) {
				t.Errorf("%s: no attribute for %s.%s", k.Name, k.CreateSchema, field)
			}
		}
	}
}

func TestEveryEnumOfTheDocumentIsKnown(t *testing.T) {
	doc := document(t)
	for _, k := range catalog.All() {
		for _, a := range k.Attrs {
			values := doc.Enum(k.CreateSchema, a.APIField())
			if a.Local || a.Mode == kind.Computed || len(values) == 0 || a.Type != kind.String {
				continue
			}
			if !slices.Equal(slices.Sorted(slices.Values(values)), slices.Sorted(slices.Values(a.OneOf))) {
				t.Errorf("%s.%s takes %v, the document says %v", k.Name, a.Name, a.OneOf, values)
			}
		}
	}
}

func TestEveryAddressIsAnOperation(t *testing.T) {
	doc := document(t)
	for _, k := range catalog.All() {
		item, collection := place.ReplaceAllString(k.Item, "x"), place.ReplaceAllString(k.Collection, "x")
		checks := map[string]string{"GET": item}
		switch k.Name {
		case "kv_entry":
			checks["PUT"], checks["DELETE"] = item, item
		case "credential":
			checks["POST"] = collection
		default:
			checks["POST"], checks["DELETE"] = collection, item
		}
		if k.PatchSchema != "" && k.Name != "kv_entry" {
			checks["PATCH"] = item
		}
		for method, path := range checks {
			if !doc.Has(method, path) {
				t.Errorf("%s: the document has no %s %s", k.Name, method, path)
			}
		}
	}
}

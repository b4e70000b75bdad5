// Package engine makes Terraform resources, data sources and lists out of the descriptions of kinds.
package engine

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Kind is one kind of object that the provider manages.
type Kind struct {
	// Name without the provider's prefix, such as "stream".
	Name string
	// Doc is the first paragraph of the resource's page.
	Doc   string
	Attrs []kind.Attr
	// Collection is the path where objects are made and listed; {name} stands for the attribute's value.
	Collection string
	// Item is the path of one object.
	Item string
	// Parent in import ids; nil for an organisation.
	Parent *Kind
	// ParentAttr is the attribute that holds the parent's id.
	ParentAttr string
	// NameField of the API by which a readable id finds the object; empty: only ids.
	NameField string
	// ByName kinds are addressed by parent and name, and have no id of the API.
	ByName bool
	// Ref is the attribute by which objects below point to this one; default the kind's name.
	Ref string
	// NameAttr holds the last segment of a by-name kind; default "name".
	NameAttr string
	// List is the path of lists; empty: the collection.
	List string
	// Lookup finds an object by a readable last segment of an import id; "" where there is none.
	Lookup func(ctx context.Context, env *Env, list, part string) (string, error)
	// Readable gives the last segment that Lookup reads, where it is no attribute; "" where too little is known.
	Readable func(values kind.Values) string
	// Identity attributes; they never change, unless IdentityMoves.
	Identity []string
	// IdentityMoves: an update may make another object of the API, such as a rotated credential.
	IdentityMoves bool
	// CreateSchema, PatchSchema and ObjectSchema name the shapes of the OpenAPI document; the contract test compares with them.
	CreateSchema, PatchSchema, ObjectSchema string
	// Timeout of create, update and delete where `timeouts` is silent.
	Timeout time.Duration
	// Whole: the collection's list gives each object as its own address does, so that a refresh may take it from there.
	Whole bool
	// DryRun: changes can be tried at plan time.
	DryRun bool
	// Example of an import id's last segment.
	Example string

	// Validate the whole configuration; unknown values are Unknown.
	Validate func(config kind.Values) []Fault
	// Plan may change or refuse the plan of a create (state nil) or an update.
	Plan func(ctx context.Context, env *Env, step *PlanStep) error
	// GuardDestroy refuses a destroy that would lose data; at plan and again at apply.
	GuardDestroy func(ctx context.Context, env *Env, state kind.Values) error
	// Create, Fetch, Change and Remove replace the plain calls where the API is not plain.
	Create func(ctx context.Context, env *Env, k *Kind, plan kind.Values, body api.Object) (*api.Answer, error)
	Fetch  func(ctx context.Context, env *Env, state kind.Values) (api.Object, error)
	Change func(ctx context.Context, env *Env, k *Kind, state, plan kind.Values, patch api.Object, etag string) (*api.Answer, error)
	Remove func(ctx context.Context, env *Env, state kind.Values, etag string) error
	// Gone tells of an object that only its record is left, which the API still lists.
	Gone func(object api.Object) bool
	// Shape changes an object of the API before it is read, where its fields lie elsewhere.
	Shape func(object api.Object) api.Object
	// Finish sees values that came with an object, before they become state; such as secrets that are shown once.
	Finish func(values kind.Values, object api.Object)
}

// Fault is a mistake in a configuration.
type Fault struct {
	Attr, Text string
}

// PlanStep is what a kind's Plan sees and may change.
type PlanStep struct {
	Kind                *Kind
	Config, State, Plan kind.Values
	// Warnings to show.
	Warnings []string
}

// Known id forms: a prefix of the kind and 26 characters of a ULID.
var idForm = regexp.MustCompile(`^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$`)

// IsID tells whether a segment of an import id is an id, not a name.
func IsID(text string) bool { return idForm.MatchString(text) }

// Expand fills the {attribute} places of a path.
func Expand(template string, values kind.Values) (string, error) {
	var missing []string
	path := placeForm.ReplaceAllStringFunc(template, func(place string) string {
		name := strings.Trim(place, "{}")
		text, _ := values[name].(string)
		if text == "" {
			missing = append(missing, name)
		}
		return url.PathEscape(text)
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the address %s lacks %s", template, strings.Join(missing, ", "))
	}
	return path, nil
}

var placeForm = regexp.MustCompile(`\{[a-z_]+\}`)

// Key attribute of the last segment.
func (k *Kind) nameAttr() string {
	if k.NameAttr != "" {
		return k.NameAttr
	}
	return "name"
}

// compositeID of a by-name object: the values of its path, such as "<account>/<stream>/<consumer>".
func (k *Kind) compositeID(values kind.Values) string {
	var parts []string
	for _, name := range places(k.Item) {
		text, _ := values[name].(string)
		parts = append(parts, url.PathEscape(text))
	}
	return strings.Join(parts, "/")
}

// ref is the attribute by which objects below this one point to it.
func (k *Kind) ref() string {
	if k.Ref != "" {
		return k.Ref
	}
	return k.Name
}

// ImportForm is the readable id, such as "organization/project/account/stream".
func (k *Kind) ImportForm() string {
	var names []string
	for each := k; each != nil; each = each.Parent {
		names = append([]string{each.Name}, names...)
	}
	return strings.Join(names, "/")
}

// TypeName with the provider's prefix.
func (k *Kind) TypeName() string { return "penstock_" + k.Name }

func (k *Kind) has(name string) bool {
	_, ok := kind.Find(k.Attrs, name)
	return ok
}

// read turns the API's object into state values.
func (k *Kind) read(object api.Object, prior kind.Values) kind.Values {
	if k.Shape != nil {
		object = k.Shape(object)
	}
	values := kind.Read(k.Attrs, object, prior)
	if k.ByName {
		for _, name := range places(k.Item) {
			if values[name] == nil {
				values[name] = prior[name]
			}
		}
		values["id"] = k.compositeID(values)
	}
	if k.Finish != nil {
		k.Finish(values, object)
	}
	return values
}

func places(template string) []string {
	var out []string
	for _, place := range placeForm.FindAllString(template, -1) {
		out = append(out, strings.Trim(place, "{}"))
	}
	return out
}

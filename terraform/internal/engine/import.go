package engine

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Resolve turns an import id into the values that address the object. Each segment is a name or an id; segments before an id
// may be left out, and those that the provider's defaults give.
func (k *Kind) Resolve(ctx context.Context, env *Env, id string) (kind.Values, error) {
	chain := k.chain()
	parts := strings.Split(strings.Trim(id, "/"), "/")
	wrong := fmt.Errorf("%q is no id of a %s: write %s, each segment a name or an id, or start with an id%s",
		id, k.TypeName(), k.ImportForm(), k.example())
	if id == "" || len(parts) > len(chain) {
		return nil, wrong
	}
	for i, part := range parts {
		text, err := url.PathUnescape(part)
		if err != nil || text == "" {
			return nil, wrong
		}
		parts[i] = text
	}
	skipped := len(chain) - len(parts)
	refs := kind.Values{}
	if skipped > 0 && !IsID(parts[0]) {
		// Only the provider's organisation and project can stand for what is left out.
		switch above := chain[skipped-1]; {
		case above.Name == "project" && env.Project != "":
			refs["project"] = env.Project
		case above.Name == "organization":
			organization, err := env.OrganizationID(ctx)
			if err != nil {
				return nil, err
			}
			refs["organization"] = organization
		default:
			return nil, wrong
		}
	}
	for i, part := range parts {
		if err := chain[skipped+i].locate(ctx, env, refs, part); err != nil {
			return nil, err
		}
	}
	return k.addressed(refs), nil
}

func (k *Kind) chain() []*Kind {
	var chain []*Kind
	for each := k; each != nil; each = each.Parent {
		chain = append([]*Kind{each}, chain...)
	}
	return chain
}

func (k *Kind) example() string {
	if k.Example == "" {
		return ""
	}
	return " (" + k.Example + ")"
}

// locate adds one segment to the references.
func (k *Kind) locate(ctx context.Context, env *Env, refs kind.Values, part string) error {
	if k.ByName || IsID(part) || (k.NameField == "" && k.Lookup == nil) {
		refs[k.ref()] = part
		return nil
	}
	list, err := Expand(k.Collection, refs)
	if err != nil {
		return err
	}
	id, err := k.find(ctx, env, list, part)
	if err != nil {
		return err
	}
	if id == "" {
		return fmt.Errorf("there is no %s %q at %s", strings.ReplaceAll(k.Name, "_", " "), part, list)
	}
	refs[k.ref()] = id
	return nil
}

func (k *Kind) find(ctx context.Context, env *Env, list, part string) (string, error) {
	if k.Lookup != nil {
		return k.Lookup(ctx, env, list, part)
	}
	object, err := env.Client.Find(ctx, list, k.NameField, part)
	return api.Text(object, "id"), err
}

// addressed gives the values of the object's path.
func (k *Kind) addressed(refs kind.Values) kind.Values {
	values := kind.Values{}
	for name, value := range refs {
		if name != k.ref() && k.has(name) {
			values[name] = value
		}
	}
	if k.ByName {
		values[k.nameAttr()] = refs[k.ref()]
		values["id"] = k.compositeID(values)
	} else {
		values["id"] = refs[k.ref()]
	}
	return values
}

// localDefaults are what an imported object has of the attributes that only the provider knows.
func (k *Kind) localDefaults(values kind.Values) {
	for _, a := range k.Attrs {
		if a.Local && a.Default != nil {
			values[a.Name] = a.Default
		}
	}
}

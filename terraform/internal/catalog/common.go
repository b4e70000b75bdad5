// Package catalog describes every kind of object that the provider manages.
package catalog

import (
	"strings"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

func id(form string) kind.Attr {
	return kind.Attr{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "Id, " + form}
}

// stamps are the times of an object with an id.
func stamps() []kind.Attr {
	return []kind.Attr{
		{Name: "created_at", Type: kind.Time, Mode: kind.Computed, Doc: "When it was made"},
		{Name: "updated_at", Type: kind.Time, Mode: kind.Computed, Volatile: true, Doc: "When it was changed last"},
	}
}

func createdAt() kind.Attr {
	return kind.Attr{Name: "created_at", Type: kind.Time, Mode: kind.Computed, Doc: "When it was made"}
}

func timeouts() kind.Attr {
	one := func(name string) kind.Attr {
		return kind.Attr{Name: name, Type: kind.Duration, Mode: kind.Optional, Local: true, Doc: "Longest time to " + name + " it, waiting included"}
	}
	return kind.Attr{Name: "timeouts", Type: kind.Object, Mode: kind.Optional, Local: true, Doc: "Longest times of the operations; default 10m each",
		Attrs: []kind.Attr{one("create"), one("read"), one("update"), one("delete")}}
}

// synced adds what belongs to objects that the broker has to take over.
func synced() []kind.Attr {
	return []kind.Attr{
		{Name: "wait_for", Type: kind.String, Mode: kind.Follow, Local: true, Default: "synced", OneOf: []string{"synced", "accepted"},
			Doc: "What an apply waits for: until the broker works by it, or only until it is stored"},
		{Name: "sync_status", Field: "sync_state", Type: kind.String, Mode: kind.Computed, Volatile: true,
			Doc: "Whether the broker works by the newest state: `synced`, `syncing` or `failed`. After `failed` the next apply waits again"},
	}
}

// flattenSync puts the state of `sync` where sync_status reads it.
func flattenSync(object map[string]any) map[string]any {
	return with(object, "sync_state", at(object, "sync", "state"))
}

// with gives a copy of an object with one more field.
func with(object map[string]any, field string, value any) map[string]any {
	out := make(map[string]any, len(object)+1)
	for name, each := range object {
		out[name] = each
	}
	out[field] = value
	return out
}

func at(object map[string]any, names ...string) any {
	var value any = object
	for _, name := range names {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = inner[name]
	}
	return value
}

func protection(what string) kind.Attr {
	return kind.Attr{Name: "deletion_protection", Type: kind.Bool, Mode: kind.Follow,
		Doc: "While true " + what + " cannot be destroyed: set it to false and apply first. In a production project the server's default is true"}
}

func destructive(what string) kind.Attr {
	return kind.Attr{Name: "allow_destructive_replace", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false,
		Doc: "Lets a change that needs a new " + what + " destroy the old one **with its data**, instead of being a plan error"}
}

func organization() kind.Attr {
	return kind.Attr{Name: "organization", Field: "organization_id", Type: kind.String, Mode: kind.Follow, Change: kind.Refused,
		Remedy: "Make another one in the other organisation.", Doc: "Id of the organisation; default: the provider's"}
}

func account(change kind.Change, what string) kind.Attr {
	return kind.Attr{Name: "account", Field: "account_id", Type: kind.String, Mode: kind.Required, Change: change,
		Remedy: "Add another " + what + " in the other account, move what is needed, then remove this one.", Doc: "Id of the account", Check: check.ID("acct")}
}

func slug(doc string) kind.Attr {
	return kind.Attr{Name: "name", Type: kind.String, Mode: kind.Required, Doc: doc, Check: check.Slug}
}

func metadata() kind.Attr {
	return kind.Attr{Name: "metadata", Type: kind.Map, Mode: kind.Follow, Doc: "Free key-value pairs, kept by the broker"}
}

func description() kind.Attr {
	return kind.Attr{Name: "description", Type: kind.String, Mode: kind.Follow, Doc: "Free text"}
}

func number(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Int, Mode: kind.Follow, Doc: doc}
}

func size(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Size, Mode: kind.Follow, Doc: doc}
}

func sizeOf(name, field, doc string) kind.Attr {
	return kind.Attr{Name: name, Field: field, Type: kind.Size, Mode: kind.Follow, Doc: doc}
}

func duration(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Duration, Mode: kind.Follow, Doc: doc}
}

func boolean(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Bool, Mode: kind.Follow, Doc: doc}
}

func text(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.String, Mode: kind.Follow, Doc: doc}
}

func oneOf(name, doc string, values ...string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.String, Mode: kind.Follow, Doc: doc, OneOf: values}
}

func subjects(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Set, Mode: kind.Follow, Doc: doc, Check: check.Subject}
}

// known tells whether an attribute is set to something that is known already.
func known(values kind.Values, name string) bool {
	value, ok := values[name]
	return ok && value != nil && !kind.IsUnknown(value)
}

func textOf(values kind.Values, name string) string {
	value, _ := values[name].(string)
	return value
}

func refused(a kind.Attr, remedy string) kind.Attr {
	a.Change, a.Remedy = kind.Refused, remedy
	return a
}

// tidy drops what the broker adds to metadata for itself.
func tidy(object api.Object) api.Object {
	given, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	own := map[string]any{}
	for name, value := range given {
		if !strings.HasPrefix(name, "_nats.") {
			own[name] = value
		}
	}
	return with(object, "metadata", own)
}

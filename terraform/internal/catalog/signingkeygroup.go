package catalog

import (
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// SigningKeyGroup gives its users their rights.
var SigningKeyGroup = &engine.Kind{
	Name:         "signing_key_group",
	Doc:          "A signing-key group: users whose JWTs one key signs and who have the rights of its `scope`. **A changed scope closes the connections of its users**; clients reconnect with the new rights.",
	Collection:   "/v1/accounts/{account}/signing-key-groups",
	Item:         "/v1/signing-key-groups/{id}",
	Parent:       Account,
	ParentAttr:   "account",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "SigningKeyGroupCreate", PatchSchema: "SigningKeyGroupPatch", ObjectSchema: "SigningKeyGroup",
	DryRun:  true,
	Example: "such as acme/prod/orders/services",
	Shape:   flattenSync,
	Attrs: append(append([]kind.Attr{
		id("`skg_…`"),
		slug("Name, unique in the account"),
		account(kind.Refused, "group"),
		description(),
		scope(),
		destructive("group"),
		{Name: "public_key", Type: kind.String, Mode: kind.Computed, Doc: "Current public signing key (`A…`)"},
		{Name: "user_count", Type: kind.Int, Mode: kind.Computed, Volatile: true, Doc: "Users of the group"},
		timeouts(),
	}, synced()...), stamps()...),
}

func scope() kind.Attr {
	return kind.Attr{Name: "scope", Field: "template", Type: kind.Object, Mode: kind.Follow, Doc: "What users of the group may do", Attrs: []kind.Attr{
		allowDeny("publish", "Subjects to publish to"),
		allowDeny("subscribe", "Subjects to subscribe to"),
		responses(),
		number("subscriptions", "Subscriptions of one connection; -1 is unlimited"),
		sizeOf("payload", "payload_bytes", "Largest message; -1 is the account's limit"),
		sizeOf("data", "data_bytes", "Bytes in flight; -1 is unlimited"),
		{Name: "connection_types", Type: kind.Set, Mode: kind.Follow, OneOf: []string{"STANDARD", "WEBSOCKET", "LEAFNODE", "MQTT", "IN_PROCESS"}, Doc: "How users may connect; empty: in every way"},
		{Name: "source_cidrs", Type: kind.Set, Mode: kind.Follow, Check: check.CIDR, Doc: "Addresses they may come from; empty: any"},
		boolean("bearer", "Whether the JWT alone is enough, without the key"),
	}}
}

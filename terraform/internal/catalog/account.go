package catalog

import (
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Account is a tenant of the broker: subjects, streams and users of its own.
var Account = &engine.Kind{
	Name: "account",
	Doc: "An account: a space of subjects, streams and users that nothing crosses unless it is exported. " +
		"Destroying it can be taken back for some days (action `penstock_restore`).",
	Collection:   "/v1/projects/{project}/accounts",
	Item:         "/v1/accounts/{id}",
	Parent:       Project,
	ParentAttr:   "project",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "AccountCreate", PatchSchema: "AccountPatch", ObjectSchema: "Account",
	DryRun:   true,
	Example:  "such as acme/prod/orders",
	Shape:    flattenSync,
	Validate: validateAccount,
	Plan:     planAccount,
	Attrs: append(append([]kind.Attr{
		id("`acct_…`"),
		slug("Name, unique in the project"),
		{Name: "project", Field: "project_id", Type: kind.String, Mode: kind.Follow, Change: kind.Refused, Doc: "Id of the project; default: the provider's",
			Remedy: "Add another account in the other project and move clients and data to it."},
		limits(),
		permissions("default_permissions", "What users may do whose group says nothing"),
		mappings(),
		protection("the account"),
		{Name: "public_key", Type: kind.String, Mode: kind.Computed, Doc: "The account's public nkey (`A…`)"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`active`, `suspended`, `deleted` or `deleting`"},
		timeouts(),
	}, synced()...), stamps()...),
}

func limits() kind.Attr {
	return kind.Attr{Name: "limits", Type: kind.Object, Mode: kind.Follow, Doc: "Limits; -1 is unlimited. One below what is in use is refused at plan time", Attrs: []kind.Attr{
		number("connections", "Client connections at a time"),
		number("leaf_nodes", "Leaf node connections at a time"),
		number("subscriptions", "Subscriptions at a time"),
		sizeOf("payload", "payload_bytes", "Largest message"),
		number("imports", "Imports from other accounts"),
		number("exports", "Exports to other accounts"),
		boolean("wildcard_exports", "Whether exports may have wildcards"),
		boolean("bearer_tokens_allowed", "Whether JWTs may be used without a key"),
		{Name: "jetstream", Type: kind.Object, Mode: kind.Follow, Doc: "Limits of all streams together; excludes `tiers`", Attrs: jetStreamLimits()},
		{Name: "tiers", Type: kind.Object, Mode: kind.Follow, Doc: "Limits by number of replicas; excludes `jetstream`", Attrs: []kind.Attr{
			{Name: "r1", Field: "R1", Type: kind.Object, Mode: kind.Follow, Doc: "Streams with one replica", Attrs: jetStreamLimits()},
			{Name: "r3", Field: "R3", Type: kind.Object, Mode: kind.Follow, Doc: "Streams with three replicas", Attrs: jetStreamLimits()},
			{Name: "r5", Field: "R5", Type: kind.Object, Mode: kind.Follow, Doc: "Streams with five replicas", Attrs: jetStreamLimits()},
		}},
	}}
}

func jetStreamLimits() []kind.Attr {
	return []kind.Attr{
		sizeOf("memory", "memory_bytes", "Memory of streams"),
		sizeOf("storage", "storage_bytes", "Disk of streams"),
		number("streams", "Number of streams"),
		number("consumers", "Number of consumers"),
		number("max_ack_pending", "Largest `max_ack_pending` of a consumer"),
		sizeOf("memory_max_stream", "memory_max_stream_bytes", "Largest stream in memory"),
		sizeOf("storage_max_stream", "storage_max_stream_bytes", "Largest stream on disk"),
		boolean("max_bytes_required", "Whether streams have to set `max_bytes`"),
	}
}

func permissions(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Object, Mode: kind.Follow, Doc: doc, Attrs: []kind.Attr{
		allowDeny("publish", "Subjects to publish to"),
		allowDeny("subscribe", "Subjects to subscribe to"),
		responses(),
	}}
}

func allowDeny(name, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kind.Object, Mode: kind.Follow, Doc: doc, Attrs: []kind.Attr{
		subjects("allow", "Allowed; an empty list allows everything that is not denied"),
		subjects("deny", "Denied, whatever is allowed"),
	}}
}

func responses() kind.Attr {
	return kind.Attr{Name: "responses", Type: kind.Object, Mode: kind.Follow, Doc: "Leave to answer requests on their reply subjects", Attrs: []kind.Attr{
		{Name: "max", Type: kind.Int, Mode: kind.Required, Doc: "Answers to one request; -1 is unlimited"},
		{Name: "ttl", Type: kind.Duration, Mode: kind.Required, Signed: true, Doc: "How long after the request"},
	}}
}

func mappings() kind.Attr {
	return kind.Attr{Name: "mappings", Type: kind.Objects, Mode: kind.Follow, Doc: "Subjects that are published under another one, by weight", Attrs: []kind.Attr{
		{Name: "subject", Type: kind.String, Mode: kind.Required, Doc: "Subject that is mapped; may have wildcards"},
		{Name: "destinations", Type: kind.Objects, Mode: kind.Required, Doc: "Where it goes; weights of a cluster add up to at most 100", Attrs: []kind.Attr{
			{Name: "subject", Type: kind.String, Mode: kind.Required, Doc: "New subject; `$1` and `{{wildcard(1)}}` refer to wildcards"},
			{Name: "weight", Type: kind.Int, Mode: kind.Optional, Min: 1, Max: 100, Doc: "Percent of the messages; the server's default is 100"},
			{Name: "cluster", Type: kind.String, Mode: kind.Optional, Doc: "Only in this cluster"},
		}},
	}}
}

func validateAccount(config kind.Values) []engine.Fault {
	limits, _ := config["limits"].(kind.Values)
	if known(limits, "jetstream") && known(limits, "tiers") {
		return []engine.Fault{{Attr: "limits", Text: "`jetstream` and `tiers` exclude each other: an account has one limit for all its streams, or one for each number of replicas."}}
	}
	return nil
}

package catalog

import (
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Data sources of the provider.
func Data() []*engine.Data {
	return []*engine.Data{
		engine.DataOf(Organization, "An organisation, by id or name; without either the one that the token works in."),
		engine.DataOf(Project, "A project, by id or by name in its organisation."),
		engine.ListOf(Project, "projects", "All projects of an organisation."),
		engine.DataOf(Account, "An account, by id or by name in its project."),
		engine.ListOf(Account, "accounts", "All accounts of a project."),
		engine.DataOf(Stream, "A stream with what it holds.", streamState()),
		engine.ListOf(Stream, "streams", "All streams of an account, those of buckets left out.", streamState()),
		engine.DataOf(Consumer, "A consumer of a stream with its position.", consumerState()...),
		engine.ListOf(Consumer, "consumers", "All consumers of a stream.", consumerState()...),
		engine.ListOf(User, "users", "All users of an account."),
		connectionInfo(),
		currentPrincipal(),
		permissionCheck(),
	}
}

func computed(name string, kindOf kind.Type, doc string) kind.Attr {
	return kind.Attr{Name: name, Type: kindOf, Mode: kind.Computed, Doc: doc}
}

func streamState() kind.Attr {
	return kind.Attr{Name: "state", Type: kind.Object, Mode: kind.Computed, Doc: "What it holds now", Attrs: []kind.Attr{
		computed("messages", kind.Sequence, "Messages"),
		computed("bytes", kind.Int, "Bytes"),
		computed("first_seq", kind.Sequence, "Sequence of the first message"),
		computed("last_seq", kind.Sequence, "Sequence of the last message"),
		computed("consumer_count", kind.Int, "Consumers"),
		computed("num_subjects", kind.Int, "Subjects"),
	}}
}

func consumerState() []kind.Attr {
	return []kind.Attr{
		computed("type", kind.String, "`pull` or `push`"),
		computed("num_pending", kind.Sequence, "Messages that are still to be delivered"),
		computed("num_ack_pending", kind.Int, "Messages that wait for an acknowledgement"),
		computed("num_redelivered", kind.Int, "Messages that were delivered again"),
		computed("num_waiting", kind.Int, "Pull requests that wait"),
		computed("paused", kind.Bool, "Whether it is paused"),
	}
}

func connectionInfo() *engine.Data {
	return engine.PlainData("connection_info", "Where clients of an account connect.", "/v1/accounts/{account}/connect-info", nil, []kind.Attr{
		{Name: "account", Type: kind.String, Mode: kind.Required, Doc: "Id of the account"},
		computed("client_urls", kind.List, "Addresses of the NATS protocol"),
		computed("websocket_urls", kind.List, "Addresses of NATS over WebSocket"),
		computed("tls_required", kind.Bool, "Whether only TLS is accepted"),
		computed("account_public_key", kind.String, "The account's public nkey"),
		computed("server_version", kind.String, "Version of the broker; null when none has answered yet"),
	})
}

func currentPrincipal() *engine.Data {
	return engine.PlainData("current_principal", "Who the provider's token is, and what it may do.", "/v1/principal", nil, []kind.Attr{
		computed("id", kind.String, "Id of the person or service account"),
		computed("kind", kind.String, "`user` or `service_account`"),
		computed("name", kind.String, "Name"),
		computed("email", kind.String, "E-mail of a person"),
		{Name: "token", Type: kind.Object, Mode: kind.Computed, Doc: "The token of the call, without its secret", Attrs: []kind.Attr{
			computed("id", kind.String, "Id"),
			computed("name", kind.String, "Name"),
			computed("scopes", kind.List, "What it is limited to"),
			computed("project_ids", kind.List, "Projects it is limited to; empty: none"),
			computed("expires_at", kind.Time, "When it ends"),
		}},
		{Name: "organizations", Type: kind.Objects, Mode: kind.Computed, Doc: "Where it works", Attrs: []kind.Attr{
			computed("id", kind.String, "Id"),
			computed("name", kind.String, "Name"),
			computed("role", kind.String, "Strongest role in the whole organisation"),
			computed("permissions", kind.List, "Rights in the whole organisation, cut down to the token"),
		}},
	})
}

func permissionCheck() *engine.Data {
	return engine.PlainData("permission_check", "Whether a principal may do something, and why.", "/v1/orgs/{organization}/permissions/check",
		map[string]string{"permission": "permission", "resource": "resource", "principal": "principal"}, []kind.Attr{
			{Name: "organization", Type: kind.String, Mode: kind.Follow, Doc: "Id of the organisation; default: the provider's"},
			{Name: "permission", Type: kind.String, Mode: kind.Required, Doc: "The right, such as `streams:write`"},
			{Name: "resource", Type: kind.String, Mode: kind.Follow, Doc: "Id of the object; default: the organisation"},
			{Name: "principal", Field: "principal_id", Type: kind.String, Mode: kind.Optional, Doc: "Id of the person or service account; default: the caller"},
			computed("allowed", kind.Bool, "Whether it may"),
			computed("reason", kind.String, "Which role or limit decided"),
			computed("trace", kind.List, "What was looked at, in order"),
		})
}

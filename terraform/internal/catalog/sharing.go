package catalog

import (
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Export offers subjects to other accounts.
var Export = &engine.Kind{
	Name:         "export",
	Doc:          "Subjects of an account that other accounts may import. Importers of a subject that is no longer exported get nothing: the plan says how many.",
	Collection:   "/v1/accounts/{account}/exports",
	Item:         "/v1/exports/{id}",
	Parent:       Account,
	ParentAttr:   "account",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "ExportCreate", PatchSchema: "ExportPatch", ObjectSchema: "Export",
	DryRun:  true,
	Example: "such as acme/prod/orders/order-events",
	Shape:   flattenSync,
	Attrs: append(append([]kind.Attr{
		id("`exp_…`"),
		slug("Name, unique in the account"),
		account(kind.Refused, "export"),
		{Name: "subject", Type: kind.String, Mode: kind.Required, Check: check.Subject, Doc: "Subject; may have wildcards where the account allows it"},
		{Name: "type", Type: kind.String, Mode: kind.Required, Change: kind.Refused, OneOf: []string{"stream", "service"}, Doc: "Messages that flow out, or requests that are answered",
			Remedy: "Shares and imports of it would break. Add another export and move the importers."},
		description(),
		oneOf("response_type", "Answers of a service: one, many, or one in pieces", "singleton", "stream", "chunked"),
		boolean("token_required", "Whether importers need a share; the server's default is true. Without it every account that knows this account's key and the subject can import"),
		{Name: "account_token_position", Type: kind.Int, Mode: kind.Follow, Min: 0, Max: 64, Doc: "Which token of the subject, from 1, is the importer's public key; 0 for none"},
		{Name: "service_latency", Type: kind.Object, Mode: kind.Follow, Doc: "Reports on the speed of a service", Attrs: []kind.Attr{
			{Name: "sampling", Type: kind.Int, Mode: kind.Required, Min: 0, Max: 100, Doc: "Percent of requests; 0 is only those that ask by header"},
			{Name: "subject", Type: kind.String, Mode: kind.Required, Check: check.Subject, Doc: "Where the reports go"},
		}},
		boolean("allow_trace", "Whether message traces go on into the account (services)"),
		boolean("advertise", "Whether it is shown to others of the organisation"),
		destructive("export"),
		{Name: "share_count", Type: kind.Int, Mode: kind.Computed, Volatile: true, Doc: "Shares of it"},
		timeouts(),
	}, synced()...), stamps()...),
}

// Share lets one account import an export.
var Share = &engine.Kind{
	Name:         "share",
	Doc:          "Leave for one account to import an export. Within the organisation it is accepted at once unless `auto_accept = false`.",
	Collection:   "/v1/exports/{export}/shares",
	Item:         "/v1/shares/{id}",
	Parent:       Export,
	ParentAttr:   "export",
	NameField:    "target_account_id",
	NameAttr:     "target_account",
	Identity:     []string{"id"},
	CreateSchema: "ShareCreate", ObjectSchema: "Share",
	Example:  "such as acme/prod/orders/order-events/shr_01J…",
	Validate: validateShare,
	Attrs: append([]kind.Attr{
		id("`shr_…`"),
		{Name: "export", Field: "export_id", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, Check: check.ID("exp"), Doc: "Id of the export"},
		{Name: "target_account", Field: "target_account_id", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.ID("acct"), Doc: "Id of an account of the same organisation; or target_public_key"},
		{Name: "target_public_key", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.AccountKey, Doc: "Public key (`A…`) of an account of any organisation"},
		{Name: "auto_accept", Type: kind.Bool, Mode: kind.Optional, CreateOnly: true, Change: kind.Replaced, Doc: "Accept in the target's name; only within the organisation, where the default is true. Leave it out for a share that was imported: the API does not tell it, so it would make a new one"},
		{Name: "expires_in", Type: kind.Duration, Mode: kind.Optional, CreateOnly: true, Change: kind.Replaced, Doc: "Life of the leave, from its creation; without it there is no end. Leave it out for a share that was imported: the API tells only `expires_at`, so it would make a new one"},
		{Name: "account", Field: "account_id", Type: kind.String, Mode: kind.Computed, Doc: "Id of the exporting account"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`offered`, `accepted`, `declined` or `revoked`"},
		{Name: "expires_at", Type: kind.Time, Mode: kind.Computed, Doc: "End of the leave; null without end"},
		timeouts(),
	}, stamps()...),
}

// Import takes subjects of another account in.
var Import = &engine.Kind{
	Name:         "import",
	Doc:          "Subjects of another account that appear in this one. Needs a share of the export, unless that asks for none; a share for the account is found by itself.",
	Collection:   "/v1/accounts/{account}/imports",
	Item:         "/v1/imports/{id}",
	Parent:       Account,
	ParentAttr:   "account",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "ImportCreate", PatchSchema: "ImportPatch", ObjectSchema: "Import",
	DryRun:   true,
	Example:  "such as acme/prod/billing/order-events",
	Shape:    flattenSync,
	Validate: validateImport,
	Attrs: append(append([]kind.Attr{
		id("`imp_…`"),
		slug("Name, unique in the account"),
		account(kind.Refused, "import"),
		{Name: "remote_account", Field: "remote_account_id", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.ID("acct"), Doc: "Id of the exporting account, of the same organisation; or remote_public_key, or share"},
		{Name: "remote_public_key", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.AccountKey, Doc: "Public key (`A…`) of the exporting account"},
		{Name: "share", Field: "share_id", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.ID("shr"), Doc: "Id of the share that gives leave"},
		{Name: "type", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, OneOf: []string{"stream", "service"}, Doc: "As the export"},
		{Name: "subject", Type: kind.String, Mode: kind.Follow, Check: check.Subject, Doc: "The exporter's subject, or a part of it; with a share its subject by default"},
		{Name: "local_subject", Type: kind.String, Mode: kind.Follow, Doc: "The subject here; by default the same. `$1` and `*` refer to wildcards of subject"},
		boolean("share_connection_info", "Whether the service sees who asks"),
		boolean("allow_trace", "Whether message traces come in (streams)"),
		{Name: "activation_token_wo", Field: "activation_token", Type: kind.String, Mode: kind.Optional, WriteOnly: true, Sensitive: true, Doc: "An activation JWT that the exporter gave out by hand; never kept (Terraform 1.11)"},
		{Name: "activation_token_wo_version", Type: kind.Int, Mode: kind.Optional, Local: true, Doc: "Raise it to send activation_token_wo again"},
		destructive("import"),
		{Name: "activation", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "Where the leave comes from: `none`, `share` or `own_token`"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`active`, `pending`, `revoked` or `broken`"},
		{Name: "expires_at", Type: kind.Time, Mode: kind.Computed, Volatile: true, Doc: "End of the leave"},
		timeouts(),
	}, synced()...), stamps()...),
}

func validateShare(config kind.Values) []engine.Fault {
	if config["target_account"] == nil && config["target_public_key"] == nil {
		return []engine.Fault{{Attr: "target_account", Text: "Set target_account, or target_public_key for another organisation."}}
	}
	if known(config, "target_account") && known(config, "target_public_key") {
		return []engine.Fault{{Attr: "target_public_key", Text: "Set target_account or target_public_key, not both."}}
	}
	return nil
}

func validateImport(config kind.Values) []engine.Fault {
	set := 0
	for _, name := range []string{"remote_account", "remote_public_key", "share"} {
		if config[name] != nil {
			set++
		}
	}
	if set != 1 {
		return []engine.Fault{{Attr: "remote_account", Text: "Set exactly one of remote_account, remote_public_key and share."}}
	}
	if config["share"] == nil && config["subject"] == nil {
		return []engine.Fault{{Attr: "subject", Text: "Needed where no share says it."}}
	}
	return nil
}

package catalog

import (
	"context"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// User is who a credential is issued to.
var User = &engine.Kind{
	Name:         "user",
	Doc:          "A user of the broker: who credentials are issued to. Its rights are those of its signing-key group. Destroying it voids everything that was issued to it.",
	Collection:   "/v1/accounts/{account}/users",
	Item:         "/v1/users/{id}",
	Parent:       Account,
	ParentAttr:   "account",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "UserCreate", PatchSchema: "UserPatch", ObjectSchema: "User",
	DryRun:  true,
	Example: "such as acme/prod/orders/billing-svc",
	Create:  createUser,
	Attrs: append([]kind.Attr{
		id("`usr_…`"),
		{Name: "name", Type: kind.String, Mode: kind.Required, Doc: "Name, unique in the account; it is in JWTs issued from then on", Check: check.UserName},
		{Name: "signing_key_group", Field: "signing_key_group_id", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Check: check.ID("skg"),
			Remedy: "What was issued to the user would be void. Add another user in the other group, issue to it, then remove this one.", Doc: "Id of the group that gives the rights"},
		{Name: "account", Field: "account_id", Type: kind.String, Mode: kind.Computed, Doc: "Id of the account, which is the group's"},
		boolean("disabled", "While true no JWT of the user is good and none is issued"),
		duration("jwt_ttl", "Life of a JWT when an issue does not say; 2160h where nothing is set"),
		{Name: "tags", Type: kind.Set, Mode: kind.Follow, Check: check.Tag, Doc: "Such as `team:red`, for `{{tag(team)}}` in the group's scope; they go into the next JWT"},
		destructive("user"),
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`active`, `disabled` or `revoked`"},
		timeouts(),
	}, stamps()...),
}

// The account is the group's, so that a configuration cannot contradict itself.
func createUser(ctx context.Context, env *engine.Env, k *engine.Kind, plan kind.Values, body api.Object) (*api.Answer, error) {
	group, err := engine.Expand("/v1/signing-key-groups/{signing_key_group}", plan)
	if err != nil {
		return nil, err
	}
	found, err := env.Client.Get(ctx, group, nil)
	if err != nil {
		return nil, err
	}
	values := kind.Values{}
	for name, value := range plan {
		values[name] = value
	}
	values["account"] = api.Text(found, "account_id")
	return k.Post(ctx, env, values, body)
}

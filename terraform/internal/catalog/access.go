package catalog

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// ServiceAccount is a principal that is no person.
var ServiceAccount = &engine.Kind{
	Name:         "service_account",
	Doc:          "A service account: who a pipeline is to the API. It has no rights until it gets a role. Destroying it ends its tokens at once.",
	Collection:   "/v1/orgs/{organization}/service-accounts",
	Item:         "/v1/service-accounts/{id}",
	Parent:       Organization,
	ParentAttr:   "organization",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "ServiceAccountCreate", PatchSchema: "ServiceAccountPatch", ObjectSchema: "ServiceAccount",
	Example: "such as acme/ci",
	Attrs: append([]kind.Attr{
		id("`sa_…`"),
		slug("Name, unique in the organisation"),
		organization(),
		description(),
		{Name: "project", Field: "project_id", Type: kind.String, Mode: kind.Optional, Change: kind.Refused, Check: check.ID("proj"), Doc: "Id of the project that its roles are confined to; without it, none",
			Remedy: "Its tokens would end. Add another service account and switch to its tokens."},
		{Name: "disabled", Type: kind.Bool, Mode: kind.Follow, UpdateOnly: true, Doc: "While true all its tokens are refused"},
		{Name: "token_count", Type: kind.Int, Mode: kind.Computed, Volatile: true, Doc: "Tokens that are not revoked"},
		timeouts(),
	}, stamps()...),
}

// APIToken is a secret of a service account.
var APIToken = &engine.Kind{
	Name:         "api_token",
	Doc:          "An API token of a service account. The secret is shown once: store it with `store_in_state`, or better take the ephemeral resource `penstock_api_token`. Destroying it revokes it at once.",
	Collection:   "/v1/service-accounts/{service_account}/tokens",
	Item:         "/v1/tokens/{id}",
	Parent:       ServiceAccount,
	ParentAttr:   "service_account",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "ApiTokenCreate", PatchSchema: "ApiTokenPatch", ObjectSchema: "ApiToken",
	Example:  "such as acme/ci/deploy",
	Shape:    shapeToken,
	Validate: validateToken,
	Plan:     planToken,
	Create:   createToken,
	Fetch:    fetchToken,
	Gone:     isRevoked,
	Change:   changeToken,
	Finish:   finishToken,
	Attrs: append(append([]kind.Attr{
		id("`tok_…`"),
		slug("Name, unique in the service account"),
		{Name: "service_account", Field: "owner_id", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, Check: check.ID("sa"), Doc: "Id of the service account"},
		{Name: "scopes", Type: kind.Set, Mode: kind.Required, Doc: "What the token may do of what its owner may: permissions such as `streams:write`, `*:read` for all reading, `*` for everything"},
		{Name: "projects", Field: "project_ids", Type: kind.Set, Mode: kind.Follow, Check: check.ID("proj"), Doc: "Only what lies in these projects; empty: no limit"},
		{Name: "cidrs", Type: kind.Set, Mode: kind.Follow, Check: check.CIDR, Doc: "Addresses it may come from; empty: any"},
		{Name: "expires_in", Type: kind.Duration, Mode: kind.Optional, Local: true, Min: 60_000_000_000, Max: 8784 * 3_600_000_000_000, Doc: "Life of the token, from its creation or rotation; the server's default is 2160h. Another one rotates"},
		{Name: "disabled", Type: kind.Bool, Mode: kind.Follow, UpdateOnly: true, Doc: "While true it is refused"},
		{Name: "prefix", Type: kind.String, Mode: kind.Computed, Doc: "First characters of the secret, to recognise it by"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`active`, `disabled`, `expired` or `revoked`"},
		{Name: "expires_at", Type: kind.Time, Mode: kind.Computed, Doc: "When it ends"},
		{Name: "last_used_at", Type: kind.Time, Mode: kind.Computed, Volatile: true, Doc: "When it was used last, to the minute"},
		{Name: "rotated_at", Type: kind.Time, Mode: kind.Computed, Local: true, Doc: "When Terraform made its secret"},
		{Name: "secret", Type: kind.String, Mode: kind.Computed, Local: true, Sensitive: true, Doc: "The token itself; null unless store_in_state is set"},
		timeouts(),
	}, rotationAttrs("secret", 72*time.Hour)...), stamps()...),
}

// RoleAssignment gives a role to a principal.
var RoleAssignment = &engine.Kind{
	Name:         "role_assignment",
	Doc:          "A role of a person or a service account, in the whole organisation or in one project. It says nothing about other assignments. It works at once.",
	Collection:   "/v1/orgs/{organization}/role-assignments",
	Item:         "/v1/role-assignments/{id}",
	Parent:       Organization,
	ParentAttr:   "organization",
	Identity:     []string{"id"},
	CreateSchema: "RoleAssignmentCreate", ObjectSchema: "RoleAssignment",
	Example:  "such as acme/ci:developer, acme/ci:developer:proj_01J… or acme/ra_01J…",
	Lookup:   lookupAssignment,
	Readable: readableAssignment,
	Shape:    shapeAssignment,
	Validate: validateAssignment,
	Attrs: []kind.Attr{
		id("`ra_…`"),
		organization(),
		{Name: "principal", Field: "principal_id", Type: kind.String, Mode: kind.Follow, Change: kind.Replaced, Check: check.ID("usrp", "sa"), Doc: "Id of a member (`usrp_…`) or a service account (`sa_…`); or email"},
		{Name: "email", Type: kind.String, Mode: kind.Optional, CreateOnly: true, Change: kind.Replaced, Doc: "E-mail of a member, instead of principal. An import gives the principal: with email in the configuration a new assignment is made"},
		{Name: "role", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, OneOf: []string{"owner", "admin", "developer", "viewer", "billing"}, Doc: "The role"},
		{Name: "project", Field: "project_id", Type: kind.String, Mode: kind.Optional, Change: kind.Replaced, Check: check.ID("proj"), Doc: "Id of the project; without it the role holds in the whole organisation"},
		createdAt(),
		timeouts(),
	},
}

func shapeAssignment(object api.Object) api.Object {
	return with(object, "principal_id", at(object, "principal", "id"))
}

func validateAssignment(config kind.Values) []engine.Fault {
	if (config["principal"] == nil) == (config["email"] == nil) {
		return []engine.Fault{{Attr: "principal", Text: "Set principal or email, one of them."}}
	}
	return nil
}

// lookupAssignment reads "<principal>:<role>[:<project>]"; the principal by id, e-mail or name.
func lookupAssignment(ctx context.Context, env *engine.Env, list, part string) (string, error) {
	words := strings.Split(part, ":")
	if len(words) < 2 {
		return "", nil
	}
	for object, err := range env.Client.Pages(ctx, list, nil) {
		if err != nil {
			return "", err
		}
		name, who := at(object, "principal", "name"), at(object, "principal", "id")
		project := ""
		if len(words) > 2 {
			project = words[2]
		}
		if (words[0] == name || words[0] == who) && api.Text(object, "role") == words[1] && api.Text(object, "project_id") == project {
			return api.Text(object, "id"), nil
		}
	}
	return "", nil
}

func readableAssignment(values kind.Values) string {
	who := textOf(values, "principal")
	if who == "" {
		who = textOf(values, "email")
	}
	if who == "" {
		return ""
	}
	out := who + ":" + textOf(values, "role")
	if project := textOf(values, "project"); project != "" {
		out += ":" + project
	}
	return out
}

func shapeToken(object api.Object) api.Object {
	object = with(object, "owner_id", at(object, "owner", "id"))
	return with(object, "disabled", api.Text(object, "state") == "disabled")
}

func validateToken(config kind.Values) []engine.Fault {
	if list, ok := config["scopes"].([]any); ok && len(list) == 0 {
		return []engine.Fault{{Attr: "scopes", Text: "A token without scopes can do nothing: name at least one."}}
	}
	return nil
}

func planToken(_ context.Context, env *engine.Env, step *engine.PlanStep) error {
	stored := step.Plan["store_in_state"] == true
	if stored {
		step.Warnings = append(step.Warnings, "store_in_state keeps a secret in the state: everybody who can read the state can use it.")
	} else if step.State == nil {
		step.Warnings = append(step.Warnings, "The secret of this token is given to nobody: set store_in_state = true, or use the ephemeral resource penstock_api_token.")
	}
	if step.State != nil {
		since := "rotated_at"
		if step.State[since] == nil {
			since = "created_at"
		}
		if why := dueFor(step, env.Time(), since, "secret", "expires_in"); why != "" {
			open(step, "prefix", "expires_at", "rotated_at", "secret", "state", "updated_at")
			step.Warnings = append(step.Warnings, "The token is rotated: "+why+".")
		}
	}
	if !stored {
		step.Plan["secret"] = nil
	}
	return nil
}

func createToken(ctx context.Context, env *engine.Env, k *engine.Kind, plan kind.Values, body api.Object) (*api.Answer, error) {
	path, err := engine.Expand(k.Collection, plan)
	if err != nil {
		return nil, err
	}
	delete(body, "owner_id")
	lifetime, err := kind.Body([]kind.Attr{{Name: "expires_in", Type: kind.Duration}}, plan)
	if err != nil {
		return nil, err
	}
	if lifetime["expires_in"] != nil {
		body["expires_in"] = lifetime["expires_in"]
	}
	answer, err := tokenCall(ctx, env, path, body, true)
	return answer, k.ExplainExisting(err, plan)
}

func tokenCall(ctx context.Context, env *engine.Env, path string, body api.Object, first bool) (*api.Answer, error) {
	answer, err := engine.MakeToken(ctx, env, path, body, first)
	if err != nil {
		return nil, err
	}
	token, _ := answer.Body["token"].(api.Object)
	answer.Body = with(token, "secret", answer.Body["secret"])
	return answer, nil
}

func isRevoked(object api.Object) bool { return api.Text(object, "state") == "revoked" }

// A revoked token still has its record.
func fetchToken(ctx context.Context, env *engine.Env, state kind.Values) (api.Object, error) {
	path, err := engine.Expand("/v1/tokens/{id}", state)
	if err != nil {
		return nil, err
	}
	token, err := env.Client.Get(ctx, path, nil)
	if err == nil && isRevoked(token) {
		return nil, &api.Problem{Status: http.StatusNotFound, Code: "not_found", Detail: "The token was revoked.", Method: http.MethodGet, Path: path}
	}
	return token, err
}

func changeToken(ctx context.Context, env *engine.Env, k *engine.Kind, state, plan kind.Values, patch api.Object, etag string) (*api.Answer, error) {
	answer := &api.Answer{}
	var err error
	if len(patch) > 0 {
		if answer, err = k.PatchItem(ctx, env, state, patch, etag); err != nil {
			return nil, err
		}
	}
	if !kind.IsUnknown(plan["rotated_at"]) {
		if answer.Body == nil {
			answer.Body, err = fetchToken(ctx, env, state)
		}
		return answer, err
	}
	path, err := engine.Expand("/v1/tokens/{id}/actions/rotate", state)
	if err != nil {
		return nil, err
	}
	body, err := kind.Body([]kind.Attr{{Name: "overlap", Type: kind.Duration}, {Name: "expires_in", Type: kind.Duration}}, plan)
	if err != nil {
		return nil, err
	}
	return tokenCall(ctx, env, path, body, false)
}

func finishToken(values kind.Values, object api.Object) {
	secret, fresh := object["secret"]
	if !fresh {
		return
	}
	values["secret"], values["rotated_at"] = nil, api.Text(object, "updated_at")
	if text, ok := secret.(string); ok && values["store_in_state"] == true {
		values["secret"] = text
	}
}

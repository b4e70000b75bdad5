package catalog

import (
	"context"
	"net/http"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Credential is a JWT that was issued to a user.
var Credential = &engine.Kind{
	Name: "credential",
	Doc: "A JWT issued to a user. Give the public key of an nkey that you made, and nothing secret passes Terraform; or set `store_in_state`. " +
		"To hand a fresh credential on without keeping it use the ephemeral resource `penstock_credential`. " +
		"A rotation issues anew and voids everything that was issued to the user before, after `overlap`.",
	Item:          "/v1/issuances/{id}",
	Parent:        User,
	ParentAttr:    "user",
	Identity:      []string{"id"},
	IdentityMoves: true,
	ObjectSchema:  "Issuance", CreateSchema: "IssueRequest",
	Collection: "/v1/users/{user}/actions/issue",
	List:       "/v1/accounts/{account}/issuances",
	Example:    "such as acme/prod/orders/billing-svc/iss_01J…",
	Validate:   validateCredential,
	Plan:       planCredential,
	Create:     issueCredential,
	Fetch:      fetchCredential,
	Gone:       isVoid,
	Change:     rotateCredential,
	Remove:     revokeCredential,
	Finish:     finishCredential,
	Attrs: append([]kind.Attr{
		id("`iss_…`; a rotation gives a new one"),
		{Name: "user", Field: "user_id", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, Check: check.ID("usr"), Doc: "Id of the user"},
		{Name: "public_key", Field: "user_public_key", Type: kind.String, Mode: kind.Follow, Check: check.UserKey, Doc: "Public user nkey (`U…`) whose seed stays with you. Left out: the server makes a key, and its seed is only in `creds`. Another key rotates"},
		{Name: "ttl", Type: kind.Duration, Mode: kind.Optional, Local: true, Min: 60_000_000_000, Max: 8760 * 3_600_000_000_000, Doc: "Life of the JWT; default: the user's jwt_ttl. Another one rotates"},
		{Name: "revoke_on_destroy", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: true, Doc: "Whether destroying it makes the JWT void"},
		{Name: "account", Field: "account_id", Type: kind.String, Mode: kind.Computed, Doc: "Id of the account"},
		{Name: "jti", Type: kind.String, Mode: kind.Computed, Doc: "Id of the JWT"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Volatile: true, Doc: "`active`, `expired` …"},
		{Name: "issued_at", Type: kind.Time, Mode: kind.Computed, Doc: "When it was issued"},
		{Name: "expires_at", Type: kind.Time, Mode: kind.Computed, Doc: "When it ends"},
		{Name: "jwt", Type: kind.String, Mode: kind.Computed, Local: true, Doc: "The JWT, where public_key is yours (useless without its seed) or store_in_state is set"},
		{Name: "creds", Type: kind.String, Mode: kind.Computed, Local: true, Sensitive: true, Doc: "The whole `.creds` file with the seed; null unless store_in_state is set and the server made the key"},
		timeouts(),
	}, rotationAttrs("creds", 720*time.Hour)...),
}

func validateCredential(config kind.Values) []engine.Fault {
	if config["public_key"] == nil && config["store_in_state"] != true && !kind.IsUnknown(config["store_in_state"]) {
		return []engine.Fault{{Attr: "public_key", Text: "The secret would be lost: give the public_key of your own nkey, or set store_in_state = true, or use the ephemeral resource penstock_credential."}}
	}
	return nil
}

func planCredential(_ context.Context, env *engine.Env, step *engine.PlanStep) error {
	stored := step.Plan["store_in_state"] == true
	if stored {
		step.Warnings = append(step.Warnings, "store_in_state keeps a secret in the state: everybody who can read the state can connect with it.")
	}
	if step.State != nil {
		if why := dueFor(step, env.Time(), "issued_at", "creds", "ttl", "public_key"); why != "" && (step.Config["public_key"] == nil || why != storedReason) {
			open(step, "id", "jti", "state", "issued_at", "expires_at", "jwt", "creds")
			if step.Config["public_key"] == nil {
				open(step, "public_key")
			}
			step.Warnings = append(step.Warnings, "The credential is rotated: "+why+".")
		}
	}
	if !stored || step.Config["public_key"] != nil {
		step.Plan["creds"] = nil
	}
	if !stored && step.Config["public_key"] == nil {
		step.Plan["jwt"] = nil
	}
	return nil
}

const storedReason = "it is to be kept in the state, where it is not yet"

func issueCredential(ctx context.Context, env *engine.Env, _ *engine.Kind, plan kind.Values, _ api.Object) (*api.Answer, error) {
	return issue(ctx, env, "/v1/users/{user}/actions/issue", plan, plan, false)
}

func rotateCredential(ctx context.Context, env *engine.Env, _ *engine.Kind, state, plan kind.Values, _ api.Object, _ string) (*api.Answer, error) {
	if !kind.IsUnknown(plan["id"]) {
		object, err := fetchCredential(ctx, env, state)
		return &api.Answer{Body: object}, err
	}
	return issue(ctx, env, "/v1/users/{user}/actions/rotate", state, plan, true)
}

func issue(ctx context.Context, env *engine.Env, template string, address, plan kind.Values, rotate bool) (*api.Answer, error) {
	path, err := engine.Expand(template, address)
	if err != nil {
		return nil, err
	}
	attrs := []kind.Attr{{Name: "public_key"}, {Name: "ttl", Type: kind.Duration}}
	if rotate {
		attrs = append(attrs, kind.Attr{Name: "overlap", Type: kind.Duration})
	}
	body, err := kind.Body(attrs, plan)
	if err != nil {
		return nil, err
	}
	answer, err := engine.Issue(ctx, env, path, body, !rotate)
	if err != nil {
		return nil, err
	}
	issuance, _ := answer.Body["issuance"].(api.Object)
	issuance = with(issuance, "creds", answer.Body["creds"])
	answer.Body = with(issuance, "jwt", answer.Body["jwt"])
	return answer, nil
}

// isVoid tells of an issue that was revoked or came to nothing.
func isVoid(object api.Object) bool {
	return isRevoked(object) || api.Text(object, "state") == "failed"
}

func fetchCredential(ctx context.Context, env *engine.Env, state kind.Values) (api.Object, error) {
	path, err := engine.Expand("/v1/issuances/{id}", state)
	if err != nil {
		return nil, err
	}
	issuance, err := env.Client.Get(ctx, path, nil)
	if err == nil && isRevoked(issuance) {
		return nil, &api.Problem{Status: http.StatusNotFound, Code: "not_found", Detail: "The credential was revoked.", Method: http.MethodGet, Path: path}
	}
	return issuance, err
}

func revokeCredential(ctx context.Context, env *engine.Env, state kind.Values, _ string) error {
	if state["revoke_on_destroy"] == false {
		return nil
	}
	path, err := engine.Expand("/v1/issuances/{id}/actions/revoke", state)
	if err != nil {
		return err
	}
	_, err = env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: path, Body: api.Object{"reason": "destroyed by Terraform"}, Key: engine.RandomKey()})
	return err
}

func finishCredential(values kind.Values, object api.Object) {
	if _, fresh := object["creds"]; !fresh {
		return
	}
	values["creds"], values["jwt"] = nil, nil
	creds, jwt := api.Text(object, "creds"), api.Text(object, "jwt")
	if values["store_in_state"] == true && creds != "" {
		values["creds"] = creds
	}
	if (values["store_in_state"] == true || creds == "") && jwt != "" {
		values["jwt"] = jwt
	}
}

package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// UserRevocation voids JWTs by key.
var UserRevocation = &engine.Kind{
	Name:         "user_revocation",
	Ref:          "public_key",
	Doc:          "Voids the JWTs of one user key, or of all, that were issued before a time. It cannot be destroyed while a JWT lives that would be good again.",
	Collection:   "/v1/accounts/{account}/revocations",
	Item:         "/v1/accounts/{account}/revocations/{public_key}",
	Parent:       Account,
	ParentAttr:   "account",
	ByName:       true,
	NameAttr:     "public_key",
	Identity:     []string{"account", "public_key"},
	CreateSchema: "RevocationCreate", ObjectSchema: "Revocation",
	Example:      "such as acme/prod/orders/UABC…",
	GuardDestroy: guardRevocation,
	Attrs: []kind.Attr{
		{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "`<account id>/<public key>`"},
		account(kind.Refused, "revocation"),
		{Name: "public_key", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Check: check.UserKeyOrAll, Remedy: "Add a revocation for the other key.", Doc: "Public user nkey, or `*`"},
		{Name: "before", Type: kind.Time, Mode: kind.Follow, Change: kind.Refused, Remedy: "A revocation is not moved: what it voids stays void.", Doc: "JWTs issued until then are void; default: the time of creation"},
		{Name: "reason", Type: kind.String, Mode: kind.Follow, Change: kind.Refused, Remedy: "The reason stays as it was given.", Doc: "Why"},
		{Name: "valid_until", Type: kind.Time, Mode: kind.Computed, Volatile: true, Doc: "Until then a JWT lives that would be good again without this; null when none does"},
		createdAt(),
		timeouts(),
	},
}

func guardRevocation(ctx context.Context, env *engine.Env, state kind.Values) error {
	path, err := engine.Expand("/v1/accounts/{account}/revocations/{public_key}", state)
	if err != nil {
		return err
	}
	revocation, err := env.Client.Get(ctx, path, nil)
	if api.IsGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	until, err := time.Parse(time.RFC3339, api.Text(revocation, "valid_until"))
	if err == nil && until.After(env.Time()) {
		return fmt.Errorf("until %s a JWT lives that would be good again without this revocation. Keep it until then, or forget it with `terraform state rm`", until.Format(time.RFC3339))
	}
	return nil
}

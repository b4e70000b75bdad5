package engine

import (
	"context"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Refresh is open to the tests outside of this package, which use the catalog.
func Refresh(ctx context.Context, env *Env, k *Kind, state kind.Values) (api.Object, error) {
	return k.refresh(ctx, env, state)
}

// Package ephemerals holds what lives for one run of Terraform only, and is in no plan or state.
package ephemerals

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// All ephemeral resources.
func All() []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return &nkey{} },
		func() ephemeral.EphemeralResource { return &credential{} },
		func() ephemeral.EphemeralResource { return &apiToken{} },
	}
}

// base holds the client.
type base struct{ env *engine.Env }

func (b *base) Configure(_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	if env, ok := req.ProviderData.(*engine.Env); ok {
		b.env = env
	}
}

// lease is what Close has to end; it stays in the provider's private data, which is not stored.
type lease struct {
	Path string `json:"path"`
	// Method of the call that ends it.
	Method string `json:"method"`
}

const leaseKey = "lease"

func (b *base) end(ctx context.Context, held []byte) error {
	var l lease
	if json.Unmarshal(held, &l) != nil || l.Path == "" {
		return nil
	}
	call := api.Call{Method: l.Method, Path: l.Path}
	if l.Method == http.MethodPost {
		call.Key = engine.RandomKey()
		call.Body = api.Object{"reason": "lease of a Terraform run ended"}
	}
	_, err := b.env.Client.Do(ctx, call)
	if api.IsGone(err) {
		return nil
	}
	return err
}

// close ends the lease, or says under the title that it goes on.
func (b *base) close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse, title string) {
	held, diags := req.Private.GetKey(ctx, leaseKey)
	resp.Diagnostics.Append(diags...)
	if err := b.end(ctx, held); err != nil {
		resp.Diagnostics.AddError(title, "It could not be revoked: "+err.Error())
	}
}

// ttlOf is a lease's life: what is asked for, or ten minutes.
func ttlOf(value quantity.Value) string {
	if nanos, err := quantity.ParseDuration(value.ValueString()); err == nil {
		return quantity.FormatDuration(nanos)
	}
	return "10m"
}

func escaped(id string) string { return url.PathEscape(id) }

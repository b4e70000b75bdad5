package ephemerals

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// apiToken is a token for the run.
type apiToken struct{ base }

var (
	_ ephemeral.EphemeralResourceWithConfigure = &apiToken{}
	_ ephemeral.EphemeralResourceWithClose     = &apiToken{}
)

type apiTokenModel struct {
	ServiceAccount types.String   `tfsdk:"service_account"`
	Scopes         types.Set      `tfsdk:"scopes"`
	Projects       types.Set      `tfsdk:"projects"`
	TTL            quantity.Value `tfsdk:"ttl"`
	RevokeOnClose  types.Bool     `tfsdk:"revoke_on_close"`
	ID             types.String   `tfsdk:"id"`
	Secret         types.String   `tfsdk:"secret"`
	ExpiresAt      types.String   `tfsdk:"expires_at"`
}

func (*apiToken) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_api_token"
}

func (*apiToken) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A token of a service account for the time of the run: in no plan and no state, revoked when the run is over. Made at plan and at apply, under a name that begins with `tf-`.",
		Attributes: map[string]schema.Attribute{
			"service_account": schema.StringAttribute{Required: true, MarkdownDescription: "Id of the service account."},
			"scopes":          schema.SetAttribute{Required: true, ElementType: types.StringType, MarkdownDescription: "What it may do, such as `streams:write`, `*:read`."},
			"projects":        schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Ids of the projects it is limited to; without it, none."},
			"ttl":             schema.StringAttribute{Optional: true, CustomType: quantity.Type{Unit: quantity.Time}, MarkdownDescription: "Its life. Default `10m`; take it as long as the run may be."},
			"revoke_on_close": schema.BoolAttribute{Optional: true, MarkdownDescription: "Revoke it when the run is over. Default true."},
			"id":              schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the token."},
			"secret":          schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The token."},
			"expires_at":      schema.StringAttribute{Computed: true, MarkdownDescription: "When it ends."},
		},
	}
}

func (a *apiToken) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model apiTokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := a.env.Ready(); err != nil {
		resp.Diagnostics.AddError("The provider cannot call Penstock", err.Error())
		return
	}
	var scopes, projects []string
	resp.Diagnostics.Append(model.Scopes.ElementsAs(ctx, &scopes, false)...)
	if !model.Projects.IsNull() {
		resp.Diagnostics.Append(model.Projects.ElementsAs(ctx, &projects, false)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	body := api.Object{"name": "tf-" + strings.ToLower(rand.Text()[:16]), "scopes": scopes, "expires_in": ttlOf(model.TTL)}
	if len(projects) > 0 {
		body["project_ids"] = projects
	}
	answer, err := engine.MakeToken(ctx, a.env, "/v1/service-accounts/"+escaped(model.ServiceAccount.ValueString())+"/tokens", body, false)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("service_account"), "Cannot make a token", err.Error())
		return
	}
	token, _ := answer.Body["token"].(api.Object)
	model.ID, model.Secret, model.ExpiresAt = orNull(token, "id"), orNull(answer.Body, "secret"), orNull(token, "expires_at")
	if model.RevokeOnClose.IsNull() || model.RevokeOnClose.ValueBool() {
		held, _ := json.Marshal(lease{Method: http.MethodDelete, Path: "/v1/tokens/" + escaped(model.ID.ValueString())})
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, leaseKey, held)...)
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}

func (a *apiToken) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	a.close(ctx, req, resp, "The token is still good")
}

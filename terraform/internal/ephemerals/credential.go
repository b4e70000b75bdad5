package ephemerals

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// credential issues to a user: for the run only, or once for a secret store.
type credential struct{ base }

var (
	_ ephemeral.EphemeralResourceWithConfigure      = &credential{}
	_ ephemeral.EphemeralResourceWithClose          = &credential{}
	_ ephemeral.EphemeralResourceWithValidateConfig = &credential{}
)

type credentialModel struct {
	User          types.String   `tfsdk:"user"`
	Mode          types.String   `tfsdk:"mode"`
	IssueKey      types.String   `tfsdk:"issue_key"`
	TTL           quantity.Value `tfsdk:"ttl"`
	RevokeOnClose types.Bool     `tfsdk:"revoke_on_close"`
	Creds         types.String   `tfsdk:"creds"`
	JWT           types.String   `tfsdk:"jwt"`
	PublicKey     types.String   `tfsdk:"public_key"`
	Issuance      types.String   `tfsdk:"issuance"`
	ExpiresAt     types.String   `tfsdk:"expires_at"`
}

const (
	leaseMode    = "lease"
	detachedMode = "detached"
)

func (*credential) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_credential"
}

func (*credential) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A credential of a user that is in no plan and no state. " +
			"`mode = \"lease\"` is for use during the run: issued at plan and at apply, revoked when the run is over. " +
			"`mode = \"detached\"` is for handing on to a secret store: issued once for each `issue_key`, ever; every later opening gives `creds = null`. " +
			"Terraform opens ephemeral resources at plan too, and does not say which it is: let `issue_key` come from a resource that is replaced with each new version " +
			"(such as the `id` of a `terraform_data` with `triggers_replace`), so that it is unknown at plan and the opening waits for the apply.",
		Attributes: map[string]schema.Attribute{
			"user":      schema.StringAttribute{Required: true, MarkdownDescription: "Id of the user."},
			"mode":      schema.StringAttribute{Optional: true, MarkdownDescription: "`lease` (default) or `detached`."},
			"issue_key": schema.StringAttribute{Optional: true, MarkdownDescription: "Detached only, and needed there: at most one JWT is issued for it."},
			"ttl": schema.StringAttribute{Optional: true, CustomType: quantity.Type{Unit: quantity.Time},
				MarkdownDescription: "Life of the JWT. Lease: default `10m`; it is not renewed, so take it as long as the run may be. Detached: default the user's jwt_ttl."},
			"revoke_on_close": schema.BoolAttribute{Optional: true, MarkdownDescription: "Lease only: void the JWT when the run is over. Default true."},
			"creds":           schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "Whole text of the `.creds` file; null when the issue key was used before."},
			"jwt":             schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The JWT; null when the issue key was used before."},
			"public_key":      schema.StringAttribute{Computed: true, MarkdownDescription: "Public key of the user nkey."},
			"issuance":        schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the issuance."},
			"expires_at":      schema.StringAttribute{Computed: true, MarkdownDescription: "When it ends."},
		},
	}
}

func (*credential) ValidateConfig(ctx context.Context, req ephemeral.ValidateConfigRequest, resp *ephemeral.ValidateConfigResponse) {
	var model credentialModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || model.Mode.IsUnknown() {
		return
	}
	switch mode := model.Mode.ValueString(); {
	case mode != "" && mode != leaseMode && mode != detachedMode:
		resp.Diagnostics.AddAttributeError(path.Root("mode"), "Invalid mode", "Set mode to \"lease\" or \"detached\".")
	case mode == detachedMode && model.IssueKey.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("issue_key"), "No issue_key", "A detached credential is issued once for each issue_key: set it.")
	case mode != detachedMode && !model.IssueKey.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("issue_key"), "Invalid issue_key", "Only with mode = \"detached\".")
	case mode == detachedMode && !model.RevokeOnClose.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("revoke_on_close"), "Invalid revoke_on_close", "Only with mode = \"lease\": a detached credential stays.")
	}
}

func (c *credential) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model credentialModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := c.env.Ready(); err != nil {
		resp.Diagnostics.AddError("The provider cannot call Penstock", err.Error())
		return
	}
	detached := model.Mode.ValueString() == detachedMode
	body := api.Object{}
	if !model.TTL.IsNull() || !detached {
		body["ttl"] = ttlOf(model.TTL)
	}
	if detached {
		body["issue_key"] = model.IssueKey.ValueString()
	}
	answer, err := engine.Issue(ctx, c.env, "/v1/users/"+escaped(model.User.ValueString())+"/actions/issue", body, false)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("user"), "Cannot issue", err.Error())
		return
	}
	issuance, _ := answer.Body["issuance"].(api.Object)
	id := api.Text(issuance, "id")
	model.Creds, model.JWT = orNull(answer.Body, "creds"), orNull(answer.Body, "jwt")
	model.PublicKey, model.ExpiresAt, model.Issuance = orNull(issuance, "user_public_key"), orNull(issuance, "expires_at"), types.StringValue(id)
	if !detached && (model.RevokeOnClose.IsNull() || model.RevokeOnClose.ValueBool()) {
		held, _ := json.Marshal(lease{Method: http.MethodPost, Path: "/v1/issuances/" + escaped(id) + "/actions/revoke"})
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, leaseKey, held)...)
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}

func (c *credential) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	c.close(ctx, req, resp, "The credential is still good")
}

func orNull(object api.Object, field string) types.String {
	if text := api.Text(object, field); text != "" {
		return types.StringValue(text)
	}
	return types.StringNull()
}

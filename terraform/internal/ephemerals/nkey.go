package ephemerals

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/nats-io/nkeys"
)

// nkey makes a fresh key pair in the provider; nothing is sent anywhere.
type nkey struct{ base }

type nkeyModel struct {
	Type      types.String `tfsdk:"type"`
	PublicKey types.String `tfsdk:"public_key"`
	Seed      types.String `tfsdk:"seed"`
}

func (*nkey) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_nkey"
}

func (*nkey) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A fresh nkey pair, another one at each opening: at plan and again at apply. Hand both halves to write-only arguments that change together.",
		Attributes: map[string]schema.Attribute{
			"type":       schema.StringAttribute{Optional: true, MarkdownDescription: "`user` (default) or `account`."},
			"public_key": schema.StringAttribute{Computed: true, MarkdownDescription: "Public key."},
			"seed":       schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "Seed: the secret."},
		},
	}
}

func (*nkey) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model nkeyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	prefix := nkeys.PrefixByteUser
	switch model.Type.ValueString() {
	case "", "user":
	case "account":
		prefix = nkeys.PrefixByteAccount
	default:
		resp.Diagnostics.AddError("Invalid type", "Set type to \"user\" or \"account\".")
		return
	}
	pair, err := nkeys.CreatePair(prefix)
	if err != nil {
		resp.Diagnostics.AddError("Cannot make a key", err.Error())
		return
	}
	defer pair.Wipe()
	public, errPublic := pair.PublicKey()
	seed, errSeed := pair.Seed()
	if errPublic != nil || errSeed != nil {
		resp.Diagnostics.AddError("Cannot make a key", "The pair cannot be written.")
		return
	}
	model.PublicKey, model.Seed = types.StringValue(public), types.StringValue(string(seed))
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}

// Package provider is the Terraform provider of Penstock: configuration, and the lists of what it offers.
package provider

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/penstock/terraform-provider-penstock/internal/actions"
	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/ephemerals"
	"github.com/penstock/terraform-provider-penstock/internal/functions"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

const (
	defaultRetries = 6
	defaultTimeout = 60 * time.Second
)

type penstock struct{ version string }

var (
	_ provider.Provider                       = &penstock{}
	_ provider.ProviderWithFunctions          = &penstock{}
	_ provider.ProviderWithEphemeralResources = &penstock{}
	_ provider.ProviderWithActions            = &penstock{}
	_ provider.ProviderWithListResources      = &penstock{}
	_ provider.ProviderWithValidateConfig     = &penstock{}
)

// New gives the constructor of the provider.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &penstock{version: version} }
}

func (p *penstock) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = "penstock", p.version
}

func (p *penstock) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Projects, accounts, credentials, streams and sharing of Penstock.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{Optional: true, MarkdownDescription: "Origin of the API, such as `https://api.example.com`. Default: `PENSTOCK_ENDPOINT`."},
			"token": schema.StringAttribute{Optional: true, Sensitive: true,
				MarkdownDescription: "API token (`pst_…`), best of a service account. Default: `PENSTOCK_TOKEN`. Never write it into a file."},
			"organization": schema.StringAttribute{Optional: true, MarkdownDescription: "Id of the organisation of resources that name none. Default: `PENSTOCK_ORG`, else the only one that the token works in."},
			"project":      schema.StringAttribute{Optional: true, MarkdownDescription: "Id of the project of accounts that name none. Default: `PENSTOCK_PROJECT`."},
			"max_retries":  schema.Int64Attribute{Optional: true, MarkdownDescription: "How often a call is repeated after 429, 503 or a lost connection. Default `6`."},
			"request_timeout": schema.StringAttribute{Optional: true, CustomType: quantity.Type{Unit: quantity.Time},
				MarkdownDescription: "Longest time of one attempt. Default `\"60s\"`."},
			"default_labels": schema.MapAttribute{Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Put into the broker's metadata of streams, consumers and buckets when they are made and when their `metadata` changes; their own values win. They do not show in `metadata`."},
		},
	}
}

type config struct {
	Endpoint       types.String   `tfsdk:"endpoint"`
	Token          types.String   `tfsdk:"token"`
	Organization   types.String   `tfsdk:"organization"`
	Project        types.String   `tfsdk:"project"`
	MaxRetries     types.Int64    `tfsdk:"max_retries"`
	RequestTimeout quantity.Value `tfsdk:"request_timeout"`
	DefaultLabels  types.Map      `tfsdk:"default_labels"`
}

func (p *penstock) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var given config
	resp.Diagnostics.Append(req.Config.Get(ctx, &given)...)
	if given.MaxRetries.ValueInt64() < 0 {
		resp.Diagnostics.AddAttributeError(path.Root("max_retries"), "Invalid max_retries", "Write 0, to repeat nothing, or more.")
	}
	if nanos, err := quantity.ParseDuration(given.RequestTimeout.ValueString()); err == nil && nanos <= 0 {
		resp.Diagnostics.AddAttributeError(path.Root("request_timeout"), "Invalid request_timeout", "An attempt needs more than no time: write a duration such as \"60s\".")
	}
}

func (p *penstock) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var given config
	resp.Diagnostics.Append(req.Config.Get(ctx, &given)...)
	if resp.Diagnostics.HasError() {
		return
	}
	env := &engine.Env{
		Organization: textOr(given.Organization, "PENSTOCK_ORG"),
		Project:      textOr(given.Project, "PENSTOCK_PROJECT"),

		OrganizationLater: given.Organization.IsUnknown(), ProjectLater: given.Project.IsUnknown(),
	}
	if !given.DefaultLabels.IsNull() && !given.DefaultLabels.IsUnknown() {
		resp.Diagnostics.Append(given.DefaultLabels.ElementsAs(ctx, &env.Labels, false)...)
	}
	endpoint, token := textOr(given.Endpoint, "PENSTOCK_ENDPOINT"), textOr(given.Token, "PENSTOCK_TOKEN")
	switch {
	case given.Endpoint.IsUnknown() || given.Token.IsUnknown():
		// What another resource of the same apply gives is there when the first call needs it.
		env.Problem = fmt.Errorf("endpoint or token of the provider is known only after apply: apply what gives it first, with -target")
	case endpoint == "":
		resp.Diagnostics.AddAttributeError(path.Root("endpoint"), "No endpoint", "Set `endpoint` on the provider, or PENSTOCK_ENDPOINT.")
	case token == "":
		resp.Diagnostics.AddAttributeError(path.Root("token"), "No token", "Set PENSTOCK_TOKEN to an API token, or `token` on the provider from a variable.")
	default:
		client, err := p.client(endpoint, token, req.TerraformVersion, given)
		if err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("endpoint"), "Invalid endpoint", err.Error())
		}
		env.Client = client
	}
	if resp.Diagnostics.HasError() {
		return
	}
	tflog.Debug(ctx, "configured", map[string]any{"endpoint": endpoint, "organization": env.Organization, "project": env.Project})
	resp.ResourceData, resp.DataSourceData, resp.EphemeralResourceData, resp.ActionData, resp.ListResourceData = env, env, env, env, env
}

func (p *penstock) client(endpoint, token, terraform string, given config) (*api.Client, error) {
	retries, timeout := defaultRetries, defaultTimeout
	if !given.MaxRetries.IsNull() && !given.MaxRetries.IsUnknown() {
		retries = int(given.MaxRetries.ValueInt64())
	}
	if nanos, err := quantity.ParseDuration(given.RequestTimeout.ValueString()); err == nil && nanos > 0 {
		timeout = time.Duration(nanos)
	}
	return api.New(api.Config{
		Endpoint: endpoint, Token: token, MaxRetries: retries, Timeout: timeout,
		UserAgent: "terraform/" + terraform + " terraform-provider-penstock/" + p.version,
	})
}

// textOr takes the variable only where the configuration says nothing; what it says later is not what the variable says.
func textOr(given types.String, variable string) string {
	if given.IsNull() {
		return os.Getenv(variable)
	}
	return given.ValueString()
}

func (p *penstock) Resources(context.Context) []func() resource.Resource {
	var out []func() resource.Resource
	for _, k := range catalog.All() {
		out = append(out, engine.NewResource(k))
	}
	return out
}

func (p *penstock) ListResources(context.Context) []func() list.ListResource {
	var out []func() list.ListResource
	for _, k := range catalog.All() {
		out = append(out, engine.NewList(k))
	}
	return out
}

func (p *penstock) DataSources(context.Context) []func() datasource.DataSource {
	var out []func() datasource.DataSource
	for _, data := range catalog.Data() {
		out = append(out, engine.NewDataSource(data))
	}
	return out
}

func (p *penstock) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return ephemerals.All()
}

func (p *penstock) Actions(context.Context) []func() action.Action { return actions.All() }

func (p *penstock) Functions(context.Context) []func() function.Function { return functions.All() }

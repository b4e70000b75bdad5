package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

type listResource struct {
	kind *Kind
	env  *Env
}

var _ list.ListResourceWithConfigure = &listResource{}

// NewList gives the constructor of the list resource of a kind.
func NewList(k *Kind) func() list.ListResource {
	return func() list.ListResource { return &listResource{kind: k} }
}

func (l *listResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.kind.Name
}

func (l *listResource) path() string {
	if l.kind.List != "" {
		return l.kind.List
	}
	return l.kind.Collection
}

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	attributes := map[string]listschema.Attribute{}
	for _, name := range places(l.path()) {
		optional := name == "organization" || name == "project"
		doc := "Where to look: id of the " + strings.ReplaceAll(name, "_", " ")
		if name == "stream" || name == "bucket" {
			doc = "Where to look: name of the " + name
		}
		if optional {
			doc += "; default: the provider's"
		}
		attributes[name] = listschema.StringAttribute{Required: !optional, Optional: optional, MarkdownDescription: doc + "."}
	}
	resp.Schema = listschema.Schema{MarkdownDescription: "Lists objects for `terraform query`, to import them in bulk.", Attributes: attributes}
}

func (l *listResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if env, ok := req.ProviderData.(*Env); ok {
		l.env = env
	}
}

func (l *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	fail := func(err error) {
		stream.Results = list.ListResultsStreamDiagnostics(diag.Diagnostics{diag.NewErrorDiagnostic("Cannot list "+l.kind.TypeName(), err.Error())})
	}
	if err := l.env.Ready(); err != nil {
		fail(err)
		return
	}
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err != nil {
		fail(err)
		return
	}
	refs, err := (&Kind{Collection: l.path()}).parents(ctx, l.env, config)
	if err != nil {
		fail(err)
		return
	}
	path, err := Expand(l.path(), refs)
	if err != nil {
		fail(err)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		count := int64(0)
		for object, err := range l.env.Client.Pages(ctx, path, nil) {
			if err == nil && l.kind.Gone != nil && l.kind.Gone(object) {
				continue
			}
			if err == nil && req.Limit > 0 && count >= req.Limit {
				return
			}
			count++
			result := req.NewListResult(ctx)
			if err != nil {
				result.Diagnostics.AddError("Cannot list "+l.kind.TypeName(), err.Error())
			} else {
				l.fill(ctx, req, &result, object, refs)
			}
			if !push(result) || err != nil {
				return
			}
		}
	}
}

func (l *listResource) fill(ctx context.Context, req list.ListRequest, result *list.ListResult, object api.Object, refs kind.Values) {
	values := l.kind.read(object, refs)
	l.kind.localDefaults(values)
	result.DisplayName = fmt.Sprint(values["id"])
	if name, ok := values[l.kind.nameAttr()].(string); ok {
		result.DisplayName = name
	}
	raw, err := kind.ToTerraform(result.Identity.Schema.Type().TerraformType(ctx), pick(values, l.kind.Identity))
	if err != nil {
		result.Diagnostics.AddError("The identity does not fit the schema", err.Error())
		return
	}
	result.Identity.Raw = raw
	if !req.IncludeResource || result.Resource == nil {
		return
	}
	if result.Resource.Raw, err = kind.ToTerraform(result.Resource.Schema.Type().TerraformType(ctx), values); err != nil {
		result.Diagnostics.AddError("The answer does not fit the schema", err.Error())
	}
}

package engine

import (
	"context"
	"fmt"
	"net/url"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Data is a data source: attributes, and how their values are found.
type Data struct {
	// Name without the provider's prefix.
	Name  string
	Doc   string
	Attrs []kind.Attr
	// Load gives all values for those that the configuration sets.
	Load func(ctx context.Context, env *Env, config kind.Values) (kind.Values, error)
	// Validate the configuration.
	Validate func(config kind.Values) []Fault
}

type dataSource struct {
	data *Data
	env  *Env
}

var (
	_ datasource.DataSourceWithConfigure      = &dataSource{}
	_ datasource.DataSourceWithValidateConfig = &dataSource{}
)

// NewDataSource gives the constructor that the provider lists.
func NewDataSource(data *Data) func() datasource.DataSource {
	return func() datasource.DataSource { return &dataSource{data: data} }
}

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.data.Name
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: d.data.Doc, Attributes: kind.DataSchema(d.data.Attrs)}
}

func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if env, ok := req.ProviderData.(*Env); ok {
		d.env = env
	}
}

func (d *dataSource) ValidateConfig(_ context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err != nil || d.data.Validate == nil {
		return
	}
	for _, fault := range d.data.Validate(config) {
		resp.Diagnostics.Append(diag.NewErrorDiagnostic("Invalid "+fault.Attr, fault.Text))
	}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err == nil {
		err = d.env.Ready()
	}
	if err != nil {
		resp.Diagnostics.AddError("The provider cannot call Penstock", err.Error())
		return
	}
	values, err := d.data.Load(ctx, d.env, config)
	if err != nil {
		resp.Diagnostics.AddError("Cannot read penstock_"+d.data.Name, err.Error())
		return
	}
	raw, err := kind.ToTerraform(resp.State.Schema.Type().TerraformType(ctx), values)
	if err != nil {
		resp.Diagnostics.AddError("The answer does not fit the schema", err.Error())
		return
	}
	resp.State.Raw = raw
}

// DataOf reads one object of a kind, by id or by name.
func DataOf(k *Kind, doc string, extra ...kind.Attr) *Data {
	seen := &Kind{Name: k.Name, Attrs: append(kind.Observed(k.Attrs), extra...), Item: k.Item, Collection: k.Collection, Parent: k.Parent,
		ParentAttr: k.ParentAttr, NameField: k.NameField, ByName: k.ByName, NameAttr: k.NameAttr, Ref: k.Ref, Shape: k.Shape, Fetch: k.Fetch}
	asked := map[string]kind.Mode{"id": kind.Follow, "name": kind.Follow, k.ParentAttr: kind.Follow}
	if k.ByName {
		asked = map[string]kind.Mode{}
		for _, name := range places(k.Item) {
			asked[name] = kind.Required
		}
	}
	for i, a := range seen.Attrs {
		if mode, ok := asked[a.Name]; ok {
			seen.Attrs[i].Mode = mode
		}
	}
	load := func(ctx context.Context, env *Env, config kind.Values) (kind.Values, error) {
		address, err := seen.address(ctx, env, config)
		if err != nil {
			return nil, err
		}
		object, err := seen.fetch(ctx, env, address)
		if err != nil {
			return nil, err
		}
		return seen.read(object, address), nil
	}
	validate := func(config kind.Values) []Fault {
		if !k.ByName && config["id"] == nil && config["name"] == nil && k.Name != "organization" {
			return []Fault{{Attr: "id", Text: "Set id or name."}}
		}
		return nil
	}
	return &Data{Name: k.Name, Doc: doc, Attrs: seen.Attrs, Load: load, Validate: validate}
}

func (k *Kind) address(ctx context.Context, env *Env, config kind.Values) (kind.Values, error) {
	if k.ByName {
		values := kind.Values{}
		for _, name := range places(k.Item) {
			values[name] = config[name]
		}
		return values, nil
	}
	if id, ok := config["id"].(string); ok {
		return kind.Values{"id": id}, nil
	}
	refs, err := k.parents(ctx, env, config)
	if err != nil {
		return nil, err
	}
	name, _ := config["name"].(string)
	if name == "" {
		// Only the own organisation is found without a name.
		organization, err := env.OrganizationID(ctx)
		return kind.Values{"id": organization}, err
	}
	if err = k.locate(ctx, env, refs, name); err != nil {
		return nil, err
	}
	return kind.Values{"id": refs[k.ref()]}, nil
}

// parents gives what the collection's path needs, from the configuration or the provider's defaults.
func (k *Kind) parents(ctx context.Context, env *Env, config kind.Values) (kind.Values, error) {
	refs := kind.Values{}
	for _, name := range places(k.Collection) {
		if text, ok := config[name].(string); ok && text != "" {
			refs[name] = text
			continue
		}
		switch name {
		case "organization":
			organization, err := env.OrganizationID(ctx)
			if err != nil {
				return nil, err
			}
			refs[name] = organization
		case "project":
			if env.Project == "" {
				return nil, fmt.Errorf("no project: set `project` here, or on the provider")
			}
			refs[name] = env.Project
		default:
			return nil, fmt.Errorf("set `%s`", name)
		}
	}
	return refs, nil
}

// ListOf reads all objects of a kind below a parent.
func ListOf(k *Kind, plural, doc string, extra ...kind.Attr) *Data {
	item := append(kind.Observed(k.Attrs), extra...)
	seen := &Kind{Name: k.Name, Attrs: item, Item: k.Item, ByName: k.ByName, NameAttr: k.NameAttr, Shape: k.Shape}
	var attrs []kind.Attr
	for _, name := range places(k.Collection) {
		mode, from := kind.Required, ""
		if name == "organization" || name == "project" {
			mode, from = kind.Follow, "; default: the provider's"
		}
		attrs = append(attrs, kind.Attr{Name: name, Type: kind.String, Mode: mode, Doc: "Whose " + plural + ": id of the " + name + from})
		if name == "stream" {
			attrs[len(attrs)-1].Doc = "Name of the stream"
		}
	}
	attrs = append(attrs, kind.Attr{Name: plural, Type: kind.Objects, Mode: kind.Computed, Doc: "What was found", Attrs: item})
	load := func(ctx context.Context, env *Env, config kind.Values) (kind.Values, error) {
		refs, err := k.parents(ctx, env, config)
		if err != nil {
			return nil, err
		}
		path, err := Expand(k.Collection, refs)
		if err != nil {
			return nil, err
		}
		found := []any{}
		for object, err := range env.Client.Pages(ctx, path, nil) {
			if err != nil {
				return nil, err
			}
			found = append(found, seen.read(object, refs))
		}
		out := kind.Values{plural: found}
		for name, value := range refs {
			out[name] = value
		}
		return out, nil
	}
	return &Data{Name: plural, Doc: doc, Attrs: attrs, Load: load}
}

// PlainData reads one address with attributes as query.
func PlainData(name, doc, address string, query map[string]string, attrs []kind.Attr) *Data {
	load := func(ctx context.Context, env *Env, config kind.Values) (kind.Values, error) {
		k := &Kind{Collection: address, Attrs: attrs}
		refs, err := k.parents(ctx, env, config)
		if err != nil {
			return nil, err
		}
		path, err := Expand(address, refs)
		if err != nil {
			return nil, err
		}
		asked := url.Values{}
		for attr, parameter := range query {
			if text, ok := config[attr].(string); ok {
				asked.Set(parameter, text)
			}
		}
		object, err := env.Client.Get(ctx, path, asked)
		if err != nil {
			return nil, err
		}
		values := kind.Read(attrs, object, config)
		for name, value := range refs {
			values[name] = value
		}
		for attr := range query {
			if config[attr] != nil {
				values[attr] = config[attr]
			}
		}
		return values, nil
	}
	return &Data{Name: name, Doc: doc, Attrs: attrs, Load: load}
}

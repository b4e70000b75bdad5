package kind

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// DataSchema builds the attributes of a data source; only Required and Optional ones may be set.
func DataSchema(attrs []Attr) map[string]schema.Attribute {
	out := make(map[string]schema.Attribute, len(attrs))
	for _, a := range attrs {
		out[a.Name] = dataAttribute(a)
	}
	return out
}

// Observed takes what a resource has and gives it as a data source shows it: all computed, without the provider's own.
func Observed(attrs []Attr) []Attr {
	var out []Attr
	for _, a := range attrs {
		if a.Local || a.CreateOnly || a.WriteOnly {
			continue
		}
		a.Mode, a.Change, a.Default, a.Check, a.Remedy, a.Min, a.Max = Computed, InPlace, nil, nil, "", 0, 0
		a.Attrs = Observed(a.Attrs)
		out = append(out, a)
	}
	return out
}

func dataAttribute(a Attr) schema.Attribute {
	required, optional := a.Mode == Required, a.Mode == Follow || a.Mode == Optional
	computed, doc := a.Mode == Follow || a.Mode == Computed, Describe(a)
	switch a.Type {
	case Bool:
		return schema.BoolAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case Int, Sequence:
		return schema.Int64Attribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case List, DurationList:
		return schema.ListAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			ElementType: elementType(a.Type), Validators: []validator.List{rule{a}}}
	case Set:
		return schema.SetAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			ElementType: types.StringType, Validators: []validator.Set{rule{a}}}
	case Map:
		return schema.MapAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc, ElementType: types.StringType}
	case Object:
		return schema.SingleNestedAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			Attributes: DataSchema(a.Attrs)}
	case Objects:
		return schema.ListNestedAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			NestedObject: schema.NestedAttributeObject{Attributes: DataSchema(a.Attrs)}}
	}
	out := schema.StringAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
		Sensitive: a.Sensitive, Validators: []validator.String{rule{a}}}
	switch a.Type {
	case Duration:
		out.CustomType = quantity.Type{Unit: quantity.Time}
	case Size:
		out.CustomType = quantity.Type{Unit: quantity.Bytes}
	}
	return out
}

package kind

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// ResourceSchema builds the schema of a managed resource.
func ResourceSchema(attrs []Attr) map[string]schema.Attribute {
	out := make(map[string]schema.Attribute, len(attrs))
	for _, a := range attrs {
		out[a.Name] = resourceAttribute(a)
	}
	return out
}

func elementType(t Type) attr.Type {
	if t == DurationList {
		return quantity.Type{Unit: quantity.Time}
	}
	return types.StringType
}

func resourceAttribute(a Attr) schema.Attribute {
	required, optional := a.Mode == Required, a.Mode == Follow || a.Mode == Optional
	computed, doc := a.Mode == Follow || a.Mode == Computed, Describe(a)
	switch a.Type {
	case Bool:
		out := schema.BoolAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc, Sensitive: a.Sensitive}
		if yes, ok := a.Default.(bool); ok {
			out.Default = booldefault.StaticBool(yes)
		}
		return out
	case Int, Sequence:
		out := schema.Int64Attribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			Validators: []validator.Int64{rule{a}}}
		if number, ok := a.Default.(int64); ok {
			out.Default = int64default.StaticInt64(number)
		}
		return out
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
			Attributes: ResourceSchema(a.Attrs)}
	case Objects:
		return schema.ListNestedAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
			NestedObject: schema.NestedAttributeObject{Attributes: ResourceSchema(a.Attrs)}}
	}
	out := schema.StringAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc,
		Sensitive: a.Sensitive, WriteOnly: a.WriteOnly, Validators: []validator.String{rule{a}}}
	switch a.Type {
	case Duration:
		out.CustomType = quantity.Type{Unit: quantity.Time}
	case Size:
		out.CustomType = quantity.Type{Unit: quantity.Bytes}
	}
	if text, ok := a.Default.(string); ok {
		out.Default = stringdefault.StaticString(text)
	}
	return out
}

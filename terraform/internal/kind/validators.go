package kind

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// rule checks the values of one attribute against its description.
type rule struct{ attr Attr }

var (
	_ validator.String = rule{}
	_ validator.Int64  = rule{}
	_ validator.List   = rule{}
	_ validator.Set    = rule{}
)

// Rule checks a text that is no attribute of a kind, such as one of an action, as it would be checked there.
func Rule(a Attr) validator.String { return rule{a} }

func (r rule) Description(context.Context) string {
	if r.attr.Check != nil {
		return r.attr.Check.Describe()
	}
	return r.attr.Doc
}

func (r rule) MarkdownDescription(ctx context.Context) string { return r.Description(ctx) }

func (r rule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if fault := r.fault(req.ConfigValue.ValueString()); fault != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+r.attr.Name, fault)
	}
}

func (r rule) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || r.attr.Min == r.attr.Max {
		return
	}
	value := req.ConfigValue.ValueInt64()
	if value < r.attr.Min || value > r.attr.Max {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+r.attr.Name,
			fmt.Sprintf("%d is out of range: %s.", value, bounds(r.attr)))
	}
}

func (r rule) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		r.element(ctx, element, req.Path.AtListIndex(i), resp.Diagnostics.AddAttributeError)
	}
}

func (r rule) ValidateSet(ctx context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		r.element(ctx, element, req.Path.AtSetValue(element), resp.Diagnostics.AddAttributeError)
	}
}

func (r rule) element(ctx context.Context, element any, at path.Path, report func(path.Path, string, string)) {
	valuable, ok := element.(basetypes.StringValuable)
	if !ok {
		return
	}
	value, _ := valuable.ToStringValue(ctx)
	if value.IsNull() || value.IsUnknown() {
		return
	}
	if fault := r.fault(value.ValueString()); fault != "" {
		report(at, "Invalid "+r.attr.Name, fault)
	}
}

func (r rule) fault(value string) string {
	if len(r.attr.OneOf) > 0 && !slices.Contains(r.attr.OneOf, value) {
		return fmt.Sprintf("%q is not one of %s.", value, strings.Join(r.attr.OneOf, ", "))
	}
	if r.attr.Type == Time {
		if _, err := time.Parse(time.RFC3339, value); err != nil {
			return fmt.Sprintf("%q is not a time in RFC 3339, such as 2027-01-31T12:00:00Z.", value)
		}
	}
	if fault := r.quantityFault(value); fault != "" {
		return fault
	}
	if r.attr.Check != nil {
		return r.attr.Check.Fault(value)
	}
	return ""
}

// Min and Max of a duration are nanoseconds, of a size bytes.
func (r rule) quantityFault(value string) string {
	if r.attr.Min == r.attr.Max {
		isDuration := r.attr.Type == Duration || r.attr.Type == DurationList
		if nanos, err := quantity.ParseDuration(value); isDuration && err == nil && nanos < 0 && !r.attr.Signed {
			return fmt.Sprintf("%q is negative: write 0s or more.", value)
		}
		return ""
	}
	var amount int64
	var err error
	switch r.attr.Type {
	case Duration:
		amount, err = quantity.ParseDuration(value)
	case Size:
		amount, err = quantity.ParseSize(value)
	default:
		return ""
	}
	// What cannot be read is reported by the type itself.
	if err == nil && (amount < r.attr.Min || amount > r.attr.Max) {
		return fmt.Sprintf("%q is out of range: %s.", value, bounds(r.attr))
	}
	return ""
}

func bounds(a Attr) string {
	switch a.Type {
	case Duration:
		return quantity.FormatDuration(a.Min) + " to " + quantity.FormatDuration(a.Max)
	case Size:
		return quantity.FormatSize(a.Min) + " to " + quantity.FormatSize(a.Max)
	default:
		return fmt.Sprintf("%d to %d", a.Min, a.Max)
	}
}

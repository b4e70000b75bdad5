package quantity

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Unit is what a quantity measures.
type Unit int

const (
	// Time is a duration; its text ends in a unit of time.
	Time Unit = iota
	// Bytes is a size; its text may end in a unit of size.
	Bytes
)

func (u Unit) parse(text string) error {
	var err error
	if u == Time {
		_, err = ParseDuration(text)
	} else {
		_, err = ParseSize(text)
	}
	return err
}

// Same compares two texts of this unit by value.
func (u Unit) Same(a, b string) bool {
	if u == Time {
		return SameDuration(a, b)
	}
	return SameSize(a, b)
}

func (u Unit) title() string {
	if u == Time {
		return "Invalid duration"
	}
	return "Invalid size"
}

// Type is the attribute type of durations or sizes.
type Type struct {
	basetypes.StringType
	Unit Unit
}

var (
	_ basetypes.StringTypable                    = Type{}
	_ basetypes.StringValuableWithSemanticEquals = Value{}
	_ xattr.ValidateableAttribute                = Value{}
)

// Equal compares types.
func (t Type) Equal(other attr.Type) bool {
	o, ok := other.(Type)
	return ok && o.Unit == t.Unit
}

// String names the type for messages.
func (t Type) String() string {
	if t.Unit == Time {
		return "quantity.Duration"
	}
	return "quantity.Size"
}

// ValueType tells the value of this type.
func (t Type) ValueType(context.Context) attr.Value { return Value{Unit: t.Unit} }

// ValueFromString wraps a text.
func (t Type) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Value{StringValue: in, Unit: t.Unit}, nil
}

// ValueFromTerraform reads the value off the wire.
func (t Type) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("a quantity was read as %T", value)
	}
	return Value{StringValue: text, Unit: t.Unit}, nil
}

// Value is a duration or a size as it was written.
type Value struct {
	basetypes.StringValue
	Unit Unit
}

// Type of the value.
func (v Value) Type(context.Context) attr.Type { return Type{Unit: v.Unit} }

// Equal compares texts, not meanings.
func (v Value) Equal(other attr.Value) bool {
	o, ok := other.(Value)
	return ok && o.Unit == v.Unit && v.StringValue.Equal(o.StringValue)
}

// StringSemanticEquals keeps "3d" where the API answers "72h".
func (v Value) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(Value)
	return ok && v.Unit.Same(v.ValueString(), o.ValueString()), nil
}

// ValidateAttribute refuses texts that are no quantities at plan time.
func (v Value) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if v.IsNull() || v.IsUnknown() {
		return
	}
	if err := v.Unit.parse(v.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, v.Unit.title(), err.Error()+".")
	}
}

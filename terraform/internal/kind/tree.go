package kind

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Values of an object by attribute name: nil, Unknown, string, bool, int64, []any or Values.
type Values = map[string]any

type unknown struct{}

// Unknown stands for a value that is known after apply.
var Unknown any = unknown{}

// IsUnknown tells whether the value as a whole is not known yet.
func IsUnknown(value any) bool { return value == Unknown }

// Certain gives the values with Unknown for everything that is not known to its end, such as a map with one value that another
// resource gives.
func Certain(values Values) Values {
	out := make(Values, len(values))
	for name, value := range values {
		out[name] = value
		if hasUnknown(value) {
			out[name] = Unknown
		}
	}
	return out
}

func hasUnknown(value any) bool {
	switch v := value.(type) {
	case []any:
		return slices.ContainsFunc(v, hasUnknown)
	case Values:
		for _, inner := range v {
			if hasUnknown(inner) {
				return true
			}
		}
		return false
	}
	return IsUnknown(value)
}

// FromTerraform reads a wire value into plain Go values.
func FromTerraform(value tftypes.Value) (any, error) {
	switch {
	case !value.IsKnown():
		return Unknown, nil
	case value.IsNull():
		return nil, nil
	case value.Type().Is(tftypes.String):
		var text string
		err := value.As(&text)
		return text, err
	case value.Type().Is(tftypes.Bool):
		var yes bool
		err := value.As(&yes)
		return yes, err
	case value.Type().Is(tftypes.Number):
		number := new(big.Float)
		if err := value.As(&number); err != nil {
			return nil, err
		}
		whole, _ := number.Int64()
		return whole, nil
	case value.Type().Is(tftypes.List{}), value.Type().Is(tftypes.Set{}), value.Type().Is(tftypes.Tuple{}):
		return listFrom(value)
	default:
		return mapFrom(value)
	}
}

func listFrom(value tftypes.Value) (any, error) {
	var items []tftypes.Value
	if err := value.As(&items); err != nil {
		return nil, err
	}
	out := make([]any, 0, len(items))
	for _, item := range items {
		plain, err := FromTerraform(item)
		if err != nil {
			return nil, err
		}
		out = append(out, plain)
	}
	return out, nil
}

func mapFrom(value tftypes.Value) (any, error) {
	var items map[string]tftypes.Value
	if err := value.As(&items); err != nil {
		return nil, err
	}
	out := make(Values, len(items))
	for name, item := range items {
		plain, err := FromTerraform(item)
		if err != nil {
			return nil, err
		}
		out[name] = plain
	}
	return out, nil
}

// ValuesFrom reads an object; a null or unknown one gives nil.
func ValuesFrom(value tftypes.Value) (Values, error) {
	plain, err := FromTerraform(value)
	if err != nil {
		return nil, err
	}
	values, _ := plain.(Values)
	return values, nil
}

// ToTerraform writes plain Go values in a type of the schema; what a nested object lacks is null.
func ToTerraform(kind tftypes.Type, value any) (tftypes.Value, error) {
	switch {
	case value == nil:
		return tftypes.NewValue(kind, nil), nil
	case IsUnknown(value):
		return tftypes.NewValue(kind, tftypes.UnknownValue), nil
	}
	switch t := kind.(type) {
	case tftypes.List:
		items, err := listTo(t.ElementType, value)
		return tftypes.NewValue(kind, items), err
	case tftypes.Set:
		items, err := listTo(t.ElementType, value)
		return tftypes.NewValue(kind, items), err
	case tftypes.Map:
		values, ok := value.(Values)
		if !ok {
			return tftypes.Value{}, fmt.Errorf("a map was expected, not %T", value)
		}
		items := make(map[string]tftypes.Value, len(values))
		for name, item := range values {
			wire, err := ToTerraform(t.ElementType, item)
			if err != nil {
				return tftypes.Value{}, err
			}
			items[name] = wire
		}
		return tftypes.NewValue(kind, items), nil
	case tftypes.Object:
		values, ok := value.(Values)
		if !ok {
			return tftypes.Value{}, fmt.Errorf("an object was expected, not %T", value)
		}
		items := make(map[string]tftypes.Value, len(t.AttributeTypes))
		for name, attribute := range t.AttributeTypes {
			wire, err := ToTerraform(attribute, values[name])
			if err != nil {
				return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
			}
			items[name] = wire
		}
		return tftypes.NewValue(kind, items), nil
	}
	if err := tftypes.ValidateValue(kind, value); err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.NewValue(kind, value), nil
}

func listTo(element tftypes.Type, value any) ([]tftypes.Value, error) {
	items, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("a list was expected, not %T", value)
	}
	out := make([]tftypes.Value, 0, len(items))
	for _, item := range items {
		wire, err := ToTerraform(element, item)
		if err != nil {
			return nil, err
		}
		out = append(out, wire)
	}
	return out, nil
}

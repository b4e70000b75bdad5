package kind

import (
	"encoding/json"
	"strconv"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// Read turns the API's object into values. Where the server means the same as prior, prior's writing stays: "3d" for
// "72h", an empty text for a missing one. Local and create-only attributes keep their prior value.
func Read(attrs []Attr, object map[string]any, prior Values) Values {
	out := make(Values, len(attrs))
	for _, a := range attrs {
		before := prior[a.Name]
		if a.Local || a.CreateOnly || a.WriteOnly {
			out[a.Name] = before
			continue
		}
		out[a.Name] = readOne(a, object[a.field()], before)
	}
	return out
}

func readOne(a Attr, raw, prior any) any {
	value := decode(a, raw, prior)
	// Objects are kept level by level, so that a field that prior leaves open is still filled.
	if a.Type != Object && prior != nil && !IsUnknown(prior) && Same(a, value, prior) {
		return prior
	}
	return value
}

func decode(a Attr, raw, prior any) any {
	if raw == nil {
		if a.Type == Object && isEmpty(prior) && valuesOf(prior) != nil {
			return prior
		}
		return nil
	}
	switch a.Type {
	case Bool:
		yes, _ := raw.(bool)
		return yes
	case Int, Sequence:
		return numberOf(raw)
	case Size:
		return quantity.FormatSize(numberOf(raw))
	case List, Set, DurationList:
		return decodeStrings(raw)
	case Map:
		values := Values{}
		for name, item := range objectOf(raw) {
			values[name] = textOf(item)
		}
		return values
	case Object:
		return Read(a.Attrs, objectOf(raw), valuesOf(prior))
	case Objects:
		return decodeObjects(a, raw, prior)
	default:
		return textOf(raw)
	}
}

func decodeStrings(raw any) any {
	out := []any{}
	for _, item := range listOf(raw) {
		out = append(out, textOf(item))
	}
	return out
}

func decodeObjects(a Attr, raw, prior any) any {
	before := listOf(prior)
	out := []any{}
	for i, item := range listOf(raw) {
		var known Values
		if i < len(before) {
			known = valuesOf(before[i])
		}
		out = append(out, Read(a.Attrs, objectOf(item), known))
	}
	return out
}

func textOf(raw any) any {
	switch v := raw.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	default:
		return nil
	}
}

func numberOf(raw any) int64 {
	var text string
	switch v := raw.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	case int64:
		return v
	case float64:
		return int64(v)
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		// Counters beyond 2^63 do not occur in a configuration; a fraction is cut.
		float, _ := strconv.ParseFloat(text, 64)
		return int64(float)
	}
	return number
}

func objectOf(raw any) map[string]any {
	object, _ := raw.(map[string]any)
	return object
}

// Adopt lays what the server answered under what was planned: planned values stay, open ones are filled.
func Adopt(attrs []Attr, plan, read Values) Values {
	out := make(Values, len(attrs))
	for _, a := range attrs {
		planned, seen := plan[a.Name], read[a.Name]
		switch {
		case IsUnknown(planned):
			out[a.Name] = seen
		case a.Type == Object && planned != nil:
			out[a.Name] = Adopt(a.Attrs, valuesOf(planned), valuesOf(seen))
		default:
			out[a.Name] = planned
		}
	}
	return out
}

package kind

import (
	"strconv"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// Body is the JSON of a create: all that is known and not null.
func Body(attrs []Attr, plan Values) (map[string]any, error) {
	body := map[string]any{}
	for _, a := range attrs {
		value := plan[a.Name]
		if !a.sent() || a.UpdateOnly || value == nil || IsUnknown(value) {
			continue
		}
		field, err := encode(a, value)
		if err != nil {
			return nil, err
		}
		body[a.field()] = field
	}
	return body, nil
}

// Patch is the merge patch from state to plan: what differs, and null for what the plan takes away.
func Patch(attrs []Attr, state, plan Values) (map[string]any, error) {
	patch := map[string]any{}
	for _, a := range attrs {
		from, to := state[a.Name], plan[a.Name]
		if !a.sent() || a.CreateOnly || IsUnknown(to) || Same(a, from, to) {
			continue
		}
		if to == nil {
			patch[a.field()] = nil
			continue
		}
		field, err := encode(a, to)
		if err != nil {
			return nil, err
		}
		switch a.Type {
		case Map:
			field = mapPatch(valuesOf(from), valuesOf(to))
		case Object:
			// Whole: some fields of the API are merged, others replaced, and this is right for both.
			takenAway(a.Attrs, valuesOf(from), valuesOf(to), objectOf(field))
		}
		patch[a.field()] = field
	}
	return patch, nil
}

// takenAway says null for what an object had and has no more.
func takenAway(attrs []Attr, from, to Values, object map[string]any) {
	for _, a := range attrs {
		switch {
		case !a.sent() || from[a.Name] == nil:
		case to[a.Name] == nil:
			object[a.field()] = nil
		case a.Type == Object:
			takenAway(a.Attrs, valuesOf(from[a.Name]), valuesOf(to[a.Name]), objectOf(object[a.field()]))
		}
	}
}

// A merge patch goes into maps, so that a key that is left out has to be taken away.
func mapPatch(from, to Values) map[string]any {
	out := map[string]any{}
	for name := range from {
		out[name] = nil
	}
	for name, value := range to {
		out[name] = value
	}
	return out
}

func encode(a Attr, value any) (any, error) {
	switch a.Type {
	case Sequence:
		if number, ok := value.(int64); ok {
			return strconv.FormatInt(number, 10), nil
		}
	case Duration:
		return encodeDuration(value)
	case Size:
		if text, ok := value.(string); ok {
			return quantity.ParseSize(text)
		}
	case DurationList:
		out := []any{}
		for _, item := range listOf(value) {
			text, err := encodeDuration(item)
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
		return out, nil
	case Object:
		return Body(a.Attrs, valuesOf(value))
	case Objects:
		out := []any{}
		for _, item := range listOf(value) {
			object, err := Body(a.Attrs, valuesOf(item))
			if err != nil {
				return nil, err
			}
			out = append(out, object)
		}
		return out, nil
	}
	return value, nil
}

func encodeDuration(value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return value, nil
	}
	nanos, err := quantity.ParseDuration(text)
	if err != nil {
		return nil, err
	}
	return quantity.FormatDuration(nanos), nil
}

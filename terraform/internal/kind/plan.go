package kind

import (
	"fmt"
	"reflect"
)

// Settle completes the plan of an existing object: what the configuration leaves open stays as it is, what means the same is
// no change, and volatile attributes become unknown only if something changes. It tells whether something does.
func Settle(attrs []Attr, config, state, plan Values) (Values, bool) {
	settled := settle(attrs, config, state, plan)
	if !differs(attrs, state, settled) {
		return settled, false
	}
	for _, a := range attrs {
		if a.Volatile {
			settled[a.Name] = Unknown
		}
	}
	return settled, true
}

func settle(attrs []Attr, config, state, plan Values) Values {
	out := make(Values, len(attrs))
	for _, a := range attrs {
		planned, was := plan[a.Name], state[a.Name]
		switch {
		case IsUnknown(planned) && config[a.Name] == nil:
			out[a.Name] = was
		case a.Type == Object && valuesOf(planned) != nil && valuesOf(was) != nil:
			out[a.Name] = settle(a.Attrs, valuesOf(config[a.Name]), valuesOf(was), valuesOf(planned))
		case was != nil && Same(a, planned, was):
			out[a.Name] = was
		default:
			out[a.Name] = planned
		}
	}
	return out
}

func differs(attrs []Attr, state, plan Values) bool {
	for _, a := range attrs {
		if !a.Volatile && !reflect.DeepEqual(state[a.Name], plan[a.Name]) {
			return true
		}
	}
	return false
}

// Objection is a change that the plan must not make in place.
type Objection struct {
	// Path of attribute names from the top.
	Path []string
	// Replace is set where a new object is what the change asks for, unset where it is refused.
	Replace bool
	// Text for the error.
	Text string
}

// Objections lists the changes that are refused or need a new object; not in place, and nothing is done silently.
func Objections(attrs []Attr, state, plan Values) []Objection {
	var out []Objection
	for _, a := range attrs {
		from, to := state[a.Name], plan[a.Name]
		if IsUnknown(to) || Same(a, from, to) {
			continue
		}
		switch a.Change {
		case Refused:
			out = append(out, Objection{Path: []string{a.Name}, Text: fmt.Sprintf("`%s` is %s and cannot become %s: a new object would start empty. %s",
				a.Name, show(from), show(to), a.Remedy)})
		case OneWay:
			if from == true {
				out = append(out, Objection{Path: []string{a.Name}, Text: fmt.Sprintf("`%s` was switched on and cannot be switched off again. %s", a.Name, a.Remedy)})
			}
		case Replaced:
			out = append(out, Objection{Path: []string{a.Name}, Replace: true})
		case InPlace:
			if a.Type == Object {
				for _, inner := range Objections(a.Attrs, valuesOf(from), valuesOf(to)) {
					inner.Path = append([]string{a.Name}, inner.Path...)
					out = append(out, inner)
				}
			}
		}
	}
	return out
}

func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "not set"
	case string:
		return fmt.Sprintf("%q", v)
	case Values:
		return "another one"
	default:
		return fmt.Sprintf("%v", v)
	}
}

package kind

import (
	"fmt"
	"strings"
)

// Describe is the text of an attribute in the documentation: meaning, unit, values, default, effect of a change.
func Describe(a Attr) string {
	parts := []string{strings.TrimSuffix(a.Doc, ".") + "."}
	switch a.Type {
	case Duration, DurationList:
		parts = append(parts, "A duration such as `\"90s\"`, `\"72h\"` or `\"3d\"`.")
	case Size:
		parts = append(parts, "A size such as `\"10GiB\"`, or bytes.")
	case Time:
		parts = append(parts, "A time in RFC 3339.")
	}
	if len(a.OneOf) > 0 {
		parts = append(parts, "One of `"+strings.Join(a.OneOf, "`, `")+"`.")
	}
	if a.Min != a.Max {
		parts = append(parts, "Range: "+bounds(a)+".")
	}
	if a.Check != nil {
		parts = append(parts, a.Check.Describe()+".")
	}
	switch {
	case a.Default != nil:
		parts = append(parts, fmt.Sprintf("Default `%v`.", a.Default))
	case a.Mode == Follow:
		parts = append(parts, "Left out: follows the server.")
	}
	switch a.Change {
	case Refused:
		parts = append(parts, "**Changing it is a plan error**: "+a.Remedy)
	case OneWay:
		parts = append(parts, "**Cannot be undone.**")
	case Replaced:
		parts = append(parts, "Changing it makes a new object.")
	}
	return strings.Join(parts, " ")
}

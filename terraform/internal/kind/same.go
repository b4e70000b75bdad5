package kind

import (
	"slices"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// Same compares two values of an attribute by meaning: durations and sizes by amount, times by instant, sets without order.
func Same(a Attr, x, y any) bool {
	if IsUnknown(x) || IsUnknown(y) {
		return IsUnknown(x) && IsUnknown(y)
	}
	if x == nil || y == nil {
		return isEmpty(x) && isEmpty(y)
	}
	switch a.Type {
	case Duration, Size, Time:
		return sameText(a.Type, x, y)
	case List, Set, DurationList:
		return sameStrings(a.Type, x, y)
	case Map:
		return sameMap(x, y)
	case Object:
		return sameObject(a.Attrs, x, y)
	case Objects:
		left, right := listOf(x), listOf(y)
		return len(left) == len(right) && !slices.ContainsFunc(indexes(left), func(i int) bool {
			return !sameObject(a.Attrs, left[i], right[i])
		})
	default:
		return x == y
	}
}

func sameText(kind Type, x, y any) bool {
	left, okX := x.(string)
	right, okY := y.(string)
	if !okX || !okY {
		return x == y
	}
	switch kind {
	case Duration:
		return quantity.SameDuration(left, right)
	case Size:
		return quantity.SameSize(left, right)
	}
	before, errX := time.Parse(time.RFC3339, left)
	after, errY := time.Parse(time.RFC3339, right)
	if errX != nil || errY != nil {
		return left == right
	}
	return before.Equal(after)
}

func sameStrings(kind Type, x, y any) bool {
	left, right := slices.Clone(listOf(x)), slices.Clone(listOf(y))
	if len(left) != len(right) {
		return false
	}
	if kind == Set {
		byText := func(a, b any) int {
			s, _ := a.(string)
			t, _ := b.(string)
			switch {
			case s < t:
				return -1
			case s > t:
				return 1
			}
			return 0
		}
		slices.SortFunc(left, byText)
		slices.SortFunc(right, byText)
	}
	for i := range left {
		if kind == DurationList && sameText(Duration, left[i], right[i]) {
			continue
		}
		if left[i] != right[i] {
			return false
		}
	}
	return true
}

func sameMap(x, y any) bool {
	left, right := valuesOf(x), valuesOf(y)
	if len(left) != len(right) {
		return false
	}
	for name, value := range left {
		other, ok := right[name]
		if !ok || other != value {
			return false
		}
	}
	return true
}

func sameObject(attrs []Attr, x, y any) bool {
	left, right := valuesOf(x), valuesOf(y)
	for _, a := range attrs {
		if !Same(a, left[a.Name], right[a.Name]) {
			return false
		}
	}
	return true
}

// What a server leaves out may be written as null, "", false or an empty list: they mean the same.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case Values:
		for _, item := range v {
			if !isEmpty(item) {
				return false
			}
		}
		return true
	}
	return false
}

func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

func valuesOf(value any) Values {
	values, _ := value.(Values)
	return values
}

func indexes(list []any) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

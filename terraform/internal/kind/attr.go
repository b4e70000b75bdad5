// Package kind describes what the provider manages as data: every attribute with its type, its field in the API, and what
// a change of it does. Schemas, bodies, plans, documentation and the table of expected actions all follow from it.
package kind

// Type of an attribute.
type Type int

const (
	// String is any text.
	String Type = iota
	// Bool is true or false.
	Bool
	// Int is a whole number; in the API a JSON number.
	Int
	// Sequence is a whole number that the API writes as a string.
	Sequence
	// Duration is a time such as "72h".
	Duration
	// Size is a number of bytes such as "10GiB"; in the API a JSON number.
	Size
	// Time is an instant in RFC 3339.
	Time
	// List is an ordered list of strings.
	List
	// DurationList is an ordered list of durations.
	DurationList
	// Set is a list of strings whose order has no meaning.
	Set
	// Map is a map of strings.
	Map
	// Object is one nested object.
	Object
	// Objects is an ordered list of nested objects.
	Objects
)

// Mode tells who decides an attribute's value.
type Mode int

const (
	// Follow is set by the configuration, or follows the server where the configuration is silent.
	Follow Mode = iota
	// Required must be in the configuration.
	Required
	// Optional is the configuration's alone: silent means null.
	Optional
	// Computed is the server's alone.
	Computed
)

// Change tells what a changed attribute does to an existing object.
type Change int

const (
	// InPlace is changed on the object as it is.
	InPlace Change = iota
	// Refused is a plan error with a remedy, since only a new object could have it and the old one's data would be lost.
	Refused
	// OneWay may be set and never unset.
	OneWay
	// Replaced makes a new object; only where nothing is lost.
	Replaced
)

// String is the word of the documentation.
func (c Change) String() string {
	switch c {
	case Refused:
		return "plan error"
	case OneWay:
		return "in place, cannot be undone"
	case Replaced:
		return "replace"
	default:
		return "in place"
	}
}

// Attr describes one attribute.
type Attr struct {
	Name string
	// Field in the API's JSON; empty: the same as Name.
	Field string
	// Local attributes are the provider's own and not sent.
	Local bool
	// CreateOnly fields are sent when the object is made and not read back.
	CreateOnly bool
	// UpdateOnly fields are sent to an existing object only.
	UpdateOnly bool
	Type       Type
	Mode       Mode
	Change     Change
	// Remedy completes "… cannot be changed": what to do instead.
	Remedy string
	// Volatile computed attributes become unknown in a plan that changes something.
	Volatile bool
	// Default of Follow attributes that the provider decides: a string, bool, or int64.
	Default any
	Doc     string
	// Sensitive values are hidden by Terraform.
	Sensitive bool
	// WriteOnly values are never in plan or state.
	WriteOnly bool
	// OneOf lists the values that are known; new ones of the server are read without error.
	OneOf []string
	// Min and Max of a number; equal means unbounded.
	Min, Max int64
	// Signed durations may be negative.
	Signed bool
	// Check is an additional rule of one value.
	Check Check
	// Attrs of an object.
	Attrs []Attr
}

// Check is a rule for one string, or for each string of a list.
type Check interface {
	// Describe the rule for the documentation.
	Describe() string
	// Fault says what is wrong with a value, or "".
	Fault(value string) string
}

func (a Attr) field() string {
	if a.Field != "" {
		return a.Field
	}
	return a.Name
}

func (a Attr) sent() bool { return !a.Local && a.Mode != Computed }

// Find gives the attribute with a name.
func Find(attrs []Attr, name string) (Attr, bool) {
	for _, a := range attrs {
		if a.Name == name {
			return a, true
		}
	}
	return Attr{}, false
}

// APIField is the name of the attribute in the API's JSON.
func (a Attr) APIField() string { return a.field() }

package contract

import (
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"time"
)

var idPattern = regexp.MustCompile(`^\^([a-z]+)_\[0-9A-Z\]\{26\}\$$`)

// NewID makes an id with a prefix.
func NewID(prefix string) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	raw := make([]byte, 26)
	_, _ = rand.Read(raw)
	for i, b := range raw {
		raw[i] = alphabet[int(b)%len(alphabet)]
	}
	return prefix + "_" + string(raw)
}

// synth makes a value that a schema allows: what a server would answer that has nothing to say.
func (d *Document) synth(schema any) any {
	described := object(d.resolve(schema))
	if nullable(described) {
		return nil
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if union, ok := described[word].([]any); ok && len(union) > 0 {
			if slices.ContainsFunc(union, func(part any) bool { return object(part)["type"] == "null" }) {
				return nil
			}
			return d.synth(union[0])
		}
	}
	if values, ok := described["enum"].([]any); ok {
		return values[0]
	}
	switch described["type"] {
	case "object":
		return d.SynthObject(described)
	case "array":
		return []any{}
	case "boolean":
		return false
	case "integer", "number":
		if text, _ := described["description"].(string); strings.Contains(text, "-1 is") {
			return float64(-1)
		}
		if least, ok := described["minimum"].(float64); ok {
			return least
		}
		return float64(0)
	default:
		return synthText(described)
	}
}

func nullable(described map[string]any) bool {
	kinds, ok := described["type"].([]any)
	return ok && slices.Contains(kinds, any("null"))
}

func synthText(described map[string]any) any {
	pattern, _ := described["pattern"].(string)
	switch {
	case idPattern.MatchString(pattern):
		return NewID(idPattern.FindStringSubmatch(pattern)[1])
	case described["format"] == "date-time":
		return time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	case described["format"] == "duration-go":
		return "0s"
	case described["format"] == "uint64":
		return "0"
	default:
		return ""
	}
}

// SynthObject makes an object with all required fields.
func (d *Document) SynthObject(described map[string]any) map[string]any {
	out := map[string]any{}
	required, _ := described["required"].([]any)
	for _, name := range required {
		text, _ := name.(string)
		out[text] = d.synth(object(described["properties"])[text])
	}
	return out
}

// merge is RFC 7396.
func merge(current, patch map[string]any) map[string]any {
	out := map[string]any{}
	for name, value := range current {
		out[name] = value
	}
	for name, value := range patch {
		nested, isObject := value.(map[string]any)
		old, wasObject := out[name].(map[string]any)
		switch {
		case value == nil:
			delete(out, name)
		case isObject && wasObject:
			out[name] = merge(old, nested)
		case isObject:
			out[name] = merge(map[string]any{}, nested)
		default:
			out[name] = value
		}
	}
	return out
}

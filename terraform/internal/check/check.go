// Package check holds the rules for names, subjects and keys that can be tested at plan time.
package check

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/nats-io/nkeys"
)

// Pattern is a rule by regular expression.
type Pattern struct {
	form *regexp.Regexp
	what string
}

// Describe the rule.
func (p Pattern) Describe() string { return p.what }

// Fault says what is wrong.
func (p Pattern) Fault(value string) string {
	if p.form.MatchString(value) {
		return ""
	}
	return fmt.Sprintf("%q does not fit: %s.", value, lowerFirst(p.what))
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

var (
	// Slug is a name of a project, an account, a group.
	Slug = Pattern{regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`), "Lower-case letters, digits and `-`, at most 63, not `-` at either end"}
	// UserName is the name of a user.
	UserName = Pattern{regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._@-]{0,61}[A-Za-z0-9])?$`), "Letters, digits and `._@-`, at most 63"}
	// StreamName is the name of a stream, consumer or bucket.
	StreamName = Pattern{regexp.MustCompile(`^[A-Za-z0-9_-]{1,255}$`), "Letters, digits, `_` and `-`, at most 255"}
	// KvKey is a key of a bucket.
	KvKey = Pattern{regexp.MustCompile(`^[-/_=A-Za-z0-9]+(\.[-/_=A-Za-z0-9]+)*$`), "Letters, digits, `-/_=` and `.` between them"}
	// Tag is a tag of a user.
	Tag = Pattern{regexp.MustCompile(`^[^\s]{1,255}$`), "No spaces"}
)

// ID is an id of the API with one of the prefixes.
func ID(prefixes ...string) Pattern {
	return Pattern{regexp.MustCompile(`^(` + strings.Join(prefixes, "|") + `)_[0-9A-Z]{26}$`), "An id such as `" + prefixes[0] + "_01J…`"}
}

type subjectRule struct{}

// Subject is a subject or filter, wildcards allowed.
var Subject = subjectRule{}

func (subjectRule) Describe() string {
	return "Tokens joined by `.`, without spaces; `*` for one token, `>` at the end for the rest"
}

func (subjectRule) Fault(value string) string {
	if why := SubjectFault(value); why != "" {
		return fmt.Sprintf("%q is no subject: %s.", value, why)
	}
	return ""
}

// SubjectFault says why a text is no subject, or "".
func SubjectFault(subject string) string {
	if subject == "" {
		return "it is empty"
	}
	if len(subject) > 255 {
		return "it is longer than 255 bytes"
	}
	if strings.ContainsAny(subject, " \t\r\n\x00") {
		return "it has a space or a line break"
	}
	tokens := strings.Split(subject, ".")
	for i, token := range tokens {
		switch {
		case token == "":
			return "a token is empty; look for `..` or a dot at an end"
		case token == ">" && i < len(tokens)-1:
			return "`>` may only be the last token"
		}
	}
	return ""
}

// SubjectMatches tells whether a subject without wildcards is covered by a filter.
func SubjectMatches(filter, subject string) bool {
	want, have := strings.Split(filter, "."), strings.Split(subject, ".")
	for i, token := range want {
		switch {
		case token == ">" && i == len(want)-1:
			return len(have) > i
		case i >= len(have):
			return false
		case token != "*" && token != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}

type keyRule struct {
	prefix nkeys.PrefixByte
	what   string
	star   bool
}

var (
	// UserKey is a public user nkey.
	UserKey = keyRule{prefix: nkeys.PrefixByteUser, what: "A public user nkey (`U…`)"}
	// UserKeyOrAll is a public user nkey, or "*".
	UserKeyOrAll = keyRule{prefix: nkeys.PrefixByteUser, what: "A public user nkey (`U…`), or `*` for all users", star: true}
	// AccountKey is a public account nkey.
	AccountKey = keyRule{prefix: nkeys.PrefixByteAccount, what: "A public account nkey (`A…`)"}
)

func (k keyRule) Describe() string { return k.what }

func (k keyRule) Fault(value string) string {
	if k.star && value == "*" {
		return ""
	}
	// A seed must not be repeated in a message.
	if strings.HasPrefix(value, "S") && len(value) >= 50 {
		return "This is a seed, a secret. Give the public key that belongs to it, and make a new pair: the seed may be in a log now."
	}
	if nkeys.Prefix(value) != k.prefix || !nkeys.IsValidPublicUserKey(value) && !nkeys.IsValidPublicAccountKey(value) {
		return fmt.Sprintf("%q does not fit: %s.", value, lowerFirst(k.what))
	}
	return ""
}

type cidrRule struct{}

// CIDR is a network of addresses.
var CIDR = cidrRule{}

func (cidrRule) Describe() string { return "Networks such as `203.0.113.0/24` or `2001:db8::/32`" }

func (cidrRule) Fault(value string) string {
	if _, err := netip.ParsePrefix(value); err != nil {
		return fmt.Sprintf("%q is no network: write an address and a prefix length, such as 203.0.113.0/24.", value)
	}
	return ""
}

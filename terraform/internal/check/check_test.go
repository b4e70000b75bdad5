package check

import (
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
)

func TestSubjects(t *testing.T) {
	for _, good := range []string{"a", "a.b", "a.*.c", "a.>", ">", "*", "$JS.API.>", "ä.b"} {
		if why := SubjectFault(good); why != "" {
			t.Errorf("%q is refused: %s", good, why)
		}
	}
	for _, bad := range []string{"", "a b", "a..b", ".a", "a.", "a.>.b", "a\n", strings.Repeat("a", 256)} {
		if SubjectFault(bad) == "" {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, each := range []struct {
		filter, subject string
		want            bool
	}{{"a.*", "a.b", true}, {"a.*", "a", false}, {"a.*", "a.b.c", false}, {"a.>", "a", false}, {"a.>", "a.b.c", true}, {">", "a", true}, {"a", "a", true}, {"a", "b", false}} {
		if got := SubjectMatches(each.filter, each.subject); got != each.want {
			t.Errorf("%s covers %s: %v", each.filter, each.subject, got)
		}
	}
}

func TestSeedIsNotRepeated(t *testing.T) {
	pair, _ := nkeys.CreateUser()
	seed, _ := pair.Seed()
	public, _ := pair.PublicKey()
	fault := UserKey.Fault(string(seed))
	if fault == "" || strings.Contains(fault, string(seed)) {
		t.Errorf("a seed gives %q", fault)
	}
	if why := UserKey.Fault(public); why != "" {
		t.Error(why)
	}
	if AccountKey.Fault(public) == "" {
		t.Error("a user key is taken for an account key")
	}
	if UserKeyOrAll.Fault("*") != "" || UserKey.Fault("*") == "" {
		t.Error("only a revocation takes *")
	}
	if UserKey.Fault(public[:55]+"A") == "" && public[55] != 'A' {
		t.Error("a damaged key is taken")
	}
}

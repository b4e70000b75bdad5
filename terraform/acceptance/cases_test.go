package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/cases"
)

const ground = `
resource "penstock_project" "p" {
  name = "case-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "case"
}
output "account" { value = penstock_account.a.id }
`

// A working folder with an account; the text that follows is what the case is about.
func begin(t *testing.T, configuration string) (*folder, *api.Client, string, func(string) string) {
	t.Helper()
	client, suffix := stack(t)
	with := func(text string) string { return cases.With(ground+text, suffix) }
	f := workIn(t, with(configuration))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	return f, client, strings.TrimSpace(f.mustRun("output", "-raw", "account")), with
}

// mustUpdate applies a configuration whose plan changes so many objects in place and makes and removes none.
func (f *folder) mustUpdate(configuration string, objects int) {
	f.t.Helper()
	f.write(configuration)
	want := fmt.Sprintf("0 to add, %d to change, 0 to destroy", objects)
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, want) {
		f.t.Errorf("want %q:\n%s", want, out)
	}
	f.mustRun("apply", "-auto-approve", "-no-color")
	f.mustHaveNoChanges()
}

func bucketAndStream(bucket, stream string) string {
	return `
resource "penstock_kv_bucket" "b" {
  account       = penstock_account.a.id
  name          = "B"
  force_destroy = true
  ` + bucket + `
}
resource "penstock_stream" "s" {
  account       = penstock_account.a.id
  name          = "S"
  force_destroy = true
  ` + stream + `
}
`
}

func fill(t *testing.T, client *api.Client, account string) *cli {
	t.Helper()
	for i := range 100 {
		_, err := client.Do(context.Background(), api.Call{Method: http.MethodPut, Path: fmt.Sprintf("/v1/accounts/%s/kv/B/entries/k%d", account, i), Body: api.Object{"value": fmt.Sprint(i)}})
		must(t, err)
	}
	c := cliOf(t, client, account)
	c.run("pub", "s.1", "one {{.Count}}", "--count", "50")
	return c
}

func mustHold(t *testing.T, client *api.Client, account string) {
	t.Helper()
	keys := 0
	for _, err := range client.Pages(context.Background(), "/v1/accounts/"+account+"/kv/B/entries", nil) {
		must(t, err)
		keys++
	}
	stream, err := client.Get(context.Background(), "/v1/accounts/"+account+"/streams/S", nil)
	must(t, err)
	if messages := api.Text(stream["state"].(api.Object), "messages"); keys != 100 || messages != "50" {
		t.Errorf("%d keys and %s messages are left of 100 and 50", keys, messages)
	}
	entry, err := client.Get(context.Background(), "/v1/accounts/"+account+"/kv/B/entries/k42", nil)
	must(t, err)
	if api.Text(entry, "value") != "42" {
		t.Errorf("k42 is %v", entry["value"])
	}
}

// TFM-01: what can be changed is changed in place, with the data.
func TestAccChangesKeepTheData(t *testing.T) {
	f, client, account, with := begin(t, bucketAndStream(`history = 1`, `subjects = ["s.>"]`))
	fill(t, client, account)
	f.mustUpdate(with(bucketAndStream("history = 5\nttl = \"72h\"\nmax_value_size = \"1MiB\"\ndescription = \"d\"",
		"subjects = [\"s.>\", \"t.>\"]\nmax_age = \"72h\"\nmax_msgs = 1000\nmax_bytes = \"10MiB\"\nallow_direct = true\nallow_atomic = true\ndeny_purge = true")), 2)
	mustHold(t, client, account)
	f.write(with(bucketAndStream("history = 5\nstorage = \"memory\"", `subjects = ["s.>", "t.>"]`)))
	if out, ok := f.run("plan", "-no-color"); ok || !strings.Contains(out, "Refusing to replace penstock_kv_bucket") {
		t.Errorf("a new bucket would be planned:\n%s", out)
	}
	f.write(with(bucketAndStream("history = 5", "subjects = [\"s.>\", \"t.>\"]\n  max_age = \"72h\"")))
}

// TFM-01, where there are three nodes: replicas are a change in place too.
func TestAccThreeNodesReplicasKeepTheData(t *testing.T) {
	f, client, account, with := begin(t, bucketAndStream(`num_replicas = 1`, "num_replicas = 1\nsubjects = [\"s.>\"]"))
	fill(t, client, account)
	f.mustUpdate(with(bucketAndStream(`num_replicas = 3`, "num_replicas = 3\nsubjects = [\"s.>\"]")), 2)
	mustHold(t, client, account)
	f.mustUpdate(with(bucketAndStream(`num_replicas = 1`, "num_replicas = 1\nsubjects = [\"s.>\"]")), 2)
	mustHold(t, client, account)
}

const pushed = `
resource "penstock_stream" "s" {
  account  = penstock_account.a.id
  name     = "S"
  subjects = ["s.>"]
}
resource "penstock_consumer" "c" {
  account         = penstock_account.a.id
  stream          = penstock_stream.s.name
  name            = "c"
  deliver_subject = "push.here"
  ack_policy      = "none"
  MORE
}
`

// TFM-02: a push consumer without what only pull consumers have; wrong pairs are named when planning.
func TestAccPushConsumers(t *testing.T) {
	f, _, _, with := begin(t, strings.ReplaceAll(pushed, "MORE", ""))
	f.mustHaveNoChanges()
	for _, wrong := range []string{"max_waiting = 10", "max_batch = 10", "max_expires = \"1s\"", "priority_groups = [\"g\"]"} {
		f.write(with(strings.ReplaceAll(pushed, "MORE", wrong)))
		name, _, _ := strings.Cut(wrong, " ")
		if out, ok := f.run("plan", "-no-color"); ok || !strings.Contains(out, "Invalid "+name) {
			t.Errorf("%s on a push consumer:\n%s", wrong, out)
		}
	}
	f.write(with(strings.ReplaceAll(pushed, "MORE", "")))
}

const drifting = `
resource "penstock_stream" "s" {
  account  = penstock_account.a.id
  name     = "S"
  subjects = ["s.>"]
  max_age  = "72h"
}
resource "penstock_consumer" "c" {
  account  = penstock_account.a.id
  stream   = penstock_stream.s.name
  name     = "c"
  ack_wait = "45s"
}
`

// TFM-03: what the nats CLI changes and deletes shows in the plan, and an apply puts it right.
func TestAccDriftByTheCLI(t *testing.T) {
	f, client, account, _ := begin(t, drifting)
	c := cliOf(t, client, account)
	mended := func(want ...string) {
		t.Helper()
		out := f.mustRun("plan", "-no-color")
		for _, each := range want {
			if !strings.Contains(out, each) {
				t.Errorf("the plan does not say %q:\n%s", each, out)
			}
		}
		f.mustRun("apply", "-auto-approve", "-no-color")
		f.mustHaveNoChanges()
	}
	c.run("stream", "edit", "S", "--max-age", "9h", "--force")
	mended("penstock_stream.s will be updated in-place", "0 to add, 1 to change, 0 to destroy")
	c.run("consumer", "rm", "S", "c", "--force")
	mended("penstock_consumer.c will be created", "1 to add, 0 to change, 0 to destroy")
	c.run("stream", "rm", "S", "--force")
	mended("penstock_stream.s will be created", "penstock_consumer.c will be created", "2 to add, 0 to change, 0 to destroy")
}

const owned = `
resource "penstock_stream" "s" {
  account  = "ACCOUNT"
  name     = "SHARED"
  subjects = ["s.>"]
}
`

// TFM-04: nothing is deleted that a state does not own, and a lost state is made again by importing.
func TestAccNothingOfOthersIsDeleted(t *testing.T) {
	f, client, account, _ := begin(t, "")
	mine := strings.ReplaceAll(owned, "ACCOUNT", account)
	owner, other := f.beside(mine), f.beside(mine)
	owner.mustRun("apply", "-auto-approve", "-no-color")
	there := func(when string) {
		t.Helper()
		if _, err := client.Get(context.Background(), "/v1/accounts/"+account+"/streams/SHARED", nil); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	imports := regexp.MustCompile(`terraform import penstock_stream\.<name>\s+'` + account + `/SHARED'`)
	if out, ok := other.run("apply", "-auto-approve", "-no-color"); ok || !imports.MatchString(out) {
		t.Errorf("a second folder made the same stream, or does not say how to import it:\n%s", out)
	}
	other.write("")
	other.mustRun("apply", "-auto-approve", "-no-color")
	there("taken out of a folder that did not own it")
	other.mustRun("destroy", "-auto-approve", "-no-color")
	there("destroyed from a folder that did not own it")

	lost := f.beside(mine)
	if out, ok := lost.run("apply", "-auto-approve", "-no-color"); ok || !imports.MatchString(out) {
		t.Errorf("with a lost state:\n%s", out)
	}
	there("applied with a lost state")
	lost.mustRun("import", "-no-color", "penstock_stream.s", account+"/SHARED")
	lost.mustHaveNoChanges()
	lost.mustRun("destroy", "-auto-approve", "-no-color")
}

// on_immutable_change: recreate starts anew, reset goes on where the consumer stood.
func TestAccConsumerMadeAnew(t *testing.T) {
	config := func(more string) string {
		return `
resource "penstock_stream" "s" {
  account       = penstock_account.a.id
  name          = "S"
  subjects      = ["s.>"]
  force_destroy = true
}
resource "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = "c"
  ` + more + `
}
`
	}
	f, client, account, with := begin(t, config("max_waiting = 10"))
	c := cliOf(t, client, account)
	c.run("pub", "s.1", "message {{.Count}}", "--count", "5")
	c.run("consumer", "next", "S", "c", "--count", "2", "--ack")
	f.write(with(config("max_waiting = 20")))
	if out, ok := f.run("plan", "-no-color"); ok || !strings.Contains(out, "Refusing to replace penstock_consumer") {
		t.Errorf("by default:\n%s", out)
	}
	f.write(with(config("max_waiting = 20\non_immutable_change = \"reset\"")))
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, "0 to add, 1 to change, 0 to destroy") || !strings.Contains(out, "made anew") {
		t.Errorf("reset:\n%s", out)
	}
	f.mustRun("apply", "-auto-approve", "-no-color")
	f.mustHaveNoChanges()
	pending := func() string {
		object, err := client.Get(context.Background(), "/v1/accounts/"+account+"/streams/S/consumers/c", nil)
		must(t, err)
		return api.Text(object, "num_pending")
	}
	if got := pending(); got != "3" {
		t.Errorf("%s messages are left after a reset, want 3", got)
	}
	f.write(with(config("max_waiting = 30\non_immutable_change = \"recreate\"")))
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, "1 to add, 0 to change, 1 to destroy") {
		t.Errorf("recreate:\n%s", out)
	}
	f.mustRun("apply", "-auto-approve", "-no-color")
	if got := pending(); got != "5" {
		t.Errorf("%s messages are left for a new consumer, want 5", got)
	}
}

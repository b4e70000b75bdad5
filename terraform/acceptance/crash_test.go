package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/cases"
)

const mixed = `
resource "penstock_project" "p" {
  name = "many-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "many"
  limits  = { jetstream = { streams = 1000 } }
}
resource "penstock_signing_key_group" "g" {
  account = penstock_account.a.id
  name    = "services"
}
resource "penstock_user" "u" {
  count             = 25
  signing_key_group = penstock_signing_key_group.g.id
  name              = "u${count.index}"
}
resource "penstock_service_account" "s" {
  count = 15
  name  = "crash-SUFFIX-${count.index}"
}
resource "penstock_stream" "s" {
  count    = 50
  account  = penstock_account.a.id
  name     = "S${count.index}"
  subjects = ["s.${count.index}.>"]
}
resource "penstock_consumer" "c" {
  count   = 25
  account = penstock_account.a.id
  stream  = penstock_stream.s[count.index].name
  name    = "c"
}
resource "penstock_kv_bucket" "b" {
  count   = 25
  account = penstock_account.a.id
  name    = "b${count.index}"
}
resource "penstock_export" "e" {
  count   = 15
  account = penstock_account.a.id
  name    = "e${count.index}"
  subject = "e.${count.index}.>"
  type    = "stream"
}
`

// The control plane is killed twice while Terraform applies, and started again. What was begun is ended by the same
// Idempotency-Key, so that everything is there once.
func TestAccKilledControlPlaneConverges(t *testing.T) {
	client, suffix := stack(t)
	f := workIn(t, cases.With(mixed, suffix))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color", "-target=penstock_account.a")
	account := "/v1/accounts/" + f.accountID(client, suffix)
	for _, streams := range []int{5, 30} {
		var out bytes.Buffer
		command := f.start(&out, "apply", "-auto-approve", "-no-color")
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		f.await("the apply has come to its middle", func() bool { return count(f.t, client, account+"/streams", "S") >= streams })
		kill(t, "control-plane")
		control(t, "up")
		// It may have got over it, or not: both are right.
		<-ended
	}
	f.mustRun("apply", "-auto-approve", "-no-color")
	f.mustHaveNoChanges()
	for path, want := range map[string]int{"/streams S": 50, "/kv b": 25, "/users u": 25, "/exports e": 15, "/streams/S0/consumers c": 1} {
		list, prefix, _ := strings.Cut(path, " ")
		if got := count(t, client, account+list, prefix); got != want {
			t.Errorf("%d at %s, want %d", got, list, want)
		}
	}
	if got := count(t, client, "/v1/orgs/"+os.Getenv("PENSTOCK_ORG")+"/service-accounts", "crash-"+suffix); got != 15 {
		t.Errorf("%d service accounts, want 15", got)
	}
}

// count is how many objects of a list have a name that begins so.
func count(t testing.TB, client *api.Client, path, prefix string) int {
	t.Helper()
	found := 0
	for object, err := range client.Pages(context.Background(), path, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(api.Text(object, "name"), prefix) {
			found++
		}
	}
	return found
}

func (f *folder) await(what string, holds func() bool) {
	f.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("waited 3 minutes until %s", what)
		}
	}
}

// control runs a command of the stack that the tests run against; PENSTOCK_TEST_STACK is a program that knows its home.
func control(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(os.Getenv("PENSTOCK_TEST_STACK"), args...).Output()
	if err != nil {
		t.Fatalf("the stack's %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// kill ends a service of the stack at once, and waits until the stack knows.
func kill(t testing.TB, name string) {
	t.Helper()
	running := serviceOf(t, name)
	if running.State != "ready" {
		t.Fatalf("%s is %s, nothing to kill", name, running.State)
	}
	if err := syscall.Kill(running.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); serviceOf(t, name).State != "dead"; {
		if time.Now().After(end) {
			t.Fatalf("%s runs on for a minute after SIGKILL", name)
		}
	}
}

type service struct {
	Name  string `json:"name"`
	Pid   int    `json:"pid"`
	State string `json:"state"`
}

func serviceOf(t testing.TB, name string) service {
	t.Helper()
	var status struct {
		Services []service `json:"services"`
	}
	// It exits with 3 when something does not run, which is what is looked for.
	out, _ := exec.Command(os.Getenv("PENSTOCK_TEST_STACK"), "status", "--json").Output()
	if err := json.Unmarshal(out, &status); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, each := range status.Services {
		if each.Name == name {
			return each
		}
	}
	t.Fatalf("the stack has no %s: %s", name, out)
	return service{}
}

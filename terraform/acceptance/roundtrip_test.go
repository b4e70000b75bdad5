package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/cases"
	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Something of every kind, with much that is not as the server has it anyway.
const everything = `
resource "penstock_project" "p" {
  name        = "round-SUFFIX"
  description = "a \"quoted\" $${text}\nof two lines"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "orders"
  limits = {
    connections = 500
    payload     = "2MiB"
    jetstream   = { storage = "50GiB", streams = 20, max_ack_pending = 2000 }
  }
  default_permissions = { publish = { deny = ["secret.>"] }, responses = { max = 2, ttl = "1m" } }
  mappings = [{ subject = "old.*", destinations = [{ subject = "new.$1", weight = 40 }, { subject = "newer.$1", weight = 60 }] }]
}
resource "penstock_account" "b" {
  project = penstock_project.p.id
  name    = "billing"
}
resource "penstock_signing_key_group" "g" {
  account     = penstock_account.a.id
  name        = "services"
  description = "all services"
  scope = {
    publish          = { allow = ["orders.>", "$JS.API.>"], deny = ["orders.x"] }
    subscribe        = { allow = ["_INBOX.>"] }
    responses        = { max = 3, ttl = "90s" }
    subscriptions    = 50
    payload          = "1MiB"
    connection_types = ["STANDARD", "WEBSOCKET"]
    source_cidrs     = ["10.0.0.0/8"]
  }
}
resource "penstock_signing_key_group" "plain" {
  account = penstock_account.a.id
  name    = "plain"
}
resource "penstock_user" "u" {
  signing_key_group = penstock_signing_key_group.g.id
  name              = "billing-svc"
  jwt_ttl           = "36h"
  tags              = ["team:red", "env:test"]
}
resource "penstock_credential" "c" {
  user       = penstock_user.u.id
  public_key = "KEY"
}
resource "penstock_user_revocation" "r" {
  account    = penstock_account.b.id
  public_key = "KEY"
  reason     = "laptop lost"
}
resource "penstock_stream" "s" {
  account              = penstock_account.a.id
  name                 = "ORDERS"
  subjects             = ["orders.*.created", "bills.>"]
  description          = "orders"
  max_age              = "168h"
  max_bytes            = "2GiB"
  max_msgs_per_subject = 10
  max_msg_size         = 4096
  discard              = "new"
  duplicate_window     = "90s"
  compression          = "s2"
  allow_direct         = true
  allow_rollup_hdrs    = true
  deny_delete          = true
  metadata             = { team = "red" }
  subject_transform    = { src = "bills.old.>", dest = "bills.new.>" }
  republish            = { src = "bills.>", dest = "seen.>", headers_only = true }
  consumer_limits      = { max_ack_pending = 50, inactive_threshold = "1h" }
}
resource "penstock_stream" "plain" {
  account = penstock_account.a.id
  name    = "plain"
}
resource "penstock_consumer" "pull" {
  account         = penstock_account.a.id
  stream          = penstock_stream.s.name
  name            = "worker"
  max_deliver     = 5
  backoff         = ["1m", "2m"]
  filter_subjects = ["bills.a", "bills.b"]
  max_ack_pending = 20
  max_waiting     = 32
  max_batch       = 100
  metadata        = { owner = "red" }
}
resource "penstock_consumer" "push" {
  account         = penstock_account.a.id
  stream          = penstock_stream.plain.name
  name            = "pushed"
  ack_policy      = "none"
  deliver_subject = "push.here"
  deliver_group   = "workers"
  deliver_policy  = "by_start_sequence"
  opt_start_seq   = 3
}
resource "penstock_kv_bucket" "k" {
  account        = penstock_account.a.id
  name           = "settings"
  description    = "settings"
  history        = 5
  ttl            = "24h"
  max_value_size = "1MiB"
  max_bytes      = "10MiB"
  force_destroy  = true
}
resource "penstock_kv_entry" "e" {
  account = penstock_account.a.id
  bucket  = penstock_kv_bucket.k.name
  key     = "limits/a.b"
  value   = "{\"most\": 3}\n"
}
resource "penstock_object_bucket" "o" {
  account     = penstock_account.a.id
  name        = "files"
  description = "invoices"
  max_bytes   = "10GiB"
  ttl         = "720h"
}
resource "penstock_export" "e" {
  account                = penstock_account.a.id
  name                   = "events"
  subject                = "orders.*.created"
  type                   = "stream"
  description            = "new orders"
  token_required         = true
  advertise              = true
}
resource "penstock_export" "open" {
  account        = penstock_account.a.id
  name           = "ask"
  subject        = "ask.>"
  type           = "service"
  response_type  = "singleton"
  token_required = false
}
resource "penstock_share" "s" {
  export         = penstock_export.e.id
  target_account = penstock_account.b.id
}
resource "penstock_import" "i" {
  account        = penstock_account.b.id
  name           = "ask"
  remote_account = penstock_export.open.account
  type           = "service"
  subject        = "ask.>"
  local_subject  = "theirs.>"
}
resource "penstock_service_account" "s" {
  name        = "ci-SUFFIX"
  description = "pipelines"
}
resource "penstock_api_token" "t" {
  service_account = penstock_service_account.s.id
  name            = "deploy"
  scopes          = ["*:read", "streams:write"]
  cidrs           = ["203.0.113.0/24"]
}
resource "penstock_role_assignment" "r" {
  principal = penstock_service_account.s.id
  role      = "developer"
  project   = penstock_project.p.id
}
`

// What the console gives as "Copy as Terraform" of every kind makes the same again in a fresh project, and takes the existing
// objects over; both plans are empty afterwards.
func TestAccCopyAsTerraformComesBack(t *testing.T) {
	_, suffix := stack(t)
	f := workIn(t, strings.ReplaceAll(cases.With(everything, suffix), "KEY", cases.UserKey))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	copied := f.copied()

	taken := f.beside(copiedHCL(t, copied, true))
	if out := taken.mustRun("plan", "-no-color"); !strings.Contains(out, "to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("taking over is no mere import:\n%s", out)
	}
	taken.mustRun("apply", "-auto-approve", "-no-color")
	taken.mustHaveNoChanges()

	other := strings.ToLower(suffix + "x")
	fresh := f.beside(strings.ReplaceAll(copiedHCL(t, copied, false), suffix, other))
	fresh.destroyLater()
	// An import names an account and a subject, so Terraform does not know that it needs the export.
	fresh.mustRun("apply", "-auto-approve", "-no-color", "-target=penstock_export.ask")
	fresh.mustRun("apply", "-auto-approve", "-no-color")
	fresh.mustHaveNoChanges()
}

func (f *folder) mustHaveNoChanges() {
	f.t.Helper()
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, "No changes") {
		f.t.Errorf("the plan is not empty:\n%.4000s", out)
	}
}

// beside is another folder with the same provider and a state of its own.
func (f *folder) beside(configuration string) *folder {
	f.t.Helper()
	path, err := os.MkdirTemp(filepath.Dir(f.path), "work")
	if err != nil {
		f.t.Fatal(err)
	}
	other := &folder{t: f.t, path: path, env: f.env}
	other.write(configuration)
	return other
}

type copied struct {
	Kind   string         `json:"kind"`
	Object map[string]any `json:"object"`
}

// copied are all objects of the state as the API shows them, which is what the console copies.
func (f *folder) copied() []copied {
	f.t.Helper()
	var shown struct {
		Values struct {
			Root struct {
				Resources []struct {
					Type   string         `json:"type"`
					Values map[string]any `json:"values"`
				} `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if err := json.Unmarshal([]byte(f.mustRun("show", "-json")), &shown); err != nil {
		f.t.Fatal(err)
	}
	client, _ := stack(f.t)
	env := &engine.Env{Client: client}
	seen := map[string]bool{}
	var out []copied
	for _, each := range shown.Values.Root.Resources {
		name := strings.TrimPrefix(each.Type, "penstock_")
		answer, err := kindOf(f.t, name).Load(context.Background(), env, kind.Values(each.Values))
		if err != nil {
			f.t.Fatalf("%s: %v", name, err)
		}
		seen[name] = true
		out = append(out, copied{name, answer.Body})
	}
	for _, k := range catalog.All() {
		if !seen[k.Name] && k.Name != "organization" {
			f.t.Errorf("nothing of the kind %s is copied", k.Name)
		}
	}
	return out
}

func copiedHCL(t *testing.T, objects []copied, imports bool) string {
	t.Helper()
	content, err := json.Marshal(objects)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "-s", "terraform", "--", "all", "-"}
	if imports {
		args = append(args, "--import")
	}
	command := exec.Command("npm", args...)
	command.Dir = filepath.Join("..", "..", "web-console")
	command.Stdin = bytes.NewReader(content)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("the console's copy: %v: %s", err, complaints.String())
	}
	return string(out)
}

package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/cases"
)

// folder is a working folder with a Terraform beside it, as a person has it: the provider is a process of its own.
type folder struct {
	t    testing.TB
	path string
	env  []string
}

const head = `
terraform {
  required_providers {
    penstock = {
      source = "penstock/penstock"
    }
  }
}
provider "penstock" {}
`

// workIn builds the provider once and makes a folder that uses it.
func workIn(t testing.TB, configuration string) *folder {
	t.Helper()
	path := t.TempDir()
	bin := filepath.Join(path, "bin")
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "terraform-provider-penstock"), "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rc := filepath.Join(path, "terraform.tfrc")
	content := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"penstock/penstock\" = %q\n  }\n  direct {}\n}\n", bin)
	if err := os.WriteFile(rc, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(path, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	f := &folder{t: t, path: work, env: append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "XDG_CACHE_HOME="+filepath.Join(path, "cache"))}
	f.write(configuration)
	return f
}

func (f *folder) write(configuration string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.path, "main.tf"), []byte(head+configuration), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// start begins a Terraform command.
func (f *folder) start(out *bytes.Buffer, args ...string) *exec.Cmd {
	program := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if program == "" {
		program = "terraform"
	}
	command := exec.Command(program, args...)
	command.Dir, command.Env, command.Stdout, command.Stderr = f.path, f.env, out, out
	if err := command.Start(); err != nil {
		f.t.Fatal(err)
	}
	return command
}

// run gives what a command said and whether it worked.
func (f *folder) run(args ...string) (string, bool) {
	var out bytes.Buffer
	err := f.start(&out, args...).Wait()
	return out.String(), err == nil
}

func (f *folder) mustRun(args ...string) string {
	f.t.Helper()
	out, ok := f.run(args...)
	if !ok {
		f.t.Fatalf("terraform %s:\n%s", strings.Join(args, " "), out)
	}
	return out
}

func (f *folder) destroyLater() {
	f.t.Cleanup(func() { f.run("destroy", "-auto-approve", "-no-color") })
}

const manyStreams = `
resource "penstock_project" "p" {
  name = "many-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "many"
  limits  = { jetstream = { streams = 1000 } }
}
resource "penstock_stream" "s" {
  count     = COUNT
  account   = penstock_account.a.id
  name      = "S${count.index}"
  subjects  = ["s.${count.index}.>"]
  max_bytes = "1MiB"
}
`

func many(suffix string, count int) string {
	return strings.ReplaceAll(cases.With(manyStreams, suffix), "COUNT", fmt.Sprint(count))
}

// 500 streams at default parallelism; how long it takes is for the benchmark.
func TestAccFiveHundredStreams(t *testing.T) {
	client, suffix := stack(t)
	f := workIn(t, many(suffix, 500))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	f.mustHaveNoChanges()
	account := f.accountID(client, suffix)
	if got := count(t, client, "/v1/accounts/"+account+"/streams", "S"); got != 500 {
		t.Errorf("%d streams, want 500", got)
	}
	// A drift of one among many shows, and only that.
	must(t, changeOutside(client, "/v1/accounts/"+account+"/streams/S321", api.Object{"max_bytes": 4096}))
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, "0 to add, 1 to change, 0 to destroy") || !strings.Contains(out, "penstock_stream.s[321]") {
		t.Errorf("one of 500 drifted:\n%.3000s", out)
	}
}

// BenchmarkFiveHundredStreams measures an apply of 500 streams at default parallelism and a plan over them.
func BenchmarkFiveHundredStreams(b *testing.B) {
	for b.Loop() {
		_, suffix := stack(b)
		f := workIn(b, many(suffix, 500))
		begin := time.Now()
		f.mustRun("apply", "-auto-approve", "-no-color")
		applied := time.Since(begin)
		begin = time.Now()
		f.mustHaveNoChanges()
		b.ReportMetric(applied.Seconds(), "s/apply")
		b.ReportMetric(time.Since(begin).Seconds(), "s/plan")
		f.mustRun("destroy", "-auto-approve", "-no-color")
	}
	b.ReportMetric(0, "ns/op")
}

// Terraform is killed with its provider at several points of an apply; the next apply ends with each stream once.
func TestAccKilledApplyConverges(t *testing.T) {
	client, suffix := stack(t)
	f := workIn(t, many(suffix, 80))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color", "-target=penstock_account.a")
	for _, after := range []time.Duration{500, 600, 750, 900, 1050, 1200, 1350, 1500, 1700, 1900} {
		before := f.state()
		var out bytes.Buffer
		command := f.start(&out, "apply", "-auto-approve", "-no-color", "-lock=false", "-parallelism=4")
		time.Sleep(after * time.Millisecond)
		_ = command.Process.Kill()
		_ = command.Wait()
		// Terraform writes its file in place: killed in the midst of that it leaves half of it, and people take the backup.
		if !json.Valid(f.state()) {
			must(t, os.WriteFile(f.stateFile(), before, 0o600))
		}
	}
	f.mustRun("apply", "-auto-approve", "-no-color", "-lock=false")
	if out := f.mustRun("plan", "-no-color", "-lock=false"); !strings.Contains(out, "No changes") {
		t.Errorf("the plan is not empty:\n%.2000s", out)
	}
	if got := count(t, client, "/v1/accounts/"+f.accountID(client, suffix)+"/streams", "S"); got != 80 {
		t.Errorf("%d streams, want 80", got)
	}
}

func (f *folder) stateFile() string { return filepath.Join(f.path, "terraform.tfstate") }

func (f *folder) state() []byte {
	f.t.Helper()
	content, err := os.ReadFile(f.stateFile())
	if err != nil {
		f.t.Fatal(err)
	}
	return content
}

func (f *folder) accountID(client *api.Client, suffix string) string {
	f.t.Helper()
	project, err := client.Find(context.Background(), "/v1/orgs/"+os.Getenv("PENSTOCK_ORG")+"/projects", "name", "many-"+suffix)
	if err != nil || project == nil {
		f.t.Fatal(err)
	}
	account, err := client.Find(context.Background(), "/v1/projects/"+api.Text(project, "id")+"/accounts", "name", "many")
	if err != nil || account == nil {
		f.t.Fatal(err)
	}
	return api.Text(account, "id")
}

const stale = `
resource "penstock_project" "p" {
  name = "stale-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "stale"
}
resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name    = "S"
  max_age = "AGE"
}
output "account" { value = penstock_account.a.id }
`

// A saved plan is applied after somebody else has changed the stream.
func TestAccStalePlanIsRefused(t *testing.T) {
	client, suffix := stack(t)
	config := func(age string) string { return strings.ReplaceAll(cases.With(stale, suffix), "AGE", age) }
	f := workIn(t, config("72h"))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	account := strings.TrimSpace(f.mustRun("output", "-raw", "account"))
	f.write(config("48h"))
	f.mustRun("plan", "-no-color", "-out=saved")
	must(t, changeOutside(client, "/v1/accounts/"+account+"/streams/S", api.Object{"max_age": "9h"}))
	out, ok := f.run("apply", "-no-color", "saved")
	if flat := regexp.MustCompile(`\s+`).ReplaceAllString(out, " "); ok || !strings.Contains(flat, "changed outside Terraform") {
		t.Errorf("the stale plan was applied:\n%s", out)
	}
	f.mustRun("apply", "-auto-approve", "-no-color")
}

const secretive = cases.Base + `
resource "penstock_credential" "c" {
  user       = penstock_user.u.id
  public_key = "KEY"
}
resource "penstock_service_account" "s" { name = "ci-SUFFIX" }
ephemeral "penstock_credential" "run" { user = penstock_user.u.id }
ephemeral "penstock_api_token" "run" {
  service_account = penstock_service_account.s.id
  scopes          = ["*:read"]
}
ephemeral "penstock_nkey" "pair" {}
resource "penstock_kv_bucket" "b" {
  account       = penstock_account.a.id
  name          = "b"
  force_destroy = true
}
resource "penstock_kv_entry" "e" {
  account          = penstock_account.a.id
  bucket           = penstock_kv_bucket.b.name
  key              = "k"
  value_wo         = ephemeral.penstock_credential.run.creds
  value_wo_version = 1
}
`

// What a secret looks like: a seed, the secret part of a token, a block of a .creds file.
var secrets = regexp.MustCompile(`S[UAO][A-Z2-7]{56}|pst_(sat|pat)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}|BEGIN USER NKEY SEED`)

// Nothing secret is in the working folder: state, plan, its JSON, and the trace log.
func TestAccNoSecretIsLeftBehind(t *testing.T) {
	_, suffix := stack(t)
	f := workIn(t, strings.ReplaceAll(cases.With(secretive, suffix), "KEY", cases.UserKey))
	f.destroyLater()
	f.env = append(f.env, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(f.path, "trace.log"))
	f.mustRun("plan", "-no-color", "-out=saved")
	f.mustRun("apply", "-no-color", "saved")
	plan := f.mustRun("show", "-json")
	if err := os.WriteFile(filepath.Join(f.path, "shown.json"), []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	f.mustRun("plan", "-no-color")
	files := 0
	err := filepath.WalkDir(f.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if found := secrets.Find(content); found != nil {
			t.Errorf("%s holds %.12s…", entry.Name(), found)
		}
		if bytes.Contains(content, []byte(os.Getenv("PENSTOCK_TOKEN"))) {
			t.Errorf("%s holds the provider's token", entry.Name())
		}
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files, %v", files, err)
	}
}

const trashed = `
resource "penstock_project" "p" {
  name = "trash-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "trash"
}
resource "penstock_kv_bucket" "b" {
  account       = penstock_account.a.id
  name          = "B"
  force_destroy = true
}
output "account" { value = penstock_account.a.id }
`

// A deletion is taken back, and the object is managed again with its data.
func TestAccDeletedBucketIsRestoredAndImported(t *testing.T) {
	client, suffix := stack(t)
	f := workIn(t, cases.With(trashed, suffix))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	account := strings.TrimSpace(f.mustRun("output", "-raw", "account"))
	path := "/v1/accounts/" + url.PathEscape(account) + "/kv/B"
	_, err := client.Do(context.Background(), api.Call{Method: http.MethodPut, Path: path + "/entries/k", Body: api.Object{"value": "v"}})
	must(t, err)
	object, err := client.Get(context.Background(), path, nil)
	must(t, err)
	_, err = client.Do(context.Background(), api.Call{Method: http.MethodDelete, Path: path, IfMatch: api.Text(object, "etag")})
	must(t, err)
	out := f.mustRun("plan", "-no-color")
	if !strings.Contains(out, "penstock_kv_bucket.b will be created") || !strings.Contains(out, "penstock_restore") {
		t.Errorf("the plan does not say that it can be restored:\n%s", out)
	}
	_, err = client.Do(context.Background(), api.Call{Method: http.MethodPost, Path: path + "/actions/restore", Key: "restore-" + suffix})
	must(t, err)
	f.mustRun("state", "rm", "penstock_kv_bucket.b")
	f.mustRun("import", "-no-color", "penstock_kv_bucket.b", account+"/B")
	f.mustRun("apply", "-auto-approve", "-no-color")
	if out := f.mustRun("plan", "-no-color"); !strings.Contains(out, "No changes") {
		t.Errorf("the plan is not empty:\n%s", out)
	}
	entry, err := client.Get(context.Background(), path+"/entries/k", nil)
	must(t, err)
	if api.Text(entry, "value") != "v" {
		t.Errorf("the data are not back: %v", entry)
	}
}

package acceptance

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/cases"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
)

const restored = `
resource "penstock_project" "p" {
  name = "restore-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "restore"
}
resource "penstock_kv_bucket" "b" {
  account       = penstock_account.a.id
  name          = "B"
  force_destroy = true
}
resource "penstock_stream" "s" {
  account       = penstock_account.a.id
  name          = "ORDERS"
  subjects      = ["orders.>"]
  force_destroy = true
}
output "account" { value = penstock_account.a.id }
`

// Actions run when the resource that triggers them is made.
const restoring = `
action "penstock_restore" "r" {
  config {
    account = "ACCOUNT"
    MORE
  }
}
resource "terraform_data" "now" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.penstock_restore.r]
    }
  }
}
`

// The action takes back the deletion of a bucket's stream and of an account, with what was in them.
func TestAccNewerRestoreAction(t *testing.T) {
	client, suffix := stack(t)
	f := workIn(t, cases.With(restored, suffix))
	f.destroyLater()
	f.mustRun("apply", "-auto-approve", "-no-color")
	account := strings.TrimSpace(f.mustRun("output", "-raw", "account"))
	at := "/v1/accounts/" + account
	_, err := client.Do(context.Background(), api.Call{Method: http.MethodPut, Path: at + "/kv/B/entries/k", Body: api.Object{"value": "v"}})
	must(t, err)
	cliOf(t, client, account).run("pub", "orders.1", "one")

	mustDelete(t, client, at+"/streams/ORDERS")
	mustDelete(t, client, at+"/kv/B")
	f.restore(account, `stream = "ORDERS"`)
	f.restore(account, `kv_bucket = "B"`)
	stream, err := client.Get(context.Background(), at+"/streams/ORDERS", nil)
	must(t, err)
	if messages := api.Text(stream["state"].(api.Object), "messages"); messages != "1" {
		t.Errorf("%s messages are back, want 1", messages)
	}

	mustDelete(t, client, at)
	if _, err := client.Get(context.Background(), at, nil); !api.IsInTrash(err) {
		t.Fatalf("the account is not deleted: %v", err)
	}
	f.restore(account, "")
	entry, err := client.Get(context.Background(), at+"/kv/B/entries/k", nil)
	must(t, err)
	if api.Text(entry, "value") != "v" {
		t.Errorf("the data are not back: %v", entry)
	}
	f.mustHaveNoChanges()
}

func (f *folder) restore(account, more string) {
	f.t.Helper()
	other := f.beside(strings.NewReplacer("ACCOUNT", account, "MORE", more).Replace(restoring))
	other.mustRun("apply", "-auto-approve", "-no-color")
}

func mustDelete(t *testing.T, client *api.Client, path string) {
	t.Helper()
	object, err := client.Get(context.Background(), path, nil)
	must(t, err)
	answer, err := client.Do(context.Background(), api.Call{Method: http.MethodDelete, Path: path, IfMatch: api.Text(object, "etag")})
	must(t, err)
	if answer.Status == http.StatusAccepted {
		must(t, engine.AwaitOperation(context.Background(), &engine.Env{Client: client}, answer.Body))
	}
}

package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/nats-io/nkeys"
)

var userKey = publicKey(nkeys.CreateUser)

func publicKey(create func() (nkeys.KeyPair, error)) string {
	pair, err := create()
	if err != nil {
		panic(err)
	}
	key, err := pair.PublicKey()
	if err != nil {
		panic(err)
	}
	return key
}

// One kind with a first and a second configuration, and the attributes that an import cannot know.
type lifecycle struct {
	name          string
	first, second string
	update        bool
	ignore        []string
}

var lifecycles = []lifecycle{
	{name: "project", first: `resource "penstock_project" "x" {
  name = "other"
}`, second: `resource "penstock_project" "x" {
  name        = "another"
  description = "a text"
  environment = "production"
  deletion_protection = false
}`, update: true},
	{name: "account", first: `resource "penstock_account" "x" {
  project = penstock_project.p.id
  name = "other"
}`, second: `resource "penstock_account" "x" {
  project = penstock_project.p.id
  name = "another"
  limits = { connections = 500, payload = "2MiB", jetstream = { storage = "50GiB", streams = 20 } }
  mappings = [{ subject = "a.*", destinations = [{ subject = "b.$1", weight = 50 }] }]
}`, update: true},
	{name: "signing_key_group", first: `resource "penstock_signing_key_group" "x" {
  account = penstock_account.a.id
  name = "other"
  scope = { publish = { allow = ["orders.>"] }, subscribe = { allow = ["_INBOX.>"] } }
}`, second: `resource "penstock_signing_key_group" "x" {
  account = penstock_account.a.id
  name = "other"
  scope = { publish = { allow = ["orders.>", "bills.>"], deny = ["orders.x"] }, payload = "1MiB", responses = { max = 3, ttl = "1m" } }
}`, update: true},
	{name: "user", first: `resource "penstock_user" "x" {
  signing_key_group = penstock_signing_key_group.g.id
  name = "other"
  jwt_ttl = "720h"
}`, second: `resource "penstock_user" "x" {
  signing_key_group = penstock_signing_key_group.g.id
  name = "other"
  jwt_ttl = "24h"
  tags = ["team:red"]
  disabled = true
}`, update: true},
	{name: "credential", first: `resource "penstock_credential" "x" {
  user = penstock_user.u.id
  public_key = "` + userKey + `"
}`, second: `resource "penstock_credential" "x" {
  user = penstock_user.u.id
  public_key = "` + userKey + `"
  keepers = { version = "2" }
  overlap = "1h"
}`, update: true, ignore: []string{"jwt", "keepers", "overlap", "state"}},
	{name: "user_revocation", first: `resource "penstock_user_revocation" "x" {
  account = penstock_account.a.id
  public_key = "` + userKey + `"
  reason = "lost"
}`},
	{name: "stream", first: `resource "penstock_stream" "x" {
  account = penstock_account.a.id
  name = "ORDERS"
  subjects = ["orders.>"]
  max_age = "168h"
  max_bytes = "1GiB"
}`, second: `resource "penstock_stream" "x" {
  account = penstock_account.a.id
  name = "ORDERS"
  subjects = ["bills.>", "orders.>"]
  max_age = "72h"
  max_bytes = "2GiB"
  num_replicas = 3
  metadata = { team = "red" }
  placement = { tags = ["ssd"] }
  sources = [{ name = "OTHER", filter_subject = "a.b" }]
}`, update: true},
	{name: "consumer", first: `resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name = "S"
}
resource "penstock_consumer" "x" {
  account = penstock_account.a.id
  stream = penstock_stream.s.name
  name = "worker"
  ack_wait = "30s"
}`, second: `resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name = "S"
}
resource "penstock_consumer" "x" {
  account = penstock_account.a.id
  stream = penstock_stream.s.name
  name = "worker"
  ack_wait = "1m"
  max_deliver = 5
  backoff = ["1m", "2m"]
  filter_subjects = ["S.a", "S.b"]
}`, update: true},
	{name: "kv_bucket", first: `resource "penstock_kv_bucket" "x" {
  account = penstock_account.a.id
  name = "settings"
}`, second: `resource "penstock_kv_bucket" "x" {
  account = penstock_account.a.id
  name = "settings"
  history = 5
  ttl = "24h"
  num_replicas = 3
  max_value_size = "1MiB"
}`, update: true},
	{name: "kv_entry", first: `resource "penstock_kv_bucket" "b" {
  account = penstock_account.a.id
  name = "settings"
}
resource "penstock_kv_entry" "x" {
  account = penstock_account.a.id
  bucket = penstock_kv_bucket.b.name
  key = "a/b.c"
  value = "one"
}`, second: `resource "penstock_kv_bucket" "b" {
  account = penstock_account.a.id
  name = "settings"
}
resource "penstock_kv_entry" "x" {
  account = penstock_account.a.id
  bucket = penstock_kv_bucket.b.name
  key = "a/b.c"
  value = "two"
}`, update: true},
	{name: "object_bucket", first: `resource "penstock_object_bucket" "x" {
  account = penstock_account.a.id
  name = "files"
}`, second: `resource "penstock_object_bucket" "x" {
  account = penstock_account.a.id
  name = "files"
  description = "invoices"
  max_bytes = "10GiB"
}`, update: true},
	{name: "export", first: `resource "penstock_export" "x" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.>"
  type = "stream"
}`, second: `resource "penstock_export" "x" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.eu.>"
  type = "stream"
  description = "in Europe"
  token_required = false
}`, update: true},
	{name: "share", first: `resource "penstock_account" "b" {
  project = penstock_project.p.id
  name = "billing"
}
resource "penstock_export" "e" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.>"
  type = "stream"
}
resource "penstock_share" "x" {
  export = penstock_export.e.id
  target_account = penstock_account.b.id
}`},
	{name: "import", first: `resource "penstock_account" "b" {
  project = penstock_project.p.id
  name = "billing"
}
resource "penstock_import" "x" {
  account = penstock_account.b.id
  name = "events"
  remote_account = penstock_account.a.id
  type = "stream"
  subject = "orders.>"
}`, second: `resource "penstock_account" "b" {
  project = penstock_project.p.id
  name = "billing"
}
resource "penstock_import" "x" {
  account = penstock_account.b.id
  name = "events"
  remote_account = penstock_account.a.id
  type = "stream"
  subject = "orders.>"
  local_subject = "theirs.>"
}`, update: true},
	{name: "service_account", first: `resource "penstock_service_account" "x" {
  name = "ci"
}`, second: `resource "penstock_service_account" "x" {
  name = "ci"
  description = "pipelines"
  disabled = true
}`, update: true},
	{name: "api_token", first: `resource "penstock_service_account" "s" {
  name = "ci"
}
resource "penstock_api_token" "x" {
  service_account = penstock_service_account.s.id
  name = "deploy"
  scopes = ["*:read"]
}`, second: `resource "penstock_service_account" "s" {
  name = "ci"
}
resource "penstock_api_token" "x" {
  service_account = penstock_service_account.s.id
  name = "deploy"
  scopes = ["*:read", "streams:write"]
  cidrs = ["203.0.113.0/24"]
}`, update: true, ignore: []string{"rotated_at"}},
	{name: "role_assignment", first: `resource "penstock_service_account" "s" {
  name = "ci"
}
resource "penstock_role_assignment" "x" {
  principal = penstock_service_account.s.id
  role = "developer"
  project = penstock_project.p.id
}`},
}

// Every kind is made, read with an empty plan, changed in place, imported with all its values, and destroyed.
func TestLifecycle(t *testing.T) {
	for _, each := range lifecycles {
		t.Run(each.name, func(t *testing.T) {
			f := serve(t)
			address := "penstock_" + each.name + ".x"
			steps := []resource.TestStep{{
				Config: f.with("%s", base+each.first),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			}, {
				ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.ignore,
			}}
			if each.update {
				steps = append(steps, resource.TestStep{
					Config: f.with("%s", base+each.second),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
				}, resource.TestStep{
					ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.ignore,
				})
			}
			resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
			if left := f.Count("Project"); left != 0 {
				t.Errorf("%d projects are left after destroy", left)
			}
			for _, call := range f.Calls("POST", "") {
				if !strings.HasPrefix(call.Header.Get("User-Agent"), "terraform/") {
					t.Errorf("%s came from %q", call.Path, call.Header.Get("User-Agent"))
				}
			}
		})
	}
}

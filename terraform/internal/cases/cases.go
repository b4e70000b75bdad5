// Package cases holds configurations of every kind, for the tests against the API document and for those against a real stack.
package cases

import (
	"strings"

	"github.com/nats-io/nkeys"
)

// With puts a suffix into the names that are unique in an organisation.
func With(configuration, suffix string) string {
	return strings.ReplaceAll(configuration, "SUFFIX", suffix)
}

// Base makes a project, an account, a group and a user.
const Base = `
resource "penstock_project" "p" {
  name = "prod-SUFFIX"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "orders"
}
resource "penstock_signing_key_group" "g" {
  account = penstock_account.a.id
  name    = "services"
}
resource "penstock_user" "u" {
  signing_key_group = penstock_signing_key_group.g.id
  name              = "billing-svc"
}
`

// UserKey is a public key whose seed nobody has.
var UserKey = publicKey(nkeys.CreateUser)

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

// Case is one kind with a first and a second configuration.
type Case struct {
	// Name of the kind.
	Name string
	// First and Second configuration of the resource "x"; Second is empty where everything makes a new object.
	First, Second string
	// Ignore lists what an import cannot know.
	Ignore []string
}

// Kinds are all kinds.
var Kinds = []Case{
	{Name: "project", First: `resource "penstock_project" "x" {
  name = "other-SUFFIX"
}`, Second: `resource "penstock_project" "x" {
  name        = "another-SUFFIX"
  description = "a text"
  environment = "production"
  deletion_protection = false
}`},
	{Name: "account", First: `resource "penstock_account" "x" {
  project = penstock_project.p.id
  name = "other"
}`, Second: `resource "penstock_account" "x" {
  project = penstock_project.p.id
  name = "another"
  limits = { connections = 500, payload = "2MiB", jetstream = { storage = "50GiB", streams = 20 } }
  mappings = [{ subject = "a.*", destinations = [{ subject = "b.$1", weight = 50 }] }]
}`},
	{Name: "signing_key_group", First: `resource "penstock_signing_key_group" "x" {
  account = penstock_account.a.id
  name = "other"
  scope = { publish = { allow = ["orders.>"] }, subscribe = { allow = ["_INBOX.>"] } }
}`, Second: `resource "penstock_signing_key_group" "x" {
  account = penstock_account.a.id
  name = "other"
  scope = { publish = { allow = ["orders.>", "bills.>"], deny = ["orders.x"] }, payload = "1MiB", responses = { max = 3, ttl = "1m" } }
}`},
	{Name: "user", First: `resource "penstock_user" "x" {
  signing_key_group = penstock_signing_key_group.g.id
  name = "other"
  jwt_ttl = "720h"
}`, Second: `resource "penstock_user" "x" {
  signing_key_group = penstock_signing_key_group.g.id
  name = "other"
  jwt_ttl = "24h"
  tags = ["team:red"]
  disabled = true
}`},
	{Name: "credential", First: `resource "penstock_credential" "x" {
  user = penstock_user.u.id
  public_key = "` + UserKey + `"
}`, Second: `resource "penstock_credential" "x" {
  user = penstock_user.u.id
  public_key = "` + UserKey + `"
  keepers = { version = "2" }
  overlap = "1h"
}`, Ignore: []string{"jwt", "keepers", "overlap", "state"}},
	{Name: "user_revocation", First: `resource "penstock_user_revocation" "x" {
  account = penstock_account.a.id
  public_key = "` + UserKey + `"
  reason = "lost"
}`},
	{Name: "stream", First: `resource "penstock_stream" "x" {
  account = penstock_account.a.id
  name = "ORDERS"
  subjects = ["orders.>"]
  max_age = "168h"
  max_bytes = "1GiB"
}`, Second: `resource "penstock_stream" "x" {
  account = penstock_account.a.id
  name = "ORDERS"
  subjects = ["bills.>", "orders.>"]
  max_age = "72h"
  max_bytes = "2GiB"
  max_msgs_per_subject = 10
  allow_direct = true
  metadata = { team = "red" }
  subject_transform = { src = "orders.old.>", dest = "orders.new.>" }
  republish = { src = "orders.>", dest = "seen.>", headers_only = true }
  consumer_limits = { max_ack_pending = 50 }
}`},
	{Name: "consumer", First: `resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name = "S"
}
resource "penstock_consumer" "x" {
  account = penstock_account.a.id
  stream = penstock_stream.s.name
  name = "worker"
  ack_wait = "30s"
}`, Second: `resource "penstock_stream" "s" {
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
}`},
	{Name: "kv_bucket", First: `resource "penstock_kv_bucket" "x" {
  account = penstock_account.a.id
  name = "settings"
}`, Second: `resource "penstock_kv_bucket" "x" {
  account = penstock_account.a.id
  name = "settings"
  history = 5
  ttl = "24h"
  max_value_size = "1MiB"
}`},
	{Name: "kv_entry", First: `resource "penstock_kv_bucket" "b" {
  account = penstock_account.a.id
  name = "settings"
  force_destroy = true
}
resource "penstock_kv_entry" "x" {
  account = penstock_account.a.id
  bucket = penstock_kv_bucket.b.name
  key = "a/b.c"
  value = "one"
}`, Second: `resource "penstock_kv_bucket" "b" {
  account = penstock_account.a.id
  name = "settings"
  force_destroy = true
}
resource "penstock_kv_entry" "x" {
  account = penstock_account.a.id
  bucket = penstock_kv_bucket.b.name
  key = "a/b.c"
  value = "two"
}`},
	{Name: "object_bucket", First: `resource "penstock_object_bucket" "x" {
  account = penstock_account.a.id
  name = "files"
}`, Second: `resource "penstock_object_bucket" "x" {
  account = penstock_account.a.id
  name = "files"
  description = "invoices"
  max_bytes = "10GiB"
}`},
	{Name: "export", First: `resource "penstock_export" "x" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.>"
  type = "stream"
}`, Second: `resource "penstock_export" "x" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.eu.>"
  type = "stream"
  description = "in Europe"
  token_required = false
}`},
	{Name: "share", First: `resource "penstock_account" "b" {
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
	{Name: "import", First: `resource "penstock_account" "b" {
  project = penstock_project.p.id
  name = "billing"
}
resource "penstock_export" "e" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.>"
  type = "stream"
  token_required = false
}
resource "penstock_import" "x" {
  account = penstock_account.b.id
  name = "events"
  remote_account = penstock_export.e.account
  type = "stream"
  subject = "orders.>"
}`, Second: `resource "penstock_account" "b" {
  project = penstock_project.p.id
  name = "billing"
}
resource "penstock_export" "e" {
  account = penstock_account.a.id
  name = "events"
  subject = "orders.>"
  type = "stream"
  token_required = false
}
resource "penstock_import" "x" {
  account = penstock_account.b.id
  name = "events"
  remote_account = penstock_export.e.account
  type = "stream"
  subject = "orders.>"
  local_subject = "theirs.>"
}`},
	{Name: "service_account", First: `resource "penstock_service_account" "x" {
  name = "ci-SUFFIX"
}`, Second: `resource "penstock_service_account" "x" {
  name = "ci-SUFFIX"
  description = "pipelines"
  disabled = true
}`},
	{Name: "api_token", First: `resource "penstock_service_account" "s" {
  name = "ci-SUFFIX"
}
resource "penstock_api_token" "x" {
  service_account = penstock_service_account.s.id
  name = "deploy"
  scopes = ["*:read"]
}`, Second: `resource "penstock_service_account" "s" {
  name = "ci-SUFFIX"
}
resource "penstock_api_token" "x" {
  service_account = penstock_service_account.s.id
  name = "deploy"
  scopes = ["*:read", "streams:write"]
  cidrs = ["203.0.113.0/24"]
}`, Ignore: []string{"rotated_at"}},
	{Name: "role_assignment", First: `resource "penstock_service_account" "s" {
  name = "ci-SUFFIX"
}
resource "penstock_role_assignment" "x" {
  principal = penstock_service_account.s.id
  role = "developer"
  project = penstock_project.p.id
}`},
}

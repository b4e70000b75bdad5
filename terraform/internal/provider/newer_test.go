package provider_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/nats-io/nkeys"

	"github.com/penstock/terraform-provider-penstock/internal/contract"
)

// With a provider that shows what ephemeral values were.
var withEcho = map[string]func() (tfprotov6.ProviderServer, error){
	"penstock": factories["penstock"],
	"echo":     echoprovider.NewProviderServer(),
}

func since(version ...tfversion.TerraformVersionCheck) []tfversion.TerraformVersionCheck {
	return version
}

func TestLeaseIsRevokedWhenTheRunIsOver(t *testing.T) {
	f := serve(t)
	lease := `
ephemeral "penstock_credential" "c" {
  user = penstock_user.u.id
}
provider "echo" { data = ephemeral.penstock_credential.c }
resource "echo" "it" {}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: withEcho, Steps: []resource.TestStep{
		{Config: f.with(base)},
		{Config: f.with("%s", base+lease), ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue("echo.it", tfjsonpath.New("data").AtMapKey("creds"), knownvalue.StringRegexp(regexp.MustCompile(`BEGIN USER NKEY SEED`))),
		}},
	}})
	if len(f.Calls("POST", "/actions/issue")) == 0 || len(f.Calls("POST", "/actions/revoke")) != len(f.Calls("POST", "/actions/issue")) {
		t.Errorf("%d issued, %d revoked", len(f.Calls("POST", "/actions/issue")), len(f.Calls("POST", "/actions/revoke")))
	}
}

func TestDetachedIsIssuedOncePerKey(t *testing.T) {
	f := serve(t)
	detached := func(version int) string {
		return f.with("%s", base+fmt.Sprintf(`
resource "terraform_data" "version" {
  triggers_replace = %d
}
ephemeral "penstock_credential" "c" {
  user      = penstock_user.u.id
  mode      = "detached"
  issue_key = terraform_data.version.id
}
provider "echo" { data = { given = ephemeral.penstock_credential.c.creds != null } }
resource "echo" "it" {}
`, version))
	}
	given := func(yes bool) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectKnownValue("echo.it", tfjsonpath.New("data").AtMapKey("given"), knownvalue.Bool(yes))}
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: withEcho, Steps: []resource.TestStep{
		{Config: f.with(base)},
		{Config: detached(1), ConfigStateChecks: given(true)},
		{Config: detached(1)},
		{Config: detached(2)},
	}})
	if issued := len(f.Secrets()); issued != 2 {
		t.Errorf("%d were issued for 2 keys", issued)
	}
}

func TestTokenForTheRun(t *testing.T) {
	f := serve(t)
	config := base + `
resource "penstock_service_account" "s" { name = "ci" }
ephemeral "penstock_api_token" "t" {
  service_account = penstock_service_account.s.id
  scopes          = ["*:read"]
}
ephemeral "penstock_nkey" "k" {}
provider "echo" { data = { token = ephemeral.penstock_api_token.t.secret, key = ephemeral.penstock_nkey.k.public_key } }
resource "echo" "it" {}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: withEcho, Steps: []resource.TestStep{
		{Config: f.with("%s", config), ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue("echo.it", tfjsonpath.New("data").AtMapKey("token"), knownvalue.StringRegexp(regexp.MustCompile(`^pst_`))),
			statecheck.ExpectKnownValue("echo.it", tfjsonpath.New("data").AtMapKey("key"), knownvalue.StringRegexp(regexp.MustCompile(`^U`))),
		}},
	}})
	if made, ended := len(f.Calls("POST", "/tokens")), len(f.Calls("DELETE", "/tokens/")); made == 0 || made != ended {
		t.Errorf("%d made, %d revoked", made, ended)
	}
}

func TestFunctions(t *testing.T) {
	f := serve(t)
	creds := "-----BEGIN NATS USER JWT-----\\neyJx\\n------END NATS USER JWT------\\n-----BEGIN USER NKEY SEED-----\\n" + seedOf(t) + "\\n------END USER NKEY SEED------\\n"
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
		Config: f.with("%s", `
output "seconds" { value = provider::penstock::duration_seconds("3d") }
output "covers" { value = provider::penstock::subject_matches("orders.*.new", "orders.eu.new") }
output "kind" { value = provider::penstock::nkey_type("`+userKey+`") }
output "none" { value = provider::penstock::nkey_type("x") == null }
output "jwt" { value = provider::penstock::parse_creds("`+creds+`").jwt }
output "who" { value = provider::penstock::nkey_type(provider::penstock::parse_creds("`+creds+`").public_key) }
`),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("seconds", knownvalue.Int64Exact(259200)),
			statecheck.ExpectKnownOutputValue("covers", knownvalue.Bool(true)),
			statecheck.ExpectKnownOutputValue("kind", knownvalue.StringExact("user")),
			statecheck.ExpectKnownOutputValue("none", knownvalue.Bool(true)),
			statecheck.ExpectKnownOutputValue("jwt", knownvalue.StringExact("eyJx")),
			statecheck.ExpectKnownOutputValue("who", knownvalue.StringExact("user")),
		},
	}}})
}

func TestDataSources(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
		Config: f.with("%s", fmt.Sprintf(stream, "")+`
resource "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = "c"
}
data "penstock_organization" "own" {}
data "penstock_organization" "named" { name = "acme" }
data "penstock_project" "p" {
  name       = "prod"
  depends_on = [penstock_project.p]
}
data "penstock_projects" "all" { depends_on = [penstock_project.p] }
data "penstock_account" "a" {
  project    = penstock_project.p.id
  name       = "orders"
  depends_on = [penstock_account.a]
}
data "penstock_accounts" "all" {
  project    = penstock_project.p.id
  depends_on = [penstock_account.a]
}
data "penstock_stream" "s" {
  account = penstock_account.a.id
  name    = penstock_stream.s.name
}
data "penstock_streams" "all" {
  account    = penstock_account.a.id
  depends_on = [penstock_stream.s]
}
data "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = penstock_consumer.c.name
}
data "penstock_consumers" "all" {
  account    = penstock_account.a.id
  stream     = penstock_stream.s.name
  depends_on = [penstock_consumer.c]
}
data "penstock_users" "all" {
  account    = penstock_account.a.id
  depends_on = [penstock_user.u]
}
data "penstock_connection_info" "i" { account = penstock_account.a.id }
data "penstock_current_principal" "me" {}
data "penstock_permission_check" "may" { permission = "streams:write" }
`),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("data.penstock_organization.own", "name", "acme"),
			resource.TestCheckResourceAttr("data.penstock_organization.named", "id", contract.OrganizationID),
			resource.TestCheckResourceAttrPair("data.penstock_project.p", "id", "penstock_project.p", "id"),
			resource.TestCheckResourceAttr("data.penstock_projects.all", "projects.0.name", "prod"),
			resource.TestCheckResourceAttrPair("data.penstock_account.a", "id", "penstock_account.a", "id"),
			resource.TestCheckResourceAttr("data.penstock_accounts.all", "accounts.#", "1"),
			resource.TestCheckResourceAttr("data.penstock_stream.s", "state.messages", "0"),
			resource.TestCheckResourceAttr("data.penstock_streams.all", "streams.0.name", "ORDERS"),
			resource.TestCheckResourceAttr("data.penstock_consumer.c", "num_pending", "0"),
			resource.TestCheckResourceAttr("data.penstock_consumers.all", "consumers.0.name", "c"),
			resource.TestCheckResourceAttr("data.penstock_users.all", "users.0.name", "billing-svc"),
			resource.TestCheckResourceAttr("data.penstock_connection_info.i", "client_urls.0", "nats://127.0.0.1:4222"),
			resource.TestCheckResourceAttr("data.penstock_current_principal.me", "organizations.0.role", "owner"),
			resource.TestCheckResourceAttr("data.penstock_permission_check.may", "allowed", "true"),
		),
	}}})
}

func TestActionsRunWithTheirResource(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories, TerraformVersionChecks: since(tfversion.SkipBelow(tfversion.Version1_14_0)),
		Steps: []resource.TestStep{{Config: f.with("%s", base+`
action "penstock_purge_stream" "p" {
  config {
    account = penstock_account.a.id
    stream  = "ORDERS"
    keep    = 5
  }
}
resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name    = "ORDERS"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.penstock_purge_stream.p]
    }
  }
}
`)}},
	})
	calls := f.Calls("POST", "/streams/ORDERS/actions/purge")
	if len(calls) != 1 || calls[0].Body["keep"] != "5" {
		t.Errorf("%v", calls)
	}
}

func TestActionsOnConsumersAndKeys(t *testing.T) {
	f := serve(t)
	consumer := "\n    account = penstock_account.a.id\n    stream = \"ORDERS\"\n    consumer = \"c\"\n"
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories, TerraformVersionChecks: since(tfversion.SkipBelow(tfversion.Version1_14_0)),
		Steps: []resource.TestStep{{Config: f.with("%s", fmt.Sprintf(stream, "")+`
action "penstock_pause_consumer" "a" {
  config {`+consumer+`    until = "2030-01-01T00:00:00Z"
  }
}
action "penstock_resume_consumer" "a" {
  config {`+consumer+`  }
}
action "penstock_rotate_credential" "a" {
  config {
    user       = penstock_user.u.id
    public_key = "`+userKey+`"
    overlap    = "1h"
  }
}
action "penstock_rotate_signing_key" "a" {
  config {
    signing_key_group = penstock_signing_key_group.g.id
    overlap           = "3d"
  }
}
resource "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = "c"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.penstock_pause_consumer.a, action.penstock_resume_consumer.a, action.penstock_rotate_credential.a, action.penstock_rotate_signing_key.a]
    }
  }
}
`)}},
	})
	for path, want := range map[string]map[string]any{
		"/consumers/c/actions/pause":  {"pause_until": "2030-01-01T00:00:00Z"},
		"/consumers/c/actions/resume": nil,
		"/users/":                     {"public_key": userKey, "overlap": "1h"},
		"/signing-key-groups/":        {"overlap": "72h"},
	} {
		if calls := f.Calls("POST", path); len(calls) != 1 || !reflect.DeepEqual(calls[0].Body, want) {
			t.Errorf("%s: %v", path, calls)
		}
	}
}

func TestMistakesInActionsAreFoundAtPlan(t *testing.T) {
	f := serve(t)
	for config, want := range map[string]string{
		`action "penstock_purge_stream" "a" {
  config {
    account = "acct_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
    stream  = "S"
    seq     = 1
    keep    = 1
  }
}`: `Set\s+seq\s+or\s+keep`,
		`action "penstock_rotate_credential" "a" {
  config {
    user       = "usr_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"
    public_key = "nonsense"
  }
}`: `public\s+user\s+nkey`,
	} {
		resource.UnitTest(t, resource.TestCase{
			ProtoV6ProviderFactories: factories, TerraformVersionChecks: since(tfversion.SkipBelow(tfversion.Version1_14_0)),
			Steps: []resource.TestStep{{Config: f.with("%s", config), PlanOnly: true, ExpectError: regexp.MustCompile(want)}},
		})
	}
}

func TestQueryListsEveryObject(t *testing.T) {
	f := serve(t)
	three := base + `
resource "penstock_stream" "s" {
  count   = 3
  account = penstock_account.a.id
  name    = "S${count.index}"
}
`
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories, TerraformVersionChecks: since(tfversion.SkipBelow(tfversion.Version1_14_0)),
		Steps: []resource.TestStep{
			{Config: f.with("%s", three)},
			{
				Query: true,
				// The provider block of the step before is still there.
				Config: `
list "penstock_project" "all" {
  provider = penstock
}
`,
				QueryResultChecks: []querycheck.QueryResultCheck{querycheck.ExpectLength("penstock_project.all", 1)},
			},
		},
	})
}

func TestNothingSecretIsInTheState(t *testing.T) {
	f := serve(t)
	config := base + `
resource "penstock_credential" "c" {
  user       = penstock_user.u.id
  public_key = "` + userKey + `"
}
resource "penstock_service_account" "s" { name = "ci" }
resource "penstock_api_token" "t" {
  service_account = penstock_service_account.s.id
  name            = "deploy"
  scopes          = ["*"]
}
resource "penstock_kv_bucket" "b" {
  account = penstock_account.a.id
  name    = "b"
}
resource "penstock_kv_entry" "e" {
  account          = penstock_account.a.id
  bucket           = penstock_kv_bucket.b.name
  key              = "k"
  value_wo         = "very-secret-value"
  value_wo_version = 1
}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
		Config: f.with("%s", config),
		Check: func(state *terraform.State) error {
			content := state.String()
			for _, secret := range append(f.Secrets(), "very-secret-value", "-----BEGIN") {
				if strings.Contains(content, secret) {
					return fmt.Errorf("%.10s… is in the state", secret)
				}
			}
			return nil
		},
	}, {
		Config:           f.with("%s", config),
		ConfigPlanChecks: emptyPlan,
	}}})
}

func seedOf(t *testing.T) string {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return string(seed)
}

package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/penstock/terraform-provider-penstock/internal/contract"
)

// A secret is in the first answer only: where that is lost, another secret is made, and never an empty one handed on.
func TestLostSecretsAreMadeAnew(t *testing.T) {
	f := serve(t)
	lose := func() {
		f.Inject(contract.Fault{Method: "POST", Path: "/actions/issue", Lose: true, Times: 2})
		f.Inject(contract.Fault{Method: "POST", Path: "/tokens", Lose: true, Times: 2})
	}
	config := base + `
resource "penstock_service_account" "s" { name = "ci" }
resource "penstock_api_token" "t" {
  service_account = penstock_service_account.s.id
  name            = "deploy"
  scopes          = ["*:read"]
  store_in_state  = true
}
resource "penstock_credential" "c" {
  user           = penstock_user.u.id
  store_in_state = true
}
resource "penstock_credential" "own" {
  user       = penstock_user.u.id
  public_key = "` + userKey + `"
  depends_on = [penstock_credential.c]
}
`
	known := func(address, attribute string) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), knownvalue.NotNull())
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{PreConfig: lose, Config: f.with("%s", config), ConfigStateChecks: []statecheck.StateCheck{
			known("penstock_api_token.t", "secret"), known("penstock_credential.c", "creds"), known("penstock_credential.own", "jwt"),
		}},
		{Config: f.with("%s", config), ConfigPlanChecks: emptyPlan},
	}})
}

// One issue_key gives one credential; when its answer was lost the secret store must not be given nothing.
func TestLostDetachedCredentialIsAnError(t *testing.T) {
	f := serve(t)
	detached := base + `
ephemeral "penstock_credential" "c" {
  user      = penstock_user.u.id
  mode      = "detached"
  issue_key = "1"
}
provider "echo" { data = { given = ephemeral.penstock_credential.c.creds != null } }
resource "echo" "it" {}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: withEcho, Steps: []resource.TestStep{
		{Config: f.with(base)},
		{
			PreConfig:   func() { f.Inject(contract.Fault{Method: "POST", Path: "/actions/issue", Lose: true}) },
			Config:      f.with("%s", detached),
			ExpectError: regexp.MustCompile(`(?s)answer\s+with\s+its\s+secret\s+was\s+lost.*another\s+issue_key`),
		},
	}})
	if len(f.Calls("POST", "/actions/revoke")) == 0 {
		t.Error("a credential whose seed nobody has is still good")
	}
}

const bucket = `
resource "penstock_kv_bucket" "b" {
  account       = penstock_account.a.id
  name          = "B"
  force_destroy = true
}
`

const entry = bucket + `
resource "penstock_kv_entry" "e" {
  account = penstock_account.a.id
  bucket  = penstock_kv_bucket.b.name
  key     = "k"
  value   = "mine"
}
`

func TestLostAnswerToAnEntryIsNoConflict(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{
			PreConfig: func() { f.Inject(contract.Fault{Method: "PUT", Path: "/entries/", Lose: true}) },
			Config:    f.with("%s", base+entry),
		},
		{Config: f.with("%s", base+entry), ConfigPlanChecks: emptyPlan},
	}})
}

func TestKilledApplyFindsItsEntryAgain(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{
			PreConfig: func() { f.Inject(contract.Fault{Method: "PUT", Path: "/entries/", Lose: true, Times: 99}) },
			Config:    f.under("max_retries = 0", base+entry), ExpectError: regexp.MustCompile(`got\s+no\s+answer`),
		},
		{PreConfig: f.Mend, Config: f.with("%s", base+entry), ConfigPlanChecks: expectAction("penstock_kv_entry.e", plancheck.ResourceActionCreate)},
	}})
}

func TestEntryOfSomebodyElseIsNotTaken(t *testing.T) {
	f := serve(t)
	second := base + entry + `
resource "penstock_kv_entry" "again" {
  account    = penstock_account.a.id
  bucket     = penstock_kv_bucket.b.name
  key        = "k"
  value      = "mine"
  depends_on = [penstock_kv_entry.e]
}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with("%s", base+entry)},
		{Config: f.with("%s", second), ExpectError: regexp.MustCompile(`already_exists`)},
	}})
}

func TestChangedEntryIsNotDestroyed(t *testing.T) {
	f := serve(t)
	without := base + bucket
	moved := func() {
		f.Before("DELETE", "/entries/", func() { f.Change(f.Find("/entries", "k"), map[string]any{"value": "theirs"}) })
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with("%s", base+entry)},
		{PreConfig: moved, Config: f.with("%s", without), ExpectError: regexp.MustCompile(`(?s)changed\s+outside\s+Terraform`)},
		{Config: f.with("%s", base+entry)},
	}})
}

// With a token of another organisation nothing is there; that must not empty the state.
func TestTokenOfAnotherOrganisationEmptiesNoState(t *testing.T) {
	f := serve(t)
	config := f.with(stream, "")
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: config},
		{
			PreConfig:   func() { f.MoveToken("org_01J9ZQ4T7YJ3M5X8R2B6C0D1EG") },
			Config:      config,
			ExpectError: regexp.MustCompile(`(?s)does\s+not\s+work\s+in\s+the\s+organisation\s+` + contract.OrganizationID),
		},
		{PreConfig: func() { f.MoveToken(contract.OrganizationID) }, Config: config, ConfigPlanChecks: emptyPlan},
	}})
}

// What only the apply finds out is not tried when planning.
func TestChangeByWhatIsKnownAfterApply(t *testing.T) {
	f := serve(t)
	config := func(more string) string {
		return f.with("%s", fmt.Sprintf(stream, more)+"\nresource \"terraform_data\" \"d\" {}\n")
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		{Config: config("max_age = \"1h\"\n metadata = { owner = terraform_data.d.id }"),
			ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionUpdate)},
	}})
}

// A project that another resource of the same apply gives is not that of the environment.
func TestProviderDefaultsThatAreKnownAfterApply(t *testing.T) {
	f := serve(t)
	first := fmt.Sprintf("provider \"penstock\" {\n  endpoint = %q\n  token = %q\n}\n", f.URL, contract.Token)
	second := fmt.Sprintf("provider \"penstock\" {\n  alias = \"inside\"\n  endpoint = %q\n  token = %q\n  project = penstock_project.p.id\n}\n", f.URL, contract.Token)
	config := first + second + `
resource "penstock_project" "p" { name = "prod" }
resource "penstock_account" "a" {
  provider = penstock.inside
  name     = "orders"
}
`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: config, Check: resource.TestCheckResourceAttrPair("penstock_account.a", "project", "penstock_project.p", "id")},
		{Config: config, ConfigPlanChecks: emptyPlan},
	}})
}

func TestProviderSettingsAreChecked(t *testing.T) {
	for line, want := range map[string]string{"max_retries = -1": `Invalid max_retries`, `request_timeout = "0s"`: `Invalid request_timeout`} {
		t.Run(line, func(t *testing.T) {
			f := serve(t)
			resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
				{Config: f.under(line, base), PlanOnly: true, ExpectError: regexp.MustCompile(want)},
			}})
		})
	}
}

func TestImportCommandsOfOtherKinds(t *testing.T) {
	f := serve(t)
	twice := func(kind, name, body string) string {
		return fmt.Sprintf("resource %q %q {%s}\nresource %q \"again\" {%s  depends_on = [%s.%s]\n}\n", kind, name, body, kind, body, kind, name)
	}
	for want, config := range map[string]string{
		`terraform\s+import\s+penstock_consumer.<name>\s+'acct_\w+/ORDERS/c'`: fmt.Sprintf(stream, "") + twice("penstock_consumer", "c",
			"\n  account = penstock_account.a.id\n  stream = penstock_stream.s.name\n  name = \"c\"\n"),
	} {
		resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
			{Config: f.with("%s", config), ExpectError: regexp.MustCompile(`(?s)` + want)},
		}})
	}
}

package provider_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

func limited(storage, rest string) string {
	return strings.ReplaceAll(`
resource "penstock_project" "p" {
  name = "prod"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "orders"
  limits  = { jetstream = { storage = "STORAGE", storage_max_stream = "2GiB", max_ack_pending = 100 } }
}
`, "STORAGE", storage) + rest
}

func TestAboveTheAccountsLimitsIsAPlanError(t *testing.T) {
	f := serve(t)
	object := func(max string) string {
		return "resource \"penstock_stream\" \"s\" {\n  account = penstock_account.a.id\n  name = \"S\"\n  max_bytes = \"" + max + "\"\n}\n"
	}
	bucket := "resource \"penstock_kv_bucket\" \"b\" {\n  account = penstock_account.a.id\n  name = \"B\"\n  max_bytes = \"3GiB\"\n}\n"
	consumer := object("1GiB") + "resource \"penstock_consumer\" \"c\" {\n  account = penstock_account.a.id\n  stream = penstock_stream.s.name\n  name = \"c\"\n  max_ack_pending = 101\n}\n"
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with("%s", limited("1GiB", ""))},
		{Config: f.with("%s", limited("1GiB", object("1500MiB"))), PlanOnly: true, ExpectError: regexp.MustCompile(`(?s)max_bytes is 1500MiB.*for\s+all\s+its\s+streams`)},
		{Config: f.with("%s", limited("5GiB", bucket)), PlanOnly: true, ExpectError: regexp.MustCompile(`(?s)max_bytes is 3GiB.*for\s+one\s+stream`)},
		{Config: f.with("%s", limited("1GiB", consumer)), PlanOnly: true, ExpectError: regexp.MustCompile(`(?s)max_ack_pending is 101.*at\s+most\s+100`)},
		// The limit is raised by the same plan.
		{Config: f.with("%s", limited("4GiB", object("1500MiB"))), ConfigPlanChecks: resource.ConfigPlanChecks{
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		}},
	}})
}

func TestConsumerIsMadeAnewAsChosen(t *testing.T) {
	f := serve(t)
	with := func(more string) string {
		return f.with("%s", base+`
resource "penstock_stream" "s" {
  account = penstock_account.a.id
  name    = "S"
}
resource "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = "c"
  `+more+`
}
`)
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: with("max_waiting = 10")},
		{Config: with("max_waiting = 20"), PlanOnly: true, ExpectError: regexp.MustCompile(`Refusing to replace penstock_consumer`)},
		{
			Config:           with("max_waiting = 20\non_immutable_change = \"reset\""),
			ConfigPlanChecks: expectAction("penstock_consumer.c", plancheck.ResourceActionUpdate),
		},
		{
			Config:           with("max_waiting = 30\non_immutable_change = \"recreate\""),
			ConfigPlanChecks: expectAction("penstock_consumer.c", plancheck.ResourceActionReplace),
		},
		{Config: with("max_waiting = 30\non_immutable_change = \"recreate\""), ConfigPlanChecks: emptyPlan},
	}})
	if deleted, made := len(f.Calls("DELETE", "/consumers/c")), len(f.Calls("POST", "/consumers")); deleted != 3 || made != 3 {
		t.Errorf("deleted %d times and made %d times, want 3 with the end of the test, and 3", deleted, made)
	}
}

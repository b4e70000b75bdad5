package provider_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/penstock/terraform-provider-penstock/internal/contract"
)

const stream = base + `
resource "penstock_stream" "s" {
  account  = penstock_account.a.id
  name     = "ORDERS"
  subjects = ["orders.>"]
  %s
}
`

func expectAction(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

var emptyPlan = resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

func TestSameMeaningIsNoChange(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `max_age = "72h"`+"\nmax_bytes = 1048576\nduplicate_window = \"120s\"")},
		{Config: f.with(stream, `max_age = "3d"`+"\nmax_bytes = \"1MiB\"\nduplicate_window = \"2m\""), ConfigPlanChecks: emptyPlan},
		{Config: f.with(stream, `max_age = "259200s"`+"\nmax_bytes = \"1024KiB\"\nduplicate_window = \"2m0s\""), ConfigPlanChecks: emptyPlan},
	}})
}

func TestDriftShowsAndIsMended(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `max_age = "72h"`)},
		{
			PreConfig: func() {
				f.Change(f.Find("/streams", "ORDERS"), map[string]any{"max_age": "1h", "description": "by hand"})
			},
			Config:           f.with(stream, `max_age = "72h"`),
			ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionUpdate),
			// What the configuration does not set follows the server.
			Check: resource.TestCheckResourceAttr("penstock_stream.s", "description", "by hand"),
		},
		{Config: f.with(stream, `max_age = "72h"`), ConfigPlanChecks: emptyPlan},
	}})
}

func TestDeletedOutsideIsMadeAgain(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		{
			PreConfig:        func() { f.Remove(f.Find("/streams", "ORDERS")) },
			Config:           f.with(stream, ""),
			ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionCreate),
		},
	}})
}

func TestLosingChangeIsAPlanError(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `storage = "file"`)},
		{Config: f.with(stream, `storage = "memory"`), PlanOnly: true, ExpectError: regexp.MustCompile(`(?s)Refusing to replace penstock_stream.*would\s+start\s+empty`)},
		{
			Config:           f.with(stream, "storage = \"memory\"\nallow_destructive_replace = true"),
			ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionReplace),
		},
	}})
}

func TestOneWaySwitchStaysOn(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `deny_delete = true`)},
		{Config: f.with(stream, `deny_delete = false`), PlanOnly: true, ExpectError: regexp.MustCompile(`cannot\s+be\s+switched\s+off`)},
	}})
}

func TestProtectedObjectIsNotDestroyed(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `deletion_protection = true`)},
		{Config: f.with(stream, `deletion_protection = true`), Destroy: true, ExpectError: regexp.MustCompile(`(?s)Refusing to destroy.*second\s+apply`)},
		{Config: f.with(stream, `deletion_protection = false`)},
	}})
}

func TestStreamWithMessagesIsNotDestroyed(t *testing.T) {
	f := serve(t)
	hold := func() {
		path := f.Find("/streams", "ORDERS")
		state := f.Body(path)["state"].(map[string]any)
		state["last_seq"], state["messages"] = "7", "7"
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		{PreConfig: hold, Config: f.with(base), ExpectError: regexp.MustCompile(`(?s)holds\s+7\s+messages.*force_destroy`)},
		{Config: f.with(stream, `force_destroy = true`)},
	}})
}

func TestConcurrentChangeIsReported(t *testing.T) {
	f := serve(t)
	moved := func() {
		// Between the plan's reading and the change of the apply.
		f.Before("PATCH", "/streams/", func() { f.Change(f.Find("/streams", "ORDERS"), map[string]any{"max_age": "5h"}) })
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `max_age = "72h"`)},
		{PreConfig: moved, Config: f.with(stream, `max_age = "48h"`), ExpectError: regexp.MustCompile(`(?s)changed\s+outside\s+Terraform`)},
		{Config: f.with(stream, `max_age = "48h"`)},
	}})
}

func TestVersionThatMovedWithoutAChangeIsNoConflict(t *testing.T) {
	f := serve(t)
	moved := func() {
		f.Before("PATCH", "/streams/", func() { f.Change(f.Find("/streams", "ORDERS"), map[string]any{}) })
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, `max_age = "72h"`)},
		{PreConfig: moved, Config: f.with(stream, `max_age = "48h"`), Check: resource.TestCheckResourceAttr("penstock_stream.s", "max_age", "48h")},
	}})
}

func TestBusyServerIsAskedAgain(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
		PreConfig: func() {
			f.Inject(contract.Fault{Method: "POST", Path: "/streams", Status: 429, Code: "rate_limited", RetryAfter: "0", Times: 2})
			f.Inject(contract.Fault{Method: "GET", Path: "/streams/", Status: 503, Code: "unavailable", RetryAfter: "0"})
			f.Inject(contract.Fault{Method: "POST", Path: "/projects", Delay: 50 * time.Millisecond, Lose: true})
		},
		Config: f.with(stream, ""),
	}}})
	keys := map[string]int{}
	for _, call := range f.Calls("POST", "/projects") {
		keys[call.Path+call.Header.Get("Idempotency-Key")]++
	}
	for key, count := range keys {
		if count > 2 {
			t.Errorf("%s was sent %d times", key, count)
		}
	}
}

func TestErrorShowsCodeTextAndRequestID(t *testing.T) {
	f := serve(t)
	f.Inject(contract.Fault{Method: "POST", Path: "/streams", Status: 422, Code: "broker_rejected"})
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, ""), ExpectError: regexp.MustCompile(`(?s)Injected\..*422\s+broker_rejected.*request\s+id:\s+req_`)},
	}})
}

func TestExistingObjectComesWithItsImportCommand(t *testing.T) {
	f := serve(t)
	second := `
resource "penstock_stream" "again" {
  account  = penstock_account.a.id
  name     = "ORDERS"
  subjects = ["orders.>"]
  depends_on = [penstock_stream.s]
}`
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, ""), Check: resource.TestCheckResourceAttrSet("penstock_stream.s", "id")},
		{Config: f.with("%s", fmt.Sprintf(stream, "")+second), ExpectError: regexp.MustCompile(`(?s)already_exists.*terraform\s+import\s+penstock_stream`)},
	}})
}

func TestKilledApplyFindsItsObjectAgain(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{
			PreConfig: func() { f.Inject(contract.Fault{Method: "POST", Path: "/streams", Lose: true, Times: 99}) },
			Config:    f.under("max_retries = 0", fmt.Sprintf(stream, "")), ExpectError: regexp.MustCompile(`got no answer`),
		},
		{PreConfig: f.Mend, Config: f.with(stream, ""), ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionCreate)},
		{Config: f.with(stream, ""), ConfigPlanChecks: emptyPlan},
	}})
}

func TestAnotherOrganisationOrNoRightIsAnError(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		{
			PreConfig: func() {
				f.Inject(contract.Fault{Method: "GET", Path: "/streams/", Status: 403, Code: "permission_denied"})
			},
			Config:      f.with(stream, ""),
			ExpectError: regexp.MustCompile(`403\s+permission_denied`),
		},
		{Config: f.with(stream, ""), ConfigPlanChecks: emptyPlan},
	}})
}

func TestMistakesAreFoundAtPlan(t *testing.T) {
	for name, each := range map[string]struct{ body, want string }{
		"duration": {`max_age = "3 days"`, `Invalid duration`},
		"size":     {`max_bytes = "10 gigs"`, `Invalid size`},
		"subject":  {`republish = { dest = "x" }` + "\nconsumer_limits = { inactive_threshold = \"x\" }", `Invalid duration`},
		"replicas": {`num_replicas = 2`, `1, 3 or 5`},
		"enum":     {`retention = "forever"`, `limits, interest, workqueue`},
		"window":   {"max_age = \"1m\"\nduplicate_window = \"2m\"", `longer\s+than\s+max_age`},
		"mirror":   {`mirror = { name = "OTHER" }`, `A mirror has no subjects`},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t)
			resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
				{Config: f.with(stream, each.body), PlanOnly: true, ExpectError: regexp.MustCompile(each.want)},
			}})
		})
	}
}

func TestImportByReadableID(t *testing.T) {
	f := serve(t)
	read := func(id string) resource.TestStep {
		return resource.TestStep{ResourceName: "penstock_stream.s", ImportState: true, ImportStateVerify: true, ImportStateId: id}
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		read("acme/prod/orders/ORDERS"),
		read("prod/orders/ORDERS"),
		read(contract.OrganizationID + "/prod/orders/ORDERS"),
		{ResourceName: "penstock_user.u", ImportState: true, ImportStateVerify: true, ImportStateId: "acme/prod/orders/billing-svc"},
		{ResourceName: "penstock_stream.s", ImportState: true, ImportStateId: "ORDERS", ExpectError: regexp.MustCompile(`organization/project/account/stream`)},
		{ResourceName: "penstock_stream.s", ImportState: true, ImportStateId: "acme/prod/nothing/ORDERS", ExpectError: regexp.MustCompile(`no account "nothing"`)},
	}})
}

func TestConsumerPairsAreCheckedAtPlan(t *testing.T) {
	for name, each := range map[string]struct{ body, want string }{
		"push without pull":  {"deliver_subject = \"d\"\nmax_waiting = 3", `(?s)Invalid max_waiting.*Pull consumers\s+only`},
		"pull without push":  {`flow_control = true`, `(?s)Invalid flow_control`},
		"start":              {`opt_start_seq = 5`, `by_start_sequence`},
		"backoff":            {"max_deliver = 1\nbackoff = [\"1s\", \"2s\"]", `(?s)Invalid backoff`},
		"filters":            {"filter_subject = \"a\"\nfilter_subjects = [\"b\"]", `not\s+both`},
		"start without time": {`deliver_policy = "by_start_time"`, `needs\s+opt_start_time`},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t)
			resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
				Config: f.with(stream+`
resource "penstock_consumer" "c" {
  account = penstock_account.a.id
  stream  = penstock_stream.s.name
  name    = "c"
  %s
}`, "", each.body), PlanOnly: true, ExpectError: regexp.MustCompile(each.want),
			}}})
		})
	}
}

func TestNestedSettingsOfAStream(t *testing.T) {
	f := serve(t)
	config := f.with(stream, `num_replicas = 3
  placement = { tags = ["ssd"] }
  sources = [{ name = "OTHER", filter_subject = "a.b", external = { api = "$JS.other.API" }, subject_transforms = [{ src = "a.>", dest = "b.>" }] }]`)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with(stream, "")},
		{Config: config, ConfigPlanChecks: expectAction("penstock_stream.s", plancheck.ResourceActionUpdate)},
		{Config: config, ConfigPlanChecks: emptyPlan},
		{ResourceName: "penstock_stream.s", ImportState: true, ImportStateVerify: true},
	}})
}

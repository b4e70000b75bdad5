package acceptance

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/cases"
)

// What somebody else changes of a kind; kinds that are not here have nothing that is changed in place.
var drifts = map[string]api.Object{
	"project":           {"description": "drifted"},
	"account":           {"name": "drifted"},
	"signing_key_group": {"name": "drifted"},
	"user":              {"jwt_ttl": "11h"},
	"stream":            {"max_age": "11h"},
	"consumer":          {"max_deliver": 11},
	"kv_bucket":         {"history": 7},
	"object_bucket":     {"description": "drifted"},
	"export":            {"subject": "drifted.>"},
	"import":            {"name": "drifted"},
	"service_account":   {"name": "drifted"},
	"api_token":         {"name": "drifted"},
}

// Every kind: create, empty plan, import with an empty plan, update in place, drift, disappear, destroy.
func TestAccKinds(t *testing.T) {
	for _, each := range cases.Kinds {
		t.Run(each.Name, func(t *testing.T) {
			t.Parallel()
			client, suffix := stack(t)
			address, path := "penstock_"+each.Name+".x", ""
			first := cases.With(cases.Base+each.First, suffix)
			last := first
			if each.Second != "" {
				last = cases.With(cases.Base+each.Second, suffix)
			}
			remember := func(state *terraform.State) error { path = item(t, state, each.Name); return nil }
			steps := []resource.TestStep{
				{Config: first, ConfigPlanChecks: planned(address, plancheck.ResourceActionCreate)},
				{Config: first, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
				{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.Ignore},
			}
			if each.Second != "" {
				steps = append(steps, resource.TestStep{Config: last, ConfigPlanChecks: planned(address, plancheck.ResourceActionUpdate)},
					resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.Ignore})
			}
			steps = append(steps, resource.TestStep{Config: last, Check: remember})
			if patch, ok := drifts[each.Name]; ok && each.Second != "" && hasAttribute(last, patch) {
				steps = append(steps, resource.TestStep{
					PreConfig:        func() { must(t, changeOutside(client, path, patch)) },
					Config:           last,
					ConfigPlanChecks: planned(address, plancheck.ResourceActionUpdate),
				})
			}
			steps = append(steps, resource.TestStep{
				PreConfig:        func() { must(t, deleteOutside(client, each.Name, path)) },
				Config:           last,
				ConfigPlanChecks: planned(address, plancheck.ResourceActionCreate),
				Check:            remember,
			})
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: factories, Steps: steps,
				CheckDestroy: func(*terraform.State) error { return gone(client, path) },
			})
		})
	}
}

func planned(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)},
		PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
}

// A drift shows only in what the configuration sets.
func hasAttribute(configuration string, patch api.Object) bool {
	for name := range patch {
		if !containsLine(configuration, name) {
			return false
		}
	}
	return true
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("outside Terraform: %w", err))
	}
}

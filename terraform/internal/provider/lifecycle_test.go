package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/penstock/terraform-provider-penstock/internal/cases"
)

var userKey = cases.UserKey

// Every kind is made, read with an empty plan, changed in place, imported with all its values, and destroyed.
func TestLifecycle(t *testing.T) {
	for _, each := range cases.Kinds {
		t.Run(each.Name, func(t *testing.T) {
			f := serve(t)
			address := "penstock_" + each.Name + ".x"
			steps := []resource.TestStep{{
				Config: f.with("%s", cases.With(cases.Base+each.First, "x")),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate)},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			}, {
				ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.Ignore,
			}}
			if each.Second != "" {
				steps = append(steps, resource.TestStep{
					Config: f.with("%s", cases.With(cases.Base+each.Second, "x")),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
				}, resource.TestStep{
					ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: each.Ignore,
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

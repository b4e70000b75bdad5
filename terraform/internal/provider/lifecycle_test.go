package provider_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/penstock/terraform-provider-penstock/internal/cases"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
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
				Check:  func(state *terraform.State) error { return mustList(t, f, state, "penstock_"+each.Name, 1) },
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

// A revoked token has its record still, and an import of it would fail.
func TestRevokedIsNotListed(t *testing.T) {
	f := serve(t)
	config := f.with("%s", `
resource "penstock_service_account" "s" { name = "ci" }
resource "penstock_api_token" "x" {
  service_account = penstock_service_account.s.id
  name            = "deploy"
  scopes          = ["*:read"]
}`)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{{
		Config: config,
		Check: func(state *terraform.State) error {
			id := state.RootModule().Resources["penstock_api_token.x"].Primary.ID
			f.Change("/v1/tokens/"+id, map[string]any{"state": "revoked"})
			defer f.Change("/v1/tokens/"+id, map[string]any{"state": "active"})
			return mustList(t, f, state, "penstock_api_token", 0)
		},
	}}})
}

// mustList asks for what is beside the resource "x", and finds it so many times, with its id as identity or in it.
func mustList(t *testing.T, f fixture, state *terraform.State, of string, want int) error {
	t.Helper()
	attributes := state.RootModule().Resources[of+".x"].Primary.Attributes
	provider := configured(t, f)
	schemas, err := provider.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	config := kind.Values{}
	for _, a := range schemas.ListResourceSchemas[of].Block.Attributes {
		if value, ok := attributes[a.Name]; ok {
			config[a.Name] = value
		}
	}
	server, ok := provider.(tfprotov6.ListResourceServer)
	if !ok {
		return fmt.Errorf("the provider has no lists")
	}
	found, err := server.ListResource(context.Background(), &tfprotov6.ListResourceRequest{
		TypeName: of, Config: wire(t, schemas.ListResourceSchemas[of].ValueType(), config), IncludeResource: true, Limit: 100})
	if err != nil {
		return err
	}
	hits := 0
	for each := range found.Results {
		for _, fault := range each.Diagnostics {
			return fmt.Errorf("%s: %s", fault.Summary, fault.Detail)
		}
		raw, err := each.Resource.Unmarshal(schemas.ResourceSchemas[of].ValueType())
		if err != nil {
			return err
		}
		values, err := kind.ValuesFrom(raw)
		if err != nil {
			return err
		}
		if values["id"] == attributes["id"] {
			hits++
		}
	}
	if hits != want {
		return fmt.Errorf("%s %s is listed %d times, want %d", of, attributes["id"], hits, want)
	}
	return nil
}

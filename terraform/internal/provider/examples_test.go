package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/penstock/terraform-provider-penstock/internal/catalog"
)

// The examples of all kinds are one configuration that refers to itself; it is applied whole, and its plan is empty then.
func TestExamplesOfAllKindsApplyTogether(t *testing.T) {
	f := serve(t)
	var all strings.Builder
	for _, k := range catalog.All() {
		content, err := os.ReadFile(filepath.Join("..", "..", "examples", "resources", k.TypeName(), "resource.tf"))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(content)
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with("%s", all.String())},
		{Config: f.with("%s", all.String()), ConfigPlanChecks: emptyPlan},
	}})
}

func TestQuickstartApplies(t *testing.T) {
	f := serve(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{Config: f.with("%s", quickstart(t))},
		{Config: f.with("%s", quickstart(t)), ConfigPlanChecks: emptyPlan},
	}})
}

// quickstart without its own provider blocks.
func quickstart(t *testing.T) string {
	t.Helper()
	var all string
	for _, name := range []string{"main.tf", "variables.tf", "outputs.tf"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "examples", "quickstart", name))
		if err != nil {
			t.Fatal(err)
		}
		all += string(content)
	}
	start := strings.Index(all, `resource "penstock_project"`)
	return all[start:]
}

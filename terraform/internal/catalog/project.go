package catalog

import (
	"context"
	"errors"

	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Project holds accounts.
var Project = &engine.Kind{
	Name:         "project",
	Doc:          "A project: accounts that belong together, such as those of one environment of a product.",
	Collection:   "/v1/orgs/{organization}/projects",
	Item:         "/v1/projects/{id}",
	Parent:       Organization,
	ParentAttr:   "organization",
	NameField:    "name",
	Identity:     []string{"id"},
	CreateSchema: "ProjectCreate", PatchSchema: "ProjectPatch", ObjectSchema: "Project",
	DryRun:  true,
	Example: "such as acme/prod",
	Plan:    planProject,
	Attrs: append([]kind.Attr{
		id("`proj_…`"),
		slug("Name, unique in the organisation"),
		organization(),
		description(),
		oneOf("environment", "What the project is for. In a production project accounts, streams and buckets are protected from deletion unless said otherwise", "development", "production"),
		protection("the project"),
		{Name: "account_count", Type: kind.Int, Mode: kind.Computed, Volatile: true, Doc: "Accounts in it"},
		timeouts(),
	}, stamps()...),
}

func planProject(_ context.Context, _ *engine.Env, step *engine.PlanStep) error {
	down := step.State != nil && step.State["environment"] == "production" && step.Plan["environment"] == "development"
	if down && step.State["deletion_protection"] == true {
		return errors.New("a production project becomes a development project only without deletion_protection: set deletion_protection = false and apply first")
	}
	return nil
}

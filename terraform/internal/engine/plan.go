package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// ModifyPlan completes the plan and refuses what would lose data.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	state, errState := kind.ValuesFrom(req.State.Raw)
	plan, errPlan := kind.ValuesFrom(req.Plan.Raw)
	config, errConfig := kind.ValuesFrom(req.Config.Raw)
	for _, err := range []error{errState, errPlan, errConfig} {
		if err != nil {
			resp.Diagnostics.AddError("The plan cannot be read", err.Error())
			return
		}
	}
	if state != nil && r.env.Ready() == nil {
		r.holds(state)
	}
	if req.Plan.Raw.IsNull() {
		r.planDestroy(ctx, state, &resp.Diagnostics)
		return
	}
	changed := true
	if state == nil {
		r.planDefaults(ctx, config, plan, &resp.Diagnostics)
	} else {
		plan, changed = kind.Settle(r.kind.Attrs, config, state, plan)
		if state["sync_status"] == "failed" {
			plan["sync_status"], changed = kind.Unknown, true
		}
	}
	plan = r.planKind(ctx, config, state, plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if state != nil {
		replace := false
		if r.object(state, plan, &resp.Diagnostics, func(at path.Path) {
			replace = true
			resp.RequiresReplace = append(resp.RequiresReplace, at)
		}) {
			return
		}
		if replace {
			r.openForNew(config, plan)
			r.planDestroy(ctx, state, &resp.Diagnostics)
		} else if changed && r.kind.DryRun && !r.kind.MadeAnew(state, plan) {
			r.tryChange(ctx, state, plan, version(ctx, req.Private), &resp.Diagnostics)
		}
	}
	raw, err := kind.ToTerraform(resp.Plan.Schema.Type().TerraformType(ctx), plan)
	if err != nil {
		resp.Diagnostics.AddError("The plan does not fit the schema", err.Error())
		return
	}
	resp.Plan.Raw = raw
}

func (r *Resource) planKind(ctx context.Context, config, state, plan kind.Values, diagnostics *diag.Diagnostics) kind.Values {
	if r.kind.Plan == nil {
		return plan
	}
	step := &PlanStep{Kind: r.kind, Config: config, State: state, Plan: plan}
	if err := r.kind.Plan(ctx, r.env, step); err != nil {
		diagnostics.AddError("Invalid plan of "+r.kind.TypeName(), err.Error())
	}
	for _, text := range step.Warnings {
		diagnostics.AddWarning("Note on "+r.kind.TypeName(), text)
	}
	return step.Plan
}

// A new object's computed values are not those of the old one.
func (r *Resource) openForNew(config, plan kind.Values) {
	for _, a := range r.kind.Attrs {
		if config[a.Name] == nil && a.Default == nil && a.Mode != kind.Optional && a.Mode != kind.Required && !r.isDefaulted(a.Name) {
			plan[a.Name] = kind.Unknown
		}
	}
}

func (r *Resource) isDefaulted(name string) bool { return name == "organization" || name == "project" }

// planDestroy refuses a destroy at plan time.
func (r *Resource) planDestroy(ctx context.Context, state kind.Values, diagnostics *diag.Diagnostics) {
	if !r.ready(diagnostics) {
		return
	}
	if err := r.guard(ctx, state); err != nil {
		diagnostics.AddError("Refusing to destroy "+r.kind.TypeName(), err.Error())
	}
}

// planDefaults fills the provider's organisation and project into a new object.
func (r *Resource) planDefaults(ctx context.Context, config, plan kind.Values, diagnostics *diag.Diagnostics) {
	if a, ok := kind.Find(r.kind.Attrs, "organization"); ok && a.Mode == kind.Follow && config["organization"] == nil {
		if r.env.Ready() != nil || r.env.OrganizationLater {
			return
		}
		organization, err := r.env.OrganizationID(ctx)
		if err != nil {
			diagnostics.AddAttributeError(path.Root("organization"), "No organization", err.Error())
			return
		}
		plan["organization"] = organization
	}
	if a, ok := kind.Find(r.kind.Attrs, "project"); ok && a.Mode == kind.Follow && !a.Local && a.Default == nil && r.kind.ParentAttr == "project" && config["project"] == nil {
		if r.env.Ready() != nil || r.env.ProjectLater {
			return
		}
		if r.env.Project == "" {
			diagnostics.AddAttributeError(path.Root("project"), "No project",
				"Set `project` here, or on the provider, or in PENSTOCK_PROJECT.")
			return
		}
		plan["project"] = r.env.Project
	}
}

// object raises the objections to a change; it tells whether there was a refusal. Replacements go to replace; where that is nil
// they are refused too, since it is too late for them.
func (r *Resource) object(state, plan kind.Values, diagnostics *diag.Diagnostics, replace func(path.Path)) bool {
	refused := false
	for _, objection := range kind.Objections(r.kind.Attrs, state, plan) {
		at := path.Root(objection.Path[0])
		for _, name := range objection.Path[1:] {
			at = at.AtName(name)
		}
		wanted := objection.Replace || plan["allow_destructive_replace"] == true || plan["on_immutable_change"] == "recreate"
		switch {
		case r.kind.madeAnew(objection, plan):
		case wanted && replace != nil:
			replace(at)
		case wanted:
			refused = true
			diagnostics.AddAttributeError(at, "Changed while applying", fmt.Sprintf("`%s` of %s %v was unknown in the plan and is another one now. Plan again.",
				objection.Path[0], r.kind.TypeName(), state["id"]))
		default:
			refused = true
			diagnostics.AddAttributeError(at, "Refusing to replace "+r.kind.TypeName(), objection.Text)
		}
	}
	return refused
}

// madeAnew tells whether the kind's own Change makes the object anew under its name, where the configuration chose that.
func (k *Kind) madeAnew(objection kind.Objection, plan kind.Values) bool {
	return plan["on_immutable_change"] == "reset" && !slices.Contains(places(k.Item), objection.Path[0])
}

// MadeAnew tells whether a change from state to plan is one that needs the object made anew in place.
func (k *Kind) MadeAnew(state, plan kind.Values) bool {
	return slices.ContainsFunc(kind.Objections(k.Attrs, state, plan), func(o kind.Objection) bool { return k.madeAnew(o, plan) })
}

// tryChange asks the API at plan time whether the change would be accepted.
func (r *Resource) tryChange(ctx context.Context, state, plan kind.Values, etag string, diagnostics *diag.Diagnostics) {
	// What the apply only finds out cannot be tried.
	patch, err := kind.Patch(r.kind.Attrs, state, kind.Certain(plan))
	if err != nil || len(patch) == 0 || r.env.Ready() != nil {
		return
	}
	item, err := Expand(r.kind.Item, state)
	if err != nil {
		return
	}
	_, err = r.env.Client.Do(ctx, api.Call{Method: http.MethodPatch, Path: item, Body: patch, IfMatch: etag, Query: url.Values{"dry_run": {"true"}}})
	switch code := api.CodeOf(err); code {
	case "":
		if err != nil {
			diagnostics.AddWarning("The change could not be tried", err.Error())
		}
	case "version_mismatch", "not_found", "subject_overlap":
		// A version may move with what this plan does not touch; subjects may be freed by another change of the same apply.
	default:
		diagnostics.AddError("The change of "+r.kind.TypeName()+" would be refused", err.Error())
	}
}

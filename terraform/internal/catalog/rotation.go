package catalog

import (
	"fmt"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// rotationAttrs say when a secret is made anew and where it is kept.
func rotationAttrs(secret string, limit time.Duration) []kind.Attr {
	return []kind.Attr{
		{Name: "store_in_state", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false, Doc: "Keep `" + secret + "` in the state, where everybody who can read the state can use it. Better: the ephemeral resource of the same name"},
		{Name: "keepers", Type: kind.Map, Mode: kind.Optional, Local: true, Doc: "Any values; when one changes the secret is rotated"},
		{Name: "rotate_after", Type: kind.Duration, Mode: kind.Optional, Local: true, Min: int64(time.Minute), Max: int64(87840 * time.Hour), Doc: "Age at which the next plan rotates it"},
		{Name: "overlap", Type: kind.Duration, Mode: kind.Optional, Local: true, Max: int64(limit), Doc: "How long the old secret works beside the new one after a rotation; default `0s`"},
	}
}

// dueFor says why a secret has to be rotated now, or "".
func dueFor(step *engine.PlanStep, now time.Time, since, secret string, also ...string) string {
	state, plan := step.State, step.Plan
	if !kind.Same(kind.Attr{Type: kind.Map}, state["keepers"], plan["keepers"]) && state["keepers"] != nil {
		return "a keeper has changed"
	}
	for _, name := range also {
		a := kind.Attr{Name: name, Type: kind.Duration}
		if step.Config[name] != nil && state[name] != nil && !kind.Same(a, state[name], plan[name]) {
			return name + " has changed"
		}
	}
	if state["state"] == "expired" {
		return "it has expired"
	}
	made, errMade := time.Parse(time.RFC3339, textOf(state, since))
	after, errAfter := quantity.ParseDuration(textOf(plan, "rotate_after"))
	if errMade == nil && errAfter == nil && !now.Before(made.Add(time.Duration(after))) {
		return fmt.Sprintf("it is older than rotate_after %s", plan["rotate_after"])
	}
	// Last, since a credential of one's own key has nothing to keep, and must hear the other reasons.
	if plan["store_in_state"] == true && state[secret] == nil {
		return storedReason
	}
	return ""
}

// open makes attributes unknown that a rotation fills anew.
func open(step *engine.PlanStep, names ...string) {
	for _, name := range names {
		step.Plan[name] = kind.Unknown
	}
}

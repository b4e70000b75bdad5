package catalog

import (
	"context"
	"fmt"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// planAccount tells the plans of what lies in the account which limits it will have.
func planAccount(_ context.Context, env *engine.Env, step *engine.PlanStep) error {
	id, ok := step.Plan["id"].(string)
	if !ok || step.State == nil || env.Ready() != nil {
		return nil
	}
	body, err := kind.Body([]kind.Attr{limits()}, step.Plan)
	if planned, ok := body["limits"].(api.Object); ok && err == nil {
		env.Note("limits of "+id, planned)
	}
	return nil
}

// underCeiling refuses in the plan what the account's limits would refuse in the apply. An account whose limits are raised by the
// same plan counts with the new ones, where it is referred to.
func underCeiling(ctx context.Context, env *engine.Env, step *engine.PlanStep) error {
	account, _ := step.Plan["account"].(string)
	if account == "" || env.Ready() != nil || !raises(step) {
		return nil
	}
	given, err := limitsOf(ctx, env, account)
	if err != nil || given == nil {
		// The apply says what is wrong with the account itself.
		return nil
	}
	group, _ := given["jetstream"].(api.Object)
	if group == nil {
		tiers, _ := given["tiers"].(api.Object)
		replicas, ok := step.Plan["num_replicas"].(int64)
		if !ok {
			replicas = 1
		}
		group, _ = tiers[fmt.Sprintf("R%d", replicas)].(api.Object)
	}
	return overCeiling(step, account, group)
}

// raises tells whether something that has a ceiling is set and is not as it was.
func raises(step *engine.PlanStep) bool {
	for _, name := range []string{"max_bytes", "max_ack_pending"} {
		a, ok := kind.Find(step.Kind.Attrs, name)
		if ok && known(step.Config, name) && (step.State == nil || !kind.Same(a, step.State[name], step.Plan[name])) {
			return true
		}
	}
	return false
}

func limitsOf(ctx context.Context, env *engine.Env, account string) (api.Object, error) {
	if planned, ok := env.Noted("limits of " + account).(api.Object); ok {
		return planned, nil
	}
	path, err := engine.Expand("/v1/accounts/{account}", kind.Values{"account": account})
	if err != nil {
		return nil, err
	}
	object, err := env.Client.Get(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	given, _ := object["limits"].(api.Object)
	env.Note("limits of "+account, given)
	return given, nil
}

func overCeiling(step *engine.PlanStep, account string, group api.Object) error {
	place := "storage"
	if step.Plan["storage"] == "memory" {
		place = "memory"
	}
	if bytes, err := quantity.ParseSize(fmt.Sprint(step.Plan["max_bytes"])); err == nil && step.Kind.Name != "consumer" {
		for field, what := range map[string]string{place + "_bytes": "all its streams together", place + "_max_stream_bytes": "one stream"} {
			if most, ok := ceilingOf(group, field); ok && bytes > most {
				return fmt.Errorf("max_bytes is %v, and account %s allows %d bytes of %s for %s. Lower it, or raise the account's limits", step.Plan["max_bytes"], account, most, place, what)
			}
		}
	}
	if pending, ok := step.Plan["max_ack_pending"].(int64); ok {
		if most, has := ceilingOf(group, "max_ack_pending"); has && pending > most {
			return fmt.Errorf("max_ack_pending is %d, and account %s allows at most %d. Lower it, or raise the account's limits", pending, account, most)
		}
	}
	return nil
}

// ceilingOf gives a limit; none where it is unlimited.
func ceilingOf(group api.Object, field string) (int64, bool) {
	value, present := group[field]
	if !present || value == nil {
		return 0, false
	}
	number, err := quantity.ParseSize(fmt.Sprint(value))
	// No storage at all is a limit of its own; elsewhere 0 is as good as none.
	all := field == "storage_bytes" || field == "memory_bytes"
	return number, err == nil && (number > 0 || (all && number == 0))
}

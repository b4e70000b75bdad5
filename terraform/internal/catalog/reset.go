package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Attributes that say where a consumer starts.
var starts = []string{"deliver_policy", "opt_start_seq", "opt_start_time"}

func startMoved(k *engine.Kind, state, plan kind.Values) bool {
	for _, name := range starts {
		if a, ok := kind.Find(k.Attrs, name); ok && !kind.Same(a, state[name], plan[name]) {
			return true
		}
	}
	return false
}

func startsAt(k *engine.Kind, state, plan kind.Values) string {
	if startMoved(k, state, plan) {
		return "It begins where deliver_policy says."
	}
	return "It goes on after the last message up to which all were acknowledged."
}

// changeConsumer changes in place, or makes the consumer anew under its name and puts it where the old one stood.
func changeConsumer(ctx context.Context, env *engine.Env, k *engine.Kind, state, plan kind.Values, patch api.Object, etag string) (*api.Answer, error) {
	if !k.MadeAnew(state, plan) {
		if len(patch) == 0 {
			return k.Load(ctx, env, state)
		}
		return k.PatchItem(ctx, env, state, patch, etag)
	}
	body, err := kind.Body(k.Attrs, plan)
	if err != nil {
		return nil, err
	}
	old, err := k.Load(ctx, env, state)
	if err != nil {
		return nil, err
	}
	if err = k.DeleteItem(ctx, env, state, etag); err != nil {
		return nil, err
	}
	made, err := k.Post(ctx, env, plan, body)
	if err != nil {
		return nil, fmt.Errorf("the consumer was deleted, and making it anew failed; the next apply makes it, from its start: %w", err)
	}
	next := afterFloor(old.Body)
	if startMoved(k, state, plan) || next == "" {
		return made, nil
	}
	path, err := engine.Expand(k.Item+"/actions/reset", plan)
	if err != nil {
		return nil, err
	}
	placed, err := env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: path, Body: api.Object{"seq": next}, Key: engine.RandomKey()})
	if err != nil {
		return nil, fmt.Errorf("the consumer was made anew, but not put to sequence %s, so it starts where deliver_policy says; reset it by the console or the API: %w", next, err)
	}
	return placed, nil
}

// afterFloor is the sequence after the last message up to which all were acknowledged; "" where none was.
func afterFloor(consumer api.Object) string {
	floor, _ := consumer["ack_floor"].(api.Object)
	number, ok := new(big.Int).SetString(fmt.Sprint(numberOf(floor["stream_seq"])), 10)
	if !ok || number.Sign() <= 0 {
		return ""
	}
	return number.Add(number, big.NewInt(1)).String()
}

func numberOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

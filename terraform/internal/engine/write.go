package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

var errChangedOutside = errors.New("changed outside Terraform")

// create makes the object. An answer with an error: it was made, but lacks something.
func (k *Kind) create(ctx context.Context, env *Env, plan kind.Values) (*api.Answer, error) {
	body, err := kind.Body(k.Attrs, plan)
	if err != nil {
		return nil, err
	}
	var answer *api.Answer
	if k.Create != nil {
		answer, err = k.Create(ctx, env, k, plan, body)
	} else {
		answer, err = k.Post(ctx, env, plan, body)
	}
	if err != nil {
		return nil, err
	}
	return k.afterwards(ctx, env, plan, answer)
}

// afterwards sends what the API takes on existing objects only.
func (k *Kind) afterwards(ctx context.Context, env *Env, plan kind.Values, answer *api.Answer) (*api.Answer, error) {
	var late []kind.Attr
	for _, a := range k.Attrs {
		if a.UpdateOnly {
			late = append(late, a)
		}
	}
	if len(late) == 0 {
		return answer, nil
	}
	made := k.read(answer.Body, plan)
	patch, err := kind.Patch(late, made, plan)
	if err != nil || len(patch) == 0 {
		return answer, err
	}
	changed, err := k.PatchItem(ctx, env, made, patch, etagOf(answer.Body, answer))
	if err != nil {
		return answer, err
	}
	for field, value := range answer.Body {
		// A secret is in the first answer only.
		if _, ok := changed.Body[field]; !ok {
			changed.Body[field] = value
		}
	}
	return changed, nil
}

// Post makes the object by the plain call.
func (k *Kind) Post(ctx context.Context, env *Env, plan kind.Values, body api.Object) (*api.Answer, error) {
	path, err := Expand(k.Collection, plan)
	if err != nil {
		return nil, err
	}
	// What the path says is not said again in the body.
	for _, name := range places(k.Collection) {
		if a, ok := kind.Find(k.Attrs, name); ok {
			delete(body, a.APIField())
		}
	}
	k.addLabels(env, body)
	creates := env.creates()
	hash, key := creates.begin(path, body)
	call := api.Call{Method: http.MethodPost, Path: path, Body: body, Key: key}
	if plan["replace_deleted"] == true {
		call.Query = url.Values{"replace_deleted": {"true"}}
	}
	answer, err := env.Client.Do(ctx, call)
	if err == nil && answer.Replayed {
		answer, err = k.adopt(ctx, env, plan, call, answer)
	}
	if err != nil {
		if isFinal(err) {
			creates.failed(hash)
		}
		return nil, k.ExplainExisting(err, plan)
	}
	id, _ := k.read(answer.Body, plan)["id"].(string)
	creates.made(hash, key, id)
	return answer, nil
}

// adopt looks at what a repeated create found: the object of an apply that was interrupted, or nothing any more.
func (k *Kind) adopt(ctx context.Context, env *Env, plan kind.Values, call api.Call, replay *api.Answer) (*api.Answer, error) {
	object, err := k.fetch(ctx, env, k.read(replay.Body, plan))
	if err == nil && !isTrashed(object) {
		return &api.Answer{Status: http.StatusOK, Body: object, ETag: api.Text(object, "etag")}, nil
	}
	if err != nil && !api.IsGone(err) {
		return nil, err
	}
	call.Key = RandomKey()
	return env.Client.Do(ctx, call)
}

// ExplainExisting adds to the refusal of a name that is taken how to import what has it.
func (k *Kind) ExplainExisting(err error, plan kind.Values) error {
	if api.CodeOf(err) != "already_exists" {
		return err
	}
	return fmt.Errorf("%w\nIf it is to be managed here, import it:\n  terraform import %s.<name> '%s'", err, k.TypeName(), k.importID(plan))
}

// importID of an object that is planned; its form where the plan does not know enough.
func (k *Kind) importID(plan kind.Values) string {
	if k.ByName {
		return k.compositeID(plan)
	}
	parent, _ := plan[k.ParentAttr].(string)
	name, _ := plan[k.nameAttr()].(string)
	if k.Readable != nil {
		name = k.Readable(plan)
	}
	if parent == "" || name == "" {
		return k.ImportForm()
	}
	return parent + "/" + name
}

// Load reads the object at its own address.
func (k *Kind) Load(ctx context.Context, env *Env, state kind.Values) (*api.Answer, error) {
	object, err := k.fetch(ctx, env, state)
	if err != nil {
		return nil, err
	}
	return &api.Answer{Status: http.StatusOK, Body: object, ETag: api.Text(object, "etag")}, nil
}

// fetch reads the object.
func (k *Kind) fetch(ctx context.Context, env *Env, state kind.Values) (api.Object, error) {
	if k.Fetch != nil {
		return k.Fetch(ctx, env, state)
	}
	path, err := Expand(k.Item, state)
	if err != nil {
		return nil, err
	}
	return env.Client.Get(ctx, path, nil)
}

// change brings the object from state to plan.
func (k *Kind) change(ctx context.Context, env *Env, state, plan kind.Values, patch api.Object, etag string) (*api.Answer, error) {
	if len(patch) == 0 && k.Change == nil {
		object, err := k.fetch(ctx, env, state)
		return &api.Answer{Body: object, ETag: api.Text(object, "etag")}, err
	}
	call := func(version string) (*api.Answer, error) {
		if k.Change != nil {
			return k.Change(ctx, env, k, state, plan, patch, version)
		}
		return k.PatchItem(ctx, env, state, patch, version)
	}
	answer, err := call(etag)
	if api.CodeOf(err) != "version_mismatch" {
		return answer, err
	}
	object, version, err := k.unchanged(ctx, env, state, plan, err)
	if err != nil {
		return nil, err
	}
	if object != nil {
		return &api.Answer{Body: object, ETag: version}, nil
	}
	return call(version)
}

// PatchItem sends a merge patch.
func (k *Kind) PatchItem(ctx context.Context, env *Env, state kind.Values, patch api.Object, etag string) (*api.Answer, error) {
	path, err := Expand(k.Item, state)
	if err != nil {
		return nil, err
	}
	if patch["metadata"] != nil {
		k.addLabels(env, patch)
	}
	return env.Client.Do(ctx, api.Call{Method: http.MethodPatch, Path: path, Body: patch, IfMatch: etag})
}

// unchanged looks again after a version mismatch. The version also moves with what is not ours to manage, so a change counts
// only if it touches what the state holds. If the object already is as planned (an answer was lost), it is given back.
func (k *Kind) unchanged(ctx context.Context, env *Env, state, plan kind.Values, mismatch error) (api.Object, string, error) {
	object, err := k.fetch(ctx, env, state)
	if err != nil {
		return nil, "", err
	}
	now, version := k.read(k.withoutLabels(env, object, state), state), api.Text(object, "etag")
	moved := k.moved(state, now)
	if len(moved) == 0 {
		return nil, version, nil
	}
	if plan != nil && len(k.moved(plan, k.read(k.withoutLabels(env, object, plan), plan))) == 0 {
		return object, version, nil
	}
	return nil, "", fmt.Errorf("%w: %s %q was %w after this plan was made (%s). Plan again and look at the drift",
		mismatch, k.TypeName(), state["id"], errChangedOutside, strings.Join(moved, ", "))
}

// moved names the attributes that a configuration can set and that differ.
func (k *Kind) moved(before, after kind.Values) []string {
	var out []string
	for _, a := range k.Attrs {
		if a.Mode != kind.Computed && !a.Volatile && !kind.IsUnknown(before[a.Name]) && !kind.Same(a, before[a.Name], after[a.Name]) {
			out = append(out, a.Name)
		}
	}
	return out
}

// remove deletes the object; one that is gone already is fine.
func (k *Kind) remove(ctx context.Context, env *Env, state kind.Values, etag string) error {
	call := func(version string) error {
		if k.Remove != nil {
			return k.Remove(ctx, env, state, version)
		}
		return k.DeleteItem(ctx, env, state, version)
	}
	err := call(etag)
	if api.CodeOf(err) == "version_mismatch" {
		_, version, changed := k.unchanged(ctx, env, state, nil, err)
		if changed != nil {
			err = changed
		} else {
			err = call(version)
		}
	}
	if api.IsGone(err) {
		return nil
	}
	return err
}

// DeleteItem deletes by the plain call.
func (k *Kind) DeleteItem(ctx context.Context, env *Env, state kind.Values, etag string) error {
	path, err := Expand(k.Item, state)
	if err != nil {
		return err
	}
	call := api.Call{Method: http.MethodDelete, Path: path, IfMatch: etag}
	if state["delete_permanently"] == true {
		call.Query = url.Values{"permanent": {"true"}}
	}
	answer, err := env.Client.Do(ctx, call)
	if err != nil || answer.Status != http.StatusAccepted {
		return err
	}
	return AwaitOperation(ctx, env, answer.Body)
}

// AwaitOperation polls an operation until it is over.
func AwaitOperation(ctx context.Context, env *Env, operation api.Object) error {
	for {
		switch api.Text(operation, "state") {
		case "succeeded":
			return nil
		case "failed", "cancelled":
			return fmt.Errorf("operation %s %s: %s", api.Text(operation, "id"), api.Text(operation, "state"), api.Text(operation, "error"))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("operation %s is still %s: %w", api.Text(operation, "id"), api.Text(operation, "state"), ctx.Err())
		case <-time.After(pollEvery):
		}
		newer, err := env.Client.Get(ctx, "/v1/operations/"+url.PathEscape(api.Text(operation, "id")), nil)
		if err != nil {
			return err
		}
		operation = newer
	}
}

// await waits until the broker has the object's newest state.
func (k *Kind) await(ctx context.Context, env *Env, object api.Object, plan kind.Values) (api.Object, error) {
	for plan["wait_for"] == "synced" {
		sync, _ := object["sync"].(api.Object)
		if sync == nil || api.Text(sync, "state") != "syncing" {
			return object, nil
		}
		select {
		case <-ctx.Done():
			return object, fmt.Errorf("%s %s: the broker has not confirmed it yet: %w", k.TypeName(), api.Text(object, "id"), ctx.Err())
		case <-time.After(pollEvery):
		}
		newer, err := k.fetch(ctx, env, k.read(object, plan))
		if err != nil {
			return object, err
		}
		object = newer
	}
	return object, nil
}

const pollEvery = 300 * time.Millisecond

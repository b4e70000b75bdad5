package catalog

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// KvEntry is one key of a bucket.
var KvEntry = &engine.Kind{
	Name:         "kv_entry",
	Doc:          "A key of a KV bucket with its value. It is changed only from the revision that the plan saw.",
	Collection:   "/v1/accounts/{account}/kv/{bucket}/entries",
	Item:         "/v1/accounts/{account}/kv/{bucket}/entries/{key}",
	Parent:       KvBucket,
	ParentAttr:   "bucket",
	ByName:       true,
	NameAttr:     "key",
	Ref:          "key",
	Identity:     []string{"account", "bucket", "key"},
	CreateSchema: "KvEntryPut", PatchSchema: "KvEntryPut", ObjectSchema: "KvEntry",
	Example:  "such as acme/prod/orders/settings/limits.daily; write / in a key as %2F",
	Validate: validateEntry,
	Plan:     planEntry,
	Create:   createEntry,
	Change:   changeEntry,
	Remove:   removeEntry,
	Shape:    shapeEntry,
	Finish:   finishEntry,
	Attrs: []kind.Attr{
		{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "`<account id>/<bucket>/<key>`"},
		account(kind.Replaced, "entry"),
		{Name: "bucket", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, Check: check.StreamName, Doc: "Name of the bucket"},
		{Name: "key", Type: kind.String, Mode: kind.Required, Change: kind.Replaced, Check: check.KvKey, Doc: "The key"},
		{Name: "value", Type: kind.String, Mode: kind.Optional, Doc: "The value as text, or `base64:` and what is no text; it is kept in the state. Excludes value_wo"},
		{Name: "value_wo", Field: "value", Type: kind.String, Mode: kind.Optional, WriteOnly: true, Sensitive: true, Doc: "The value as text, never kept in plan or state (Terraform 1.11). Drift of it does not show"},
		{Name: "value_wo_version", Type: kind.Int, Mode: kind.Optional, Local: true, Doc: "Raise it to write value_wo again"},
		{Name: "on_conflict", Type: kind.String, Mode: kind.Follow, Local: true, Default: "error", OneOf: []string{"error", "overwrite"}, Doc: "What a create does with a key that has a value already"},
		{Name: "purge", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false, Doc: "Destroy the history too, instead of leaving a delete marker on top of it"},
		{Name: "revision", Type: kind.Sequence, Mode: kind.Computed, Volatile: true, Doc: "Revision of the value"},
		{Name: "created_at", Type: kind.Time, Mode: kind.Computed, Volatile: true, Doc: "When the value was written"},
		timeouts(),
	},
}

func validateEntry(config kind.Values) []engine.Fault {
	_, has := config["value"]
	if has && config["value"] == nil && config["value_wo"] == nil {
		return []engine.Fault{{Attr: "value", Text: "Set value, or value_wo with value_wo_version."}}
	}
	if config["value"] != nil && config["value_wo"] != nil {
		return []engine.Fault{{Attr: "value_wo", Text: "Set value or value_wo, not both."}}
	}
	if config["value_wo"] != nil && config["value_wo_version"] == nil {
		return []engine.Fault{{Attr: "value_wo_version", Text: "Needed with value_wo: raise it to write the value again."}}
	}
	return nil
}

func planEntry(_ context.Context, _ *engine.Env, step *engine.PlanStep) error {
	// A value that lies in the state must leave it when it becomes write-only.
	if step.Config["value_wo"] != nil {
		step.Plan["value"] = nil
	}
	return nil
}

// A value that was written as write-only must not come back by reading.
func finishEntry(values kind.Values, _ api.Object) {
	if values["value_wo_version"] != nil {
		values["value"] = nil
	}
}

// What stands before a value that is no text.
const binary = "base64:"

func shapeEntry(object api.Object) api.Object {
	if api.Text(object, "encoding") == "base64" {
		return with(object, "value", binary+api.Text(object, "value"))
	}
	return object
}

// createEntry has no Idempotency-Key to repeat itself by. A key that is there after an attempt without an answer, of this process or of a
// killed one, is its own if it has the value.
func createEntry(ctx context.Context, env *engine.Env, k *engine.Kind, plan kind.Values, body api.Object) (*api.Answer, error) {
	begun, done := k.Noted(env, plan)
	answer, err := putEntry(ctx, env, plan, api.Object{"value": body["value"], "create_only": plan["on_conflict"] != "overwrite"})
	if api.CodeOf(err) == "already_exists" && (begun || api.AfterLoss(err)) {
		if found, errFound := env.Client.Get(ctx, entryPath(plan), nil); errFound == nil && shapeEntry(found)["value"] == body["value"] {
			answer, err = &api.Answer{Body: found}, nil
		}
	}
	done(err)
	return answer, err
}

func changeEntry(ctx context.Context, env *engine.Env, _ *engine.Kind, state, plan kind.Values, patch api.Object, _ string) (*api.Answer, error) {
	value, written := patch["value"]
	if !written || value == nil {
		object, err := env.Client.Get(ctx, entryPath(state), nil)
		return &api.Answer{Body: object}, err
	}
	revision, _ := state["revision"].(int64)
	return putEntry(ctx, env, plan, api.Object{"value": value, "expected_revision": strconv.FormatInt(revision, 10)})
}

func putEntry(ctx context.Context, env *engine.Env, values kind.Values, body api.Object) (*api.Answer, error) {
	if text, ok := body["value"].(string); ok && strings.HasPrefix(text, binary) {
		body["value"], body["encoding"] = strings.TrimPrefix(text, binary), "base64"
	}
	answer, err := env.Client.Do(ctx, api.Call{Method: http.MethodPut, Path: entryPath(values), Body: body})
	if api.CodeOf(err) == "already_exists" {
		return nil, fmt.Errorf("%w\nTo manage the key here import it, or set on_conflict = \"overwrite\"", err)
	}
	return answer, err
}

func removeEntry(ctx context.Context, env *engine.Env, state kind.Values, etag string) error {
	call := api.Call{Method: http.MethodDelete, Path: entryPath(state), IfMatch: etag}
	if state["purge"] == true {
		call.Query = url.Values{"purge": {"true"}}
	}
	_, err := env.Client.Do(ctx, call)
	return err
}

func entryPath(values kind.Values) string {
	path, _ := engine.Expand("/v1/accounts/{account}/kv/{bucket}/entries/{key}", values)
	return path
}

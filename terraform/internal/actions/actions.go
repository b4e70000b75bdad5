// Package actions holds what is done, not kept: rotations, purges, pauses, restores (Terraform 1.14).
package actions

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// All actions.
func All() []func() action.Action {
	var out []func() action.Action
	for _, each := range []*call{rotateCredential(), rotateSigningKey(), purgeStream(), pauseConsumer(), resumeConsumer(), restore()} {
		out = append(out, func() action.Action { return &invocation{call: each} })
	}
	return out
}

// call is one action: attributes, and the request that they make.
type call struct {
	name, doc string
	attrs     map[string]schema.Attribute
	// fault says what is wrong with the attributes together, or "".
	fault func(config kind.Values) string
	// request gives path and body.
	request func(config kind.Values) (string, api.Object, error)
	// report says what was done.
	report func(answer api.Object) string
}

type invocation struct {
	call *call
	env  *engine.Env
}

var (
	_ action.ActionWithConfigure      = &invocation{}
	_ action.ActionWithValidateConfig = &invocation{}
)

func (i *invocation) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + i.call.name
}

func (i *invocation) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: i.call.doc, Attributes: i.call.attrs}
}

func (i *invocation) Configure(_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse) {
	if env, ok := req.ProviderData.(*engine.Env); ok {
		i.env = env
	}
}

func (i *invocation) ValidateConfig(_ context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err != nil || i.call.fault == nil {
		return
	}
	if fault := i.call.fault(config); fault != "" {
		resp.Diagnostics.AddError("Invalid "+i.call.name, fault)
	}
}

func (i *invocation) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err == nil {
		err = i.env.Ready()
	}
	if err != nil {
		resp.Diagnostics.AddError("The provider cannot call Penstock", err.Error())
		return
	}
	path, body, err := i.call.request(config)
	if err != nil {
		resp.Diagnostics.AddError("Cannot run "+i.call.name, err.Error())
		return
	}
	answer, err := i.env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: path, Body: body, Key: engine.RandomKey()})
	if err == nil && answer.Status == http.StatusAccepted {
		err = engine.AwaitOperation(ctx, i.env, answer.Body)
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot run "+i.call.name, err.Error())
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: i.call.report(answer.Body)})
}

func text(required bool, doc string) schema.StringAttribute {
	return schema.StringAttribute{Required: required, Optional: !required, MarkdownDescription: doc}
}

// ruled is a text that is checked before anything runs.
func ruled(required bool, doc string, rule kind.Attr) schema.StringAttribute {
	out := text(required, doc)
	out.Validators = []validator.String{kind.Rule(rule)}
	return out
}

func span(name, doc string, least, most time.Duration) schema.StringAttribute {
	out := ruled(false, doc, kind.Attr{Name: name, Type: kind.Duration, Min: int64(least), Max: int64(most)})
	out.CustomType = quantity.Type{Unit: quantity.Time}
	return out
}

func ofAccount() schema.StringAttribute {
	return ruled(true, "Id of the account.", kind.Attr{Name: "account", Check: check.ID("acct")})
}

// fields takes what is set into a body.
func fields(config kind.Values, attrs ...kind.Attr) (api.Object, error) {
	return kind.Body(attrs, config)
}

func done(what string) func(api.Object) string {
	return func(api.Object) string { return what }
}

func rotateSigningKey() *call {
	return &call{
		name: "rotate_signing_key",
		doc:  "Gives a signing-key group a new key. JWTs signed by the old one stay good for `overlap`; issue to the users anew meanwhile.",
		attrs: map[string]schema.Attribute{
			"signing_key_group": ruled(true, "Id of the group.", kind.Attr{Name: "signing_key_group", Check: check.ID("skg")}),
			"overlap":           span("overlap", "How long JWTs of the old key stay good; default `72h`.", 0, 8760*time.Hour),
		},
		request: func(config kind.Values) (string, api.Object, error) {
			path, err := engine.Expand("/v1/signing-key-groups/{signing_key_group}/actions/rotate", config)
			if err != nil {
				return "", nil, err
			}
			body, err := fields(config, kind.Attr{Name: "overlap", Type: kind.Duration})
			return path, body, err
		},
		report: func(answer api.Object) string {
			return "The group signs with " + api.Text(answer, "public_key") + " now."
		},
	}
}

func rotateCredential() *call {
	return &call{
		name: "rotate_credential",
		doc: "Issues to a user anew for a key that you hold, and voids what was issued before after `overlap`. " +
			"The new JWT is fetched with the console, the API or the resource `penstock_credential`; an action gives nothing back.",
		attrs: map[string]schema.Attribute{
			"user":       ruled(true, "Id of the user.", kind.Attr{Name: "user", Check: check.ID("usr")}),
			"public_key": ruled(true, "Public user nkey (`U…`) whose seed you hold.", kind.Attr{Name: "public_key", Check: check.UserKey}),
			"ttl":        span("ttl", "Life of the new JWT; default: the user's jwt_ttl.", time.Minute, 8760*time.Hour),
			"overlap":    span("overlap", "How long the old JWTs stay good; default `0s`, at most 720h.", 0, 720*time.Hour),
		},
		request: func(config kind.Values) (string, api.Object, error) {
			path, err := engine.Expand("/v1/users/{user}/actions/rotate", config)
			if err != nil {
				return "", nil, err
			}
			body, err := fields(config, kind.Attr{Name: "public_key"}, kind.Attr{Name: "ttl", Type: kind.Duration}, kind.Attr{Name: "overlap", Type: kind.Duration})
			return path, body, err
		},
		report: func(answer api.Object) string {
			issuance, _ := answer["issuance"].(api.Object)
			return fmt.Sprintf("Issued %s, good until %s.", api.Text(issuance, "id"), api.Text(issuance, "expires_at"))
		},
	}
}

func purgeStream() *call {
	return &call{
		name: "purge_stream",
		doc:  "Deletes messages of a stream. **They are gone for good.**",
		attrs: map[string]schema.Attribute{
			"account": ofAccount(),
			"stream":  text(true, "Name of the stream."),
			"subject": ruled(false, "Only messages of these subjects; wildcards allowed.", kind.Attr{Name: "subject", Check: check.Subject}),
			"seq":     schema.Int64Attribute{Optional: true, MarkdownDescription: "Only messages before this sequence."},
			"keep":    schema.Int64Attribute{Optional: true, MarkdownDescription: "Keep so many of the newest."},
		},
		fault: func(config kind.Values) string {
			seq, keep := config["seq"], config["keep"]
			if seq != nil && keep != nil {
				return "Set seq or keep, not both."
			}
			for _, value := range []any{seq, keep} {
				if number, ok := value.(int64); ok && number < 0 {
					return fmt.Sprintf("%d is negative: seq and keep are 0 or more.", number)
				}
			}
			return ""
		},
		request: func(config kind.Values) (string, api.Object, error) {
			path, err := engine.Expand("/v1/accounts/{account}/streams/{stream}/actions/purge", config)
			if err != nil {
				return "", nil, err
			}
			body, err := fields(config, kind.Attr{Name: "subject"}, kind.Attr{Name: "seq", Type: kind.Sequence}, kind.Attr{Name: "keep", Type: kind.Sequence})
			return path, body, err
		},
		report: func(answer api.Object) string { return "Purged " + api.Text(answer, "purged") + " messages." },
	}
}

func consumerAttrs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"account":  ofAccount(),
		"stream":   text(true, "Name of the stream."),
		"consumer": text(true, "Name of the consumer."),
	}
}

func pauseConsumer() *call {
	attrs := consumerAttrs()
	attrs["until"] = ruled(true, "Until when it delivers nothing, RFC 3339.", kind.Attr{Name: "until", Type: kind.Time})
	return &call{
		name:  "pause_consumer",
		doc:   "Pauses a consumer until a time. A consumer whose configuration sets `pause_until` shows it as drift.",
		attrs: attrs,
		request: func(config kind.Values) (string, api.Object, error) {
			path, err := engine.Expand("/v1/accounts/{account}/streams/{stream}/consumers/{consumer}/actions/pause", config)
			return path, api.Object{"pause_until": config["until"]}, err
		},
		report: done("Paused."),
	}
}

func resumeConsumer() *call {
	return &call{
		name:  "resume_consumer",
		doc:   "Ends the pause of a consumer.",
		attrs: consumerAttrs(),
		request: func(config kind.Values) (string, api.Object, error) {
			path, err := engine.Expand("/v1/accounts/{account}/streams/{stream}/consumers/{consumer}/actions/resume", config)
			return path, nil, err
		},
		report: done("Resumed."),
	}
}

// What lies in an account and can be restored, with its segment of the path.
var restorable = map[string]string{"stream": "streams", "kv_bucket": "kv", "object_bucket": "objects"}

func restore() *call {
	return &call{
		name: "restore",
		doc:  "Takes the deletion of an account, stream or bucket back, with its data, while it can be restored. Import it afterwards to manage it again.",
		attrs: map[string]schema.Attribute{
			"account":       ruled(true, "Id of the account; alone: the account itself is restored.", kind.Attr{Name: "account", Check: check.ID("acct")}),
			"stream":        text(false, "Name of a deleted stream."),
			"kv_bucket":     text(false, "Name of a deleted KV bucket."),
			"object_bucket": text(false, "Name of a deleted object bucket."),
		},
		fault: func(config kind.Values) string {
			given := 0
			for attr := range restorable {
				if config[attr] != nil {
					given++
				}
			}
			if given > 1 {
				return "Set one of stream, kv_bucket and object_bucket."
			}
			return ""
		},
		request: func(config kind.Values) (string, api.Object, error) {
			template := "/v1/accounts/{account}/actions/restore"
			for attr, segment := range restorable {
				if config[attr] != nil {
					template = "/v1/accounts/{account}/" + segment + "/{" + attr + "}/actions/restore"
				}
			}
			path, err := engine.Expand(template, config)
			return path, nil, err
		},
		report: done("Restored; import it to manage it again."),
	}
}

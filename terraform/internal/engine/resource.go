package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// Resource manages objects of one kind.
type Resource struct {
	kind *Kind
	env  *Env
}

var (
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithImportState    = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
	_ resource.ResourceWithIdentity       = &Resource{}
)

// NewResource gives the constructor that the provider lists.
func NewResource(k *Kind) func() resource.Resource {
	return func() resource.Resource { return &Resource{kind: k} }
}

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.kind.Name
	resp.ResourceBehavior.MutableIdentity = r.kind.IdentityMoves
}

// Schema of the kind.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: r.kind.Doc, Attributes: kind.ResourceSchema(r.kind.Attrs)}
}

// IdentitySchema of the kind.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	attributes := map[string]identityschema.Attribute{}
	for _, name := range r.kind.Identity {
		a, _ := kind.Find(r.kind.Attrs, name)
		attributes[name] = identityschema.StringAttribute{RequiredForImport: true, Description: a.Doc}
	}
	resp.IdentitySchema = identityschema.Schema{Attributes: attributes}
}

// Configure takes the provider's client.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if env, ok := req.ProviderData.(*Env); ok {
		r.env = env
	}
}

// ValidateConfig applies the kind's rules over several attributes.
func (r *Resource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.kind.Validate == nil {
		return
	}
	config, err := kind.ValuesFrom(req.Config.Raw)
	if err != nil {
		resp.Diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	for _, fault := range r.kind.Validate(config) {
		resp.Diagnostics.AddAttributeError(path.Root(fault.Attr), "Invalid "+fault.Attr, fault.Text)
	}
}

// Create makes the object. Once it exists no error may follow, or Terraform would destroy it with the next apply.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	plan, config, ok := r.planned(req.Plan.Raw, req.Config.Raw, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx, cancel := r.within(ctx, plan, "create")
	defer cancel()
	// A default that was not known when planning is known now.
	for _, name := range places(r.kind.Collection) {
		if r.isDefaulted(name) && kind.IsUnknown(plan[name]) {
			r.planDefaults(ctx, config, plan, &resp.Diagnostics)
		}
	}
	if resp.Diagnostics.HasError() {
		return
	}
	answer, err := r.kind.create(ctx, r.env, withWriteOnly(r.kind.Attrs, plan, config))
	switch {
	case err != nil && answer == nil:
		resp.Diagnostics.AddError("Cannot create "+r.kind.TypeName(), err.Error())
		return
	case err != nil:
		resp.Diagnostics.AddWarning("Created, but not all as planned", err.Error())
	}
	object, err := r.kind.await(ctx, r.env, answer.Body, plan)
	if err != nil {
		resp.Diagnostics.AddWarning("Created, but not confirmed", err.Error())
	}
	r.save(ctx, object, etagOf(object, answer), plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// Read refreshes the state.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	if !r.ready(&resp.Diagnostics) {
		return
	}
	state, ok := stateOf(req.State.Raw, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx, cancel := r.within(ctx, state, "read")
	defer cancel()
	r.holds(state)
	object, err := r.kind.refresh(ctx, r.env, state)
	if api.IsGone(err) || isTrashed(object) {
		// A Terraform that knows no identities gives none, and the framework wants one even for what is gone.
		r.identify(ctx, state, resp.Identity, &resp.Diagnostics)
	}
	switch {
	case api.IsInTrash(err) || isTrashed(object):
		resp.Diagnostics.AddWarning(fmt.Sprintf("%s %v was deleted and can be restored", r.kind.TypeName(), state["id"]),
			"It is taken out of the state. To have it back with its data, run the action penstock_restore and import it: applying now would make a new, empty one.")
		resp.State.RemoveResource(ctx)
		return
	case api.IsGone(err):
		organization, _ := state["organization"].(string)
		if away := r.env.requireIn(ctx, organization); away != nil {
			resp.Diagnostics.AddError("Cannot read "+r.kind.TypeName(), fmt.Sprintf("%v\n%v", err, away))
			return
		}
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.AddError("Cannot read "+r.kind.TypeName(), err.Error())
		return
	}
	values := r.kind.read(r.kind.withoutLabels(r.env, object, state), state)
	r.write(ctx, values, api.Text(object, "etag"), &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// Update changes the object in place.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan, config, ok := r.planned(req.Plan.Raw, req.Config.Raw, &resp.Diagnostics)
	if !ok {
		return
	}
	state, ok := stateOf(req.State.Raw, &resp.Diagnostics)
	if !ok {
		return
	}
	// A reference that was unknown in the plan is known now, and may turn out to be another one.
	if r.object(state, plan, &resp.Diagnostics, nil) {
		return
	}
	ctx, cancel := r.within(ctx, plan, "update")
	defer cancel()
	patch, err := kind.Patch(r.kind.Attrs, state, plan)
	if err == nil {
		err = addWriteOnly(r.kind.Attrs, patch, state, plan, config)
	}
	if err != nil {
		resp.Diagnostics.AddError("The change cannot be written", err.Error())
		return
	}
	answer, err := r.kind.change(ctx, r.env, state, plan, patch, version(ctx, req.Private))
	if err != nil {
		resp.Diagnostics.AddError("Cannot change "+r.kind.TypeName(), err.Error())
		return
	}
	object, err := r.kind.await(ctx, r.env, answer.Body, plan)
	if err != nil {
		resp.Diagnostics.AddWarning("Changed, but not confirmed", err.Error())
	}
	r.save(ctx, object, etagOf(object, answer), plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// Delete removes the object, unless it is protected or would take data with it.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if !r.ready(&resp.Diagnostics) {
		return
	}
	state, ok := stateOf(req.State.Raw, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx, cancel := r.within(ctx, state, "delete")
	defer cancel()
	err := r.guard(ctx, state)
	if err == nil {
		err = r.kind.remove(ctx, r.env, state, version(ctx, req.Private))
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot delete "+r.kind.TypeName(), err.Error())
	}
}

func (r *Resource) guard(ctx context.Context, state kind.Values) error {
	if state["deletion_protection"] == true {
		return fmt.Errorf("%s %v has deletion_protection. Set deletion_protection = false and apply; only then destroy it, in a second apply", r.kind.TypeName(), state["id"])
	}
	if r.kind.GuardDestroy != nil {
		return r.kind.GuardDestroy(ctx, r.env, state)
	}
	return nil
}

// ImportState takes a readable id, an id, or an identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !r.ready(&resp.Diagnostics) {
		return
	}
	var values kind.Values
	if req.ID != "" {
		var err error
		if values, err = r.kind.Resolve(ctx, r.env, req.ID); err != nil {
			resp.Diagnostics.AddError("Cannot import "+r.kind.TypeName(), err.Error())
			return
		}
	} else {
		identity, err := kind.ValuesFrom(req.Identity.Raw)
		if err != nil || identity == nil {
			resp.Diagnostics.AddError("Cannot import "+r.kind.TypeName(), "The import block gives neither id nor identity.")
			return
		}
		values = identity
		if r.kind.ByName {
			values["id"] = r.kind.compositeID(values)
		}
	}
	r.kind.localDefaults(values)
	r.write(ctx, values, "", &resp.State, resp.Identity, nil, &resp.Diagnostics)
}

func (r *Resource) ready(diagnostics *diag.Diagnostics) bool {
	if err := r.env.Ready(); err != nil {
		diagnostics.AddError("The provider cannot call Penstock", err.Error())
		return false
	}
	return true
}

func (r *Resource) planned(rawPlan, rawConfig tftypes.Value, diagnostics *diag.Diagnostics) (plan, config kind.Values, ok bool) {
	if !r.ready(diagnostics) {
		return nil, nil, false
	}
	plan, err := kind.ValuesFrom(rawPlan)
	if err == nil {
		config, err = kind.ValuesFrom(rawConfig)
	}
	if err != nil {
		diagnostics.AddError("The plan cannot be read", err.Error())
		return nil, nil, false
	}
	return plan, config, true
}

func stateOf(raw tftypes.Value, diagnostics *diag.Diagnostics) (kind.Values, bool) {
	state, err := kind.ValuesFrom(raw)
	if err != nil {
		diagnostics.AddError("The state cannot be read", err.Error())
		return nil, false
	}
	return state, true
}

// within limits an operation to its timeout.
func (r *Resource) within(ctx context.Context, values kind.Values, operation string) (context.Context, context.CancelFunc) {
	limit := r.kind.Timeout
	if limit == 0 {
		limit = 10 * time.Minute
	}
	if timeouts, ok := values["timeouts"].(kind.Values); ok {
		if text, isText := timeouts[operation].(string); isText {
			if nanos, err := quantity.ParseDuration(text); err == nil {
				limit = time.Duration(nanos)
			}
		}
	}
	return context.WithTimeout(ctx, limit)
}

func etagOf(object api.Object, answer *api.Answer) string {
	if etag := api.Text(object, "etag"); etag != "" {
		return etag
	}
	return answer.ETag
}

func isTrashed(object api.Object) bool {
	return api.Text(object, "deleted_at") != ""
}

// Private data of a resource, where the version lies that a change starts from.
type private interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func version(ctx context.Context, data private) string {
	content, _ := data.GetKey(ctx, "etag")
	var etag string
	_ = json.Unmarshal(content, &etag)
	return etag
}

// save puts what was made or changed into the state; planned values stay as planned.
func (r *Resource) save(ctx context.Context, object api.Object, etag string, plan kind.Values, state *tfsdk.State,
	identity *tfsdk.ResourceIdentity, data privateWriter, diagnostics *diag.Diagnostics,
) {
	values := kind.Adopt(r.kind.Attrs, plan, r.kind.read(r.kind.withoutLabels(r.env, object, plan), plan))
	if sync, _ := object["sync"].(api.Object); api.Text(sync, "state") == "failed" {
		diagnostics.AddWarning("The broker has not taken the change", fmt.Sprintf("%s %v is stored, but sync_status is \"failed\": %s. The next apply waits for it again.",
			r.kind.TypeName(), values["id"], api.Text(sync, "last_error")))
	}
	r.write(ctx, values, etag, state, identity, data, diagnostics)
}

func (r *Resource) write(ctx context.Context, values kind.Values, etag string, state *tfsdk.State,
	identity *tfsdk.ResourceIdentity, data privateWriter, diagnostics *diag.Diagnostics,
) {
	for _, a := range r.kind.Attrs {
		if a.WriteOnly {
			values[a.Name] = nil
		}
	}
	raw, err := kind.ToTerraform(state.Schema.Type().TerraformType(ctx), values)
	if err != nil {
		diagnostics.AddError("The answer does not fit the schema", err.Error())
		return
	}
	state.Raw = raw
	r.identify(ctx, values, identity, diagnostics)
	if data != nil && etag != "" {
		content, _ := json.Marshal(etag)
		diagnostics.Append(data.SetKey(ctx, "etag", content)...)
	}
}

func (r *Resource) identify(ctx context.Context, values kind.Values, identity *tfsdk.ResourceIdentity, diagnostics *diag.Diagnostics) {
	if identity == nil {
		return
	}
	raw, err := kind.ToTerraform(identity.Schema.Type().TerraformType(ctx), pick(values, r.kind.Identity))
	if err != nil {
		diagnostics.AddError("The identity does not fit the schema", err.Error())
		return
	}
	identity.Raw = raw
}

// holds notes that a state has the object, so that no create is taken for it any more.
func (r *Resource) holds(state kind.Values) {
	if id, ok := state["id"].(string); ok {
		r.env.creates().held(id)
	}
}

func pick(values kind.Values, names []string) kind.Values {
	out := kind.Values{}
	for _, name := range names {
		out[name] = values[name]
	}
	return out
}

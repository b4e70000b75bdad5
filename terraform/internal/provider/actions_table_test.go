package provider_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/contract"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// What a change of an attribute is expected to do. Whatever is not named here is changed in place.
var expected = map[string]string{
	"project.organization": "error", "account.project": "error",
	"signing_key_group.account": "error", "user.signing_key_group": "error",
	"credential.user":         "replace",
	"user_revocation.account": "error", "user_revocation.public_key": "error", "user_revocation.before": "error", "user_revocation.reason": "error",
	"stream.account": "error", "stream.name": "error", "stream.storage": "error", "stream.allow_msg_counter": "error", "stream.persist_mode": "error",
	"stream.first_seq": "error", "stream.mirror": "error",
	"stream.sealed": "one way", "stream.deny_delete": "one way", "stream.deny_purge": "one way", "stream.allow_msg_ttl": "one way",
	"consumer.account": "error", "consumer.stream": "error", "consumer.name": "error", "consumer.deliver_policy": "error", "consumer.opt_start_seq": "error",
	"consumer.opt_start_time": "error", "consumer.ack_policy": "error", "consumer.replay_policy": "error", "consumer.max_waiting": "error",
	"consumer.mem_storage": "error", "consumer.flow_control": "error", "consumer.idle_heartbeat": "error",
	"kv_bucket.account": "error", "kv_bucket.name": "error", "kv_bucket.storage": "error", "kv_bucket.mirror": "error",
	"kv_entry.account": "replace", "kv_entry.bucket": "replace", "kv_entry.key": "replace",
	"object_bucket.account": "error", "object_bucket.name": "error", "object_bucket.storage": "error",
	"export.account": "error", "export.type": "error",
	"share.export": "replace", "share.target_account": "replace", "share.target_public_key": "replace", "share.auto_accept": "replace", "share.expires_in": "replace",
	"import.account": "error", "import.remote_account": "replace", "import.remote_public_key": "replace", "import.share": "replace", "import.type": "replace",
	"service_account.organization": "error", "service_account.project": "error",
	"api_token.service_account":    "replace",
	"role_assignment.organization": "error", "role_assignment.principal": "replace", "role_assignment.email": "replace", "role_assignment.role": "replace",
	"role_assignment.project": "replace",
}

// Every attribute of every kind is changed alone, and the plan does what the table says.
func TestEveryAttributeHasItsAction(t *testing.T) {
	f := serve(t)
	server := configured(t, f)
	for _, k := range catalog.All() {
		for _, a := range k.Attrs {
			if a.Mode == kind.Computed || a.WriteOnly {
				continue
			}
			t.Run(k.Name+"."+a.Name, func(t *testing.T) {
				want := expected[k.Name+"."+a.Name]
				if want == "" {
					want = "update"
				}
				from, to := samples(a)
				if got := planned(t, server, k, a, from, to); got != want && (want != "one way" || got != "update") {
					t.Errorf("%s from %v to %v: %s, want %s", a.Name, from, to, got, want)
				}
				if want == "one way" {
					if got := planned(t, server, k, a, true, false); got != "error" {
						t.Errorf("%s is switched off again: %s", a.Name, got)
					}
				}
			})
		}
	}
}

func configured(t *testing.T, f fixture) tfprotov6.ProviderServer {
	t.Helper()
	server, err := factories["penstock"]()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	values := kind.Values{"endpoint": f.URL, "token": contract.Token, "organization": contract.OrganizationID}
	raw := wire(t, schemas.Provider.ValueType(), values)
	answer, err := server.ConfigureProvider(context.Background(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: raw})
	if err != nil || len(answer.Diagnostics) > 0 {
		t.Fatal(err, answer)
	}
	return server
}

func wire(t *testing.T, of tftypes.Type, values kind.Values) *tfprotov6.DynamicValue {
	t.Helper()
	raw, err := kind.ToTerraform(of, values)
	if err != nil {
		t.Fatal(err)
	}
	out, err := tfprotov6.NewDynamicValue(of, raw)
	if err != nil {
		t.Fatal(err)
	}
	return &out
}

// planned says what the plan does when one attribute goes from one value to another.
func planned(t *testing.T, server tfprotov6.ProviderServer, k *engine.Kind, a kind.Attr, from, to any) string {
	t.Helper()
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	of := schemas.ResourceSchemas[k.TypeName()].ValueType()
	state, config := kind.Values{}, kind.Values{}
	for _, each := range k.Attrs {
		if each.WriteOnly || each.Name == "store_in_state" {
			continue
		}
		value, _ := samples(each)
		state[each.Name] = value
		if each.Mode == kind.Required || (each.Mode == kind.Optional && !each.Local && !each.CreateOnly) {
			config[each.Name] = value
		}
		if each.CreateOnly {
			state[each.Name] = nil
		}
		// What the provider sets by itself is there in every state.
		if each.Default != nil {
			state[each.Name] = each.Default
		} else if each.Local && each.Mode != kind.Computed {
			state[each.Name] = nil
		}
	}
	state["deletion_protection"] = nil
	if _, ok := kind.Find(k.Attrs, "deletion_protection"); !ok {
		delete(state, "deletion_protection")
	}
	state["id"] = "id"
	state[a.Name], config[a.Name] = from, to
	proposed := kind.Values{}
	for _, each := range k.Attrs {
		switch {
		case config[each.Name] != nil:
			proposed[each.Name] = config[each.Name]
		case each.Mode != kind.Optional:
			proposed[each.Name] = state[each.Name]
		}
	}
	answer, err := server.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: k.TypeName(), PriorState: wire(t, of, state), Config: wire(t, of, config), ProposedNewState: wire(t, of, proposed),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range answer.Diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			t.Log(diagnostic.Summary, diagnostic.Detail)
			return "error"
		}
	}
	if len(answer.RequiresReplace) > 0 {
		return "replace"
	}
	before, errBefore := wire(t, of, state).Unmarshal(of)
	after, errAfter := answer.PlannedState.Unmarshal(of)
	if errBefore != nil || errAfter != nil {
		t.Fatal(errBefore, errAfter)
	}
	if before.Equal(after) {
		return "nothing"
	}
	return "update"
}

// samples gives two values of an attribute.
func samples(a kind.Attr) (any, any) {
	switch a.Type {
	case kind.Bool:
		return false, true
	case kind.Int, kind.Sequence:
		return int64(1), int64(3)
	case kind.Duration:
		return "1h", "2h"
	case kind.Size:
		return "1KiB", "2KiB"
	case kind.Time:
		return "2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"
	case kind.List, kind.Set:
		if len(a.OneOf) > 1 {
			return []any{a.OneOf[0]}, []any{a.OneOf[0], a.OneOf[1]}
		}
		return []any{"a"}, []any{"a", "b"}
	case kind.DurationList:
		return []any{"1s"}, []any{"1s", "2s"}
	case kind.Map:
		return kind.Values{"a": "1"}, kind.Values{"a": "2"}
	case kind.Object:
		return objects(a)
	case kind.Objects:
		first, second := objects(a)
		return []any{first}, []any{second}
	default:
		if len(a.OneOf) > 1 {
			return a.OneOf[0], a.OneOf[1]
		}
		return fmt.Sprintf("%s-one", a.Name), fmt.Sprintf("%s-two", a.Name)
	}
}

func objects(a kind.Attr) (any, any) {
	first, second := kind.Values{}, kind.Values{}
	for _, inner := range a.Attrs {
		first[inner.Name], second[inner.Name] = samples(inner)
	}
	return first, second
}

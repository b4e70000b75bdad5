package catalog

import (
	"context"
	"testing"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// A credential of one's own key has nothing to keep in the state, and is rotated all the same when it is due.
func TestCredentialOfOwnKeyIsRotatedWhenDue(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for name, age := range map[string]time.Duration{"due": 48 * time.Hour, "fresh": time.Hour} {
		values := func() kind.Values {
			return kind.Values{"id": "iss", "user": "usr", "public_key": "U", "store_in_state": true, "rotate_after": "24h", "state": "active",
				"issued_at": now.Add(-age).Format(time.RFC3339), "creds": nil, "jwt": "eyJ"}
		}
		step := &engine.PlanStep{Kind: Credential, Config: values(), State: values(), Plan: values()}
		if err := planCredential(context.Background(), &engine.Env{Now: func() time.Time { return now }}, step); err != nil {
			t.Fatal(err)
		}
		if rotated := kind.IsUnknown(step.Plan["id"]); rotated != (name == "due") {
			t.Errorf("%s: rotated is %v", name, rotated)
		}
	}
}

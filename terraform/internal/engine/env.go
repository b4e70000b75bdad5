package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
)

// Env is what every resource shares: the client and the provider's defaults.
type Env struct {
	Client *api.Client
	// Organization and Project are the provider's defaults; empty where it gives none.
	Organization, Project string
	// Labels go into the metadata of what the broker keeps.
	Labels map[string]string
	// Problem explains why there is no client yet, such as a token that is known after apply.
	Problem error

	// Now is the clock; nil is the machine's.
	Now func() time.Time

	mu sync.Mutex
	// Ids that this process has read or made; guarded by mu.
	seen map[string]bool
	// Keys that this process has used; guarded by mu.
	keys map[string]bool
	// The caller's only organisation, once asked; guarded by mu.
	own string
}

// Ready gives an error where calls cannot be made yet.
func (e *Env) Ready() error {
	if e == nil {
		return errors.New("the provider is not configured")
	}
	return e.Problem
}

// Time by the clock.
func (e *Env) Time() time.Time {
	if e == nil || e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// OrganizationID of the provider, or the only one that the token works in.
func (e *Env) OrganizationID(ctx context.Context) (string, error) {
	if e.Organization != "" {
		return e.Organization, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.own != "" {
		return e.own, nil
	}
	principal, err := e.Client.Get(ctx, "/v1/principal", nil)
	if err != nil {
		return "", err
	}
	organizations, _ := principal["organizations"].([]any)
	if len(organizations) != 1 {
		return "", fmt.Errorf("the token works in %d organisations: set `organization` on the provider, or PENSTOCK_ORG", len(organizations))
	}
	only, _ := organizations[0].(api.Object)
	e.own = api.Text(only, "id")
	return e.own, nil
}

func (e *Env) remember(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = map[string]bool{}
	}
	e.seen[id] = true
}

func (e *Env) knows(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.seen[id]
}

// createKey is the same when the same create is tried again from the same working folder, so that an apply that was killed
// after the call and before the state was written finds its object again. A second use in one process is another object.
func (e *Env) createKey(path string, body api.Object) string {
	folder, _ := os.Getwd()
	host, _ := os.Hostname()
	content, _ := json.Marshal(body)
	sum := sha256.New()
	for _, part := range []string{host, folder, os.Getenv("TF_WORKSPACE"), path, string(content)} {
		fmt.Fprintf(sum, "%d:%s;", len(part), part)
	}
	key := "tf-" + hex.EncodeToString(sum.Sum(nil))[:40]
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.keys[key] {
		return RandomKey()
	}
	if e.keys == nil {
		e.keys = map[string]bool{}
	}
	e.keys[key] = true
	return key
}

// RandomKey is an Idempotency-Key for one call with its repetitions.
func RandomKey() string {
	return "tf-" + rand.Text()
}

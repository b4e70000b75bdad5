package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
)

// Env is what every resource shares: the client and the provider's defaults.
type Env struct {
	Client *api.Client
	// Organization and Project are the provider's defaults; empty where it gives none.
	Organization, Project string
	// OrganizationLater and ProjectLater: the provider's default is known only after another resource of the same apply.
	OrganizationLater, ProjectLater bool
	// Labels go into the metadata of what the broker keeps.
	Labels map[string]string
	// Problem explains why there is no client yet, such as a token that is known after apply.
	Problem error

	// Now is the clock; nil is the machine's.
	Now func() time.Time

	mu sync.Mutex
	// Creates that earlier processes may have left unfinished; guarded by mu.
	pending *pending
	// Organisations that the token works in, once asked; guarded by mu.
	own []string

	lists lists
	// What one object's plan tells another's; guarded by mu.
	notes map[string]any
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
	if e.OrganizationLater {
		return "", errors.New("`organization` of the provider is known only after apply: apply what gives it first, with -target")
	}
	own, err := e.organizations(ctx)
	if err != nil {
		return "", err
	}
	if len(own) != 1 {
		return "", fmt.Errorf("the token works in %d organisations: set `organization` on the provider, or PENSTOCK_ORG", len(own))
	}
	return own[0], nil
}

// organizations that the token works in.
func (e *Env) organizations(ctx context.Context) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.own) > 0 {
		return e.own, nil
	}
	principal, err := e.Client.Get(ctx, "/v1/principal", nil)
	if err != nil {
		return nil, err
	}
	all, _ := principal["organizations"].([]any)
	for _, each := range all {
		organization, _ := each.(api.Object)
		e.own = append(e.own, api.Text(organization, "id"))
	}
	return e.own, nil
}

// requireIn fails where the token does not work in an organisation: there the API says of everything that it is not there, and a state
// would be emptied for a wrong token.
func (e *Env) requireIn(ctx context.Context, organization string) error {
	if organization == "" {
		organization = e.Organization
	}
	if organization == "" {
		return nil
	}
	own, err := e.organizations(ctx)
	if err == nil && !slices.Contains(own, organization) {
		err = fmt.Errorf("the token does not work in the organisation %s, so what is there cannot be seen. Check PENSTOCK_TOKEN and `organization`", organization)
	}
	return err
}

// Note keeps something for the rest of this walk over the graph.
func (e *Env) Note(name string, value any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.notes == nil {
		e.notes = map[string]any{}
	}
	e.notes[name] = value
}

// Noted gives what was kept, or nil.
func (e *Env) Noted(name string) any {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.notes[name]
}

// creates that may be unfinished; read at the first use.
func (e *Env) creates() *pending {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pending == nil {
		e.pending = openPending()
	}
	return e.pending
}

// RandomKey is an Idempotency-Key for one call with its repetitions.
func RandomKey() string {
	return "tf-" + rand.Text()
}

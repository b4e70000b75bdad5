package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/contract"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// many is an account with streams S0, S1 …, and what a walk of Terraform over them has.
type many struct {
	*contract.Server
	t       *testing.T
	env     *engine.Env
	account string
	now     time.Time
}

func withStreams(t *testing.T, count int) *many {
	t.Helper()
	server := contract.Serve(t)
	client, err := api.New(api.Config{Endpoint: server.URL, Token: contract.Token, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	m := &many{Server: server, t: t, now: time.Now()}
	m.env = &engine.Env{Client: client, Now: func() time.Time { return m.now }}
	project := m.post("/v1/orgs/"+contract.OrganizationID+"/projects", "p")
	m.account = m.post("/v1/projects/"+project+"/accounts", "a")
	for i := range count {
		m.post("/v1/accounts/"+m.account+"/streams", fmt.Sprintf("S%d", i))
	}
	return m
}

func (m *many) post(path, name string) string {
	m.t.Helper()
	answer, err := m.env.Client.Do(context.Background(), api.Call{Method: http.MethodPost, Path: path, Body: api.Object{"name": name}, Key: engine.RandomKey()})
	if err != nil {
		m.t.Fatal(err)
	}
	return api.Text(answer.Body, "id")
}

func (m *many) path(i int) string {
	return fmt.Sprintf("/v1/accounts/%s/streams/S%d", m.account, i)
}

func (m *many) refresh(i int) (api.Object, error) {
	return engine.Refresh(context.Background(), m.env, catalog.Stream, kind.Values{"account": m.account, "name": fmt.Sprintf("S%d", i)})
}

func (m *many) description(i int) string {
	m.t.Helper()
	object, err := m.refresh(i)
	if err != nil {
		m.t.Fatal(err)
	}
	return api.Text(object, "description")
}

// Reads by themselves are those of single streams.
func (m *many) single() int { return len(m.Calls(http.MethodGet, "/streams/S")) }

func TestManyObjectsAreReadByTheirList(t *testing.T) {
	m := withStreams(t, 40)
	for i := range 40 {
		if object, err := m.refresh(i); err != nil || api.Text(object, "name") != fmt.Sprintf("S%d", i) {
			t.Fatalf("S%d: %v %v", i, object, err)
		}
	}
	if m.single() > 8 {
		t.Errorf("%d of 40 were read one by one", m.single())
	}
}

func TestFewObjectsAreReadOneByOne(t *testing.T) {
	m := withStreams(t, 40)
	for i := range 3 {
		_, _ = m.refresh(i)
	}
	if lists := len(m.Calls(http.MethodGet, "/streams")) - m.single(); lists != 0 {
		t.Errorf("%d pages of the list were read for 3 of its objects", lists)
	}
}

func TestAListIsNotOlderThanAChangeOfThisProcess(t *testing.T) {
	m := withStreams(t, 12)
	for i := range 7 {
		_, _ = m.refresh(i)
	}
	object, _ := m.env.Client.Get(context.Background(), m.path(9), nil)
	_, err := m.env.Client.Do(context.Background(), api.Call{Method: http.MethodPatch, Path: m.path(9), Body: api.Object{"description": "new"}, IfMatch: api.Text(object, "etag")})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.description(9); got != "new" {
		t.Errorf("read %q after writing it", got)
	}
}

func TestAnObjectOfAListIsGivenOnce(t *testing.T) {
	m := withStreams(t, 12)
	for i := range 10 {
		_, _ = m.refresh(i)
	}
	m.Change(m.path(9), map[string]any{"description": "since"})
	if got := m.description(9); got != "since" {
		t.Errorf("the second read gave %q", got)
	}
}

func TestAListIsReadAgainWhenItIsOld(t *testing.T) {
	m := withStreams(t, 12)
	for i := range 7 {
		_, _ = m.refresh(i)
	}
	m.Change(m.path(9), map[string]any{"description": "since"})
	m.now = m.now.Add(time.Minute)
	if got := m.description(9); got != "since" {
		t.Errorf("read %q out of a list that is a minute old", got)
	}
}

func TestWhatIsNotInAListIsAskedFor(t *testing.T) {
	m := withStreams(t, 12)
	for i := range 7 {
		_, _ = m.refresh(i)
	}
	m.post("/v1/accounts/"+m.account+"/streams", "S77")
	if _, err := m.refresh(77); err != nil {
		t.Error(err)
	}
	m.Remove(m.path(9))
	m.now = m.now.Add(time.Minute)
	if _, err := m.refresh(9); !api.IsGone(err) {
		t.Errorf("a stream that is gone: %v", err)
	}
}

package engine_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/contract"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
)

// losing is a client with retries and a server of which the first answers to a path are lost.
func losing(t *testing.T) (*contract.Server, *engine.Env, func(path string, body api.Object) string) {
	t.Helper()
	server := contract.Serve(t)
	client, err := api.New(api.Config{Endpoint: server.URL, Token: contract.Token, Timeout: time.Minute, MaxRetries: 3,
		Pause: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return server, &engine.Env{Client: client}, func(path string, body api.Object) string {
		answer, err := client.Do(context.Background(), api.Call{Method: http.MethodPost, Path: path, Body: body, Key: engine.RandomKey()})
		if err != nil {
			t.Fatal(err)
		}
		return api.Text(answer.Body, "id")
	}
}

func TestLostCredentialIsVoidAndIssuedAnew(t *testing.T) {
	server, env, post := losing(t)
	project := post("/v1/orgs/"+contract.OrganizationID+"/projects", api.Object{"name": "p"})
	account := post("/v1/projects/"+project+"/accounts", api.Object{"name": "a"})
	group := post("/v1/accounts/"+account+"/signing-key-groups", api.Object{"name": "g"})
	user := post("/v1/accounts/"+account+"/users", api.Object{"name": "u", "signing_key_group_id": group})
	server.Inject(contract.Fault{Method: "POST", Path: "/actions/issue", Lose: true})
	answer, err := engine.Issue(context.Background(), env, "/v1/users/"+user+"/actions/issue", api.Object{}, false)
	if err != nil || api.Text(answer.Body, "creds") == "" {
		t.Fatalf("%v %v", answer, err)
	}
	if revoked := server.Calls("POST", "/actions/revoke"); len(revoked) != 1 || len(server.Secrets()) != 2 {
		t.Errorf("%d issued, %d of them revoked", len(server.Secrets()), len(revoked))
	}
}

func TestTokenWhoseAnswerIsLostGetsAnotherSecret(t *testing.T) {
	server, env, post := losing(t)
	machine := post("/v1/orgs/"+contract.OrganizationID+"/service-accounts", api.Object{"name": "ci"})
	body := api.Object{"name": "deploy", "scopes": []any{"*:read"}, "expires_in": "10m"}
	server.Inject(contract.Fault{Method: "POST", Path: "/tokens", Lose: true})
	answer, err := engine.MakeToken(context.Background(), env, "/v1/service-accounts/"+machine+"/tokens", body, false)
	if err != nil || api.Text(answer.Body, "secret") == "" {
		t.Fatalf("%v %v", answer, err)
	}
	if again := server.Calls("POST", "/actions/rotate"); len(again) != 1 || again[0].Body["expires_in"] != "10m" || server.Count("ApiToken") != 1 {
		t.Errorf("%v, %d tokens", again, server.Count("ApiToken"))
	}
}

func TestAnswersThatAreLostAgainAndAgainAreAnError(t *testing.T) {
	server, env, post := losing(t)
	machine := post("/v1/orgs/"+contract.OrganizationID+"/service-accounts", api.Object{"name": "ci"})
	// Each first attempt is lost, its repetition comes through.
	calls := 0
	var lose func()
	lose = func() {
		if calls++; calls%2 == 1 {
			server.Inject(contract.Fault{Method: "POST", Lose: true})
		}
		server.Before("POST", "", lose)
	}
	server.Before("POST", "", lose)
	_, err := engine.MakeToken(context.Background(), env, "/v1/service-accounts/"+machine+"/tokens", api.Object{"name": "deploy", "scopes": []any{"*"}}, false)
	if err == nil {
		t.Error("a token without a secret is handed on")
	}
}

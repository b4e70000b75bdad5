// Package acceptance tests the provider with a real Terraform against a real stack: PENSTOCK_ENDPOINT, PENSTOCK_TOKEN and
// PENSTOCK_ORG say which, TF_ACC switches the tests on. `./penstock test terraform` starts a stack of its own for them.
package acceptance

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/provider"
)

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"penstock": providerserver.NewProtocol6WithError(provider.New("acceptance")()),
}

// stack gives a client of the stack beside Terraform, and a suffix for names.
func stack(t testing.TB) (*api.Client, string) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests want TF_ACC and a stack: ./penstock test terraform")
	}
	client, err := api.New(api.Config{Endpoint: os.Getenv("PENSTOCK_ENDPOINT"), Token: os.Getenv("PENSTOCK_TOKEN"), UserAgent: "acceptance", MaxRetries: 6, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return client, strings.ToLower(rand.Text()[:8])
}

func kindOf(t testing.TB, name string) *engine.Kind {
	t.Helper()
	for _, k := range catalog.All() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("there is no kind %s", name)
	return nil
}

// item is the address of a resource of the state.
func item(t *testing.T, state *terraform.State, name string) string {
	t.Helper()
	found, ok := state.RootModule().Resources["penstock_"+name+".x"]
	if !ok {
		t.Fatalf("penstock_%s.x is not in the state", name)
	}
	values := map[string]any{}
	for attr, value := range found.Primary.Attributes {
		values[attr] = value
	}
	path, err := engine.Expand(kindOf(t, name).Item, values)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// deleteOutside takes an object away by the API.
func deleteOutside(client *api.Client, kind, path string) error {
	call := api.Call{Method: http.MethodDelete, Path: path}
	switch kind {
	case "credential":
		call = api.Call{Method: http.MethodPost, Path: path + "/actions/revoke", Body: api.Object{}, Key: engine.RandomKey()}
	case "stream", "kv_bucket", "object_bucket":
		call.Query = url.Values{"permanent": {"true"}}
	}
	if kind != "credential" {
		object, err := client.Get(context.Background(), path, nil)
		if err != nil {
			return err
		}
		call.IfMatch = api.Text(object, "etag")
	}
	answer, err := client.Do(context.Background(), call)
	if err == nil && answer.Status == http.StatusAccepted {
		err = engine.AwaitOperation(context.Background(), &engine.Env{Client: client}, answer.Body)
	}
	return err
}

// changeOutside changes an object by the API.
func changeOutside(client *api.Client, path string, patch api.Object) error {
	object, err := client.Get(context.Background(), path, nil)
	if err != nil {
		return err
	}
	_, err = client.Do(context.Background(), api.Call{Method: http.MethodPatch, Path: path, Body: patch, IfMatch: api.Text(object, "etag")})
	return err
}

// gone says that nothing is left at an address.
func gone(client *api.Client, path string) error {
	object, err := client.Get(context.Background(), path, nil)
	switch {
	case api.IsGone(err):
		return nil
	case err != nil:
		return err
	case api.Text(object, "deleted_at") != "" || api.Text(object, "state") == "revoked" || api.Text(object, "state") == "deleted":
		return nil
	}
	return fmt.Errorf("%s is still there", path)
}

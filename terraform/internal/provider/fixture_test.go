package provider_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/penstock/terraform-provider-penstock/internal/contract"
	"github.com/penstock/terraform-provider-penstock/internal/provider"
)

// The provider in this process.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"penstock": providerserver.NewProtocol6WithError(provider.New("test")()),
}

// TestMain keeps what is on the machine out of the tests.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "penstock-provider")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"XDG_CACHE_HOME": cache, "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": "",
		"PENSTOCK_ENDPOINT": "", "PENSTOCK_TOKEN": "", "PENSTOCK_ORG": "", "PENSTOCK_PROJECT": ""} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

// fixture is a server by the document, and the provider block that points to it.
type fixture struct {
	*contract.Server
	t *testing.T
}

func serve(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	return fixture{contract.Serve(t), t}
}

// with puts the provider block before a configuration.
func (f fixture) with(configuration string, args ...any) string {
	return f.under("", fmt.Sprintf(configuration, args...))
}

// under adds a line to the provider block.
func (f fixture) under(line, configuration string) string {
	return fmt.Sprintf("provider \"penstock\" {\n  endpoint = %q\n  token = %q\n  %s\n}\n", f.URL, contract.Token, line) + configuration
}

// base makes a project, an account, a group and a user.
const base = `
resource "penstock_project" "p" {
  name = "prod"
}
resource "penstock_account" "a" {
  project = penstock_project.p.id
  name    = "orders"
}
resource "penstock_signing_key_group" "g" {
  account = penstock_account.a.id
  name    = "services"
}
resource "penstock_user" "u" {
  signing_key_group = penstock_signing_key_group.g.id
  name              = "billing-svc"
}
`

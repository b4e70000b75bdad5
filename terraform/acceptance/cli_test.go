package acceptance

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
)

// cli is the nats CLI with a credential of an account, as somebody beside Terraform has it.
type cli struct {
	t           *testing.T
	server, key string
}

func cliOf(t *testing.T, client *api.Client, account string) *cli {
	t.Helper()
	path := "/v1/accounts/" + account
	info, err := client.Get(context.Background(), path+"/connect-info", nil)
	must(t, err)
	urls, _ := info["client_urls"].([]any)
	if len(urls) == 0 {
		t.Fatalf("no address for clients: %v", info)
	}
	made, err := client.Do(context.Background(), api.Call{Method: http.MethodPost, Path: path + "/credentials", Body: api.Object{"name": "cli"}, Key: engine.RandomKey()})
	must(t, err)
	file := filepath.Join(t.TempDir(), "cli.creds")
	must(t, os.WriteFile(file, []byte(api.Text(made.Body, "creds")), 0o600))
	return &cli{t: t, server: urls[0].(string), key: file}
}

func (c *cli) run(args ...string) string {
	c.t.Helper()
	out, err := exec.Command("nats", append([]string{"--server", c.server, "--creds", c.key, "--timeout", "20s"}, args...)...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("nats %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/api"
)

// What one workspace made is not another's, however the workspace was chosen.
func TestUnfinishedCreatesBelongToAWorkspace(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("TF_WORKSPACE", "")
	t.Setenv("TF_DATA_DIR", "")
	t.Chdir(t.TempDir())
	body := api.Object{"name": "SHARED"}
	openPending().begin("/streams", body)
	if !openPending().has("/streams", body) {
		t.Fatal("an unfinished create is forgotten")
	}
	if err := os.Mkdir(".terraform", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(".terraform", "environment"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if openPending().has("/streams", body) {
		t.Error("the workspace \"other\" takes what \"default\" began")
	}
	if err := os.WriteFile(filepath.Join(".terraform", "environment"), []byte("default"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !openPending().has("/streams", body) {
		t.Error("back in \"default\" its create is forgotten")
	}
}

package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
)

// How long an unfinished create is remembered; the API keeps its answers for longer.
const pendingFor = time.Hour

// pending remembers the keys of creates whose object no state may hold yet, in a folder of this user. An apply that was
// killed between the call and the writing of the state finds its object again by the same key; an object that a state is
// seen to hold is forgotten here. No body and no secret is stored, only hashes, keys and ids.
type pending struct {
	folder string

	mu sync.Mutex
	// What earlier processes left, by hash; guarded by mu.
	left map[string]create
}

type create struct {
	Key string `json:"key"`
	ID  string `json:"id,omitempty"`
}

// openPending reads what earlier processes left for this working folder and workspace.
func openPending() *pending {
	cache, err := os.UserCacheDir()
	folder, errFolder := os.Getwd()
	if err != nil || errFolder != nil {
		return &pending{}
	}
	place := hashOf(folder, workspace(folder), os.Getenv("TF_DATA_DIR"))
	p := &pending{folder: filepath.Join(cache, "penstock-terraform", place), left: map[string]create{}}
	entries, _ := os.ReadDir(p.folder)
	for _, entry := range entries {
		file := filepath.Join(p.folder, entry.Name())
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) > pendingFor {
			_ = os.Remove(file)
			continue
		}
		var found create
		content, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(content, &found) == nil {
			p.left[entry.Name()] = found
		}
	}
	return p
}

// workspace is that of the variable, or what `terraform workspace select` wrote into the data folder: the states of two workspaces
// hold different objects, and what one made is not another's.
func workspace(folder string) string {
	if name := os.Getenv("TF_WORKSPACE"); name != "" {
		return name
	}
	data := os.Getenv("TF_DATA_DIR")
	if data == "" {
		data = ".terraform"
	}
	if !filepath.IsAbs(data) {
		data = filepath.Join(folder, data)
	}
	name, _ := os.ReadFile(filepath.Join(data, "environment"))
	if text := strings.TrimSpace(string(name)); text != "" {
		return text
	}
	return "default"
}

func hashOf(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d:%s;", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}

// has tells whether an earlier process began this create.
func (p *pending) has(path string, body api.Object) bool {
	content, _ := json.Marshal(body)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, found := p.left[hashOf(path, string(content))]
	return found
}

// begin gives the key of a create: that of the same create of an earlier process, or a new one.
func (p *pending) begin(path string, body api.Object) (hash, key string) {
	content, _ := json.Marshal(body)
	hash = hashOf(path, string(content))
	p.mu.Lock()
	before, found := p.left[hash]
	delete(p.left, hash)
	p.mu.Unlock()
	key = before.Key
	if !found {
		key = RandomKey()
	}
	p.write(hash, create{Key: key, ID: before.ID})
	return hash, key
}

// made notes which object came of it.
func (p *pending) made(hash, key, id string) { p.write(hash, create{Key: key, ID: id}) }

// failed forgets a create that certainly made nothing.
func (p *pending) failed(hash string) {
	if p.folder != "" {
		_ = os.Remove(filepath.Join(p.folder, hash))
	}
}

// held forgets the create of an object that a state holds.
func (p *pending) held(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for hash, each := range p.left {
		if each.ID == id {
			delete(p.left, hash)
			_ = os.Remove(filepath.Join(p.folder, hash))
		}
	}
}

func (p *pending) write(hash string, entry create) {
	if p.folder == "" {
		return
	}
	content, _ := json.Marshal(entry)
	// Without it a killed apply ends in "already exists"; that is no reason to fail this one.
	if os.MkdirAll(p.folder, 0o700) == nil {
		_ = os.WriteFile(filepath.Join(p.folder, hash), content, 0o600)
	}
}

// isFinal tells whether an error says that nothing was made.
func isFinal(err error) bool {
	var problem *api.Problem
	return errors.As(err, &problem) && problem.Status < http.StatusInternalServerError && problem.Code != "idempotency_in_progress"
}

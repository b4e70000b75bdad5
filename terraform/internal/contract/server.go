package contract

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token that the server takes.
const Token = "pst_sat_testtokentesttokentesttokentest_abcdef"

// Server answers by the document, in memory.
type Server struct {
	URL string
	doc *Document
	t   testing.TB

	mu sync.Mutex
	// Objects by path; guarded by mu, as is all below.
	objects map[string]*record
	order   []string
	// Answers to POSTs by route and key.
	replays map[string]replay
	faults  []*Fault
	calls   []Request
	secrets []string
	before  []hook
	// The organisation that the token works in.
	works string
}

type hook struct {
	method, part string
	run          func()
}

// Before runs something once, just before the next call of a kind is answered.
func (s *Server) Before(method, part string, run func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = append(s.before, hook{method, part, run})
}

func (s *Server) runHooks(method, path string, query url.Values) {
	if query.Get("dry_run") == "true" {
		return
	}
	s.mu.Lock()
	var due []hook
	s.before = slices.DeleteFunc(s.before, func(each hook) bool {
		hit := each.method == method && strings.Contains(path, each.part)
		if hit {
			due = append(due, each)
		}
		return hit
	})
	s.mu.Unlock()
	for _, each := range due {
		each.run()
	}
}

type record struct {
	collection, schema string
	body               map[string]any
	version            int
}

type replay struct {
	request string
	status  int
	body    map[string]any
}

// Request that was seen.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         map[string]any
}

// Fault is an answer to give instead of the real one.
type Fault struct {
	// Method and a part of the path that it applies to; empty: all.
	Method, Path string
	// Times that it is given; 0 is once.
	Times int
	// Status and Code of the answer; status 0 lets the call through after Delay.
	Status int
	Code   string
	// RetryAfter in seconds; "" sends none.
	RetryAfter string
	Delay      time.Duration
	// Lose does the work and then cuts the connection.
	Lose bool
}

// Serve starts a server that ends with the test.
func Serve(t testing.TB) *Server {
	t.Helper()
	doc, err := Load()
	if err != nil {
		t.Fatalf("the OpenAPI document: %v", err)
	}
	s := &Server{doc: doc, t: t, objects: map[string]*record{}, replays: map[string]replay{}, works: OrganizationID}
	s.seed()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// OrganizationID that exists from the start.
const OrganizationID = "org_01J9ZQ4T7YJ3M5X8R2B6C0D1EF"

func (s *Server) seed() {
	body := s.doc.SynthObject(s.doc.Schema("Organization"))
	body["id"], body["name"], body["etag"] = OrganizationID, "acme", `"v1"`
	s.put("/v1/orgs/"+OrganizationID, &record{collection: "/v1/orgs", schema: "Organization", body: body, version: 1})
}

// Inject adds a fault.
func (s *Server) Inject(fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fault.Times == 0 {
		fault.Times = 1
	}
	s.faults = append(s.faults, &fault)
}

// Mend takes all faults away.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Calls that were made so far.
func (s *Server) Calls(method, part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(func(yield func(Request) bool) {
		for _, call := range s.calls {
			if call.Method == method && strings.Contains(call.Path, part) && !yield(call) {
				return
			}
		}
	})
}

// Secrets that were given out.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.secrets)
}

// Change an object as somebody else would.
func (s *Server) Change(path string, patch map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.objects[path]
	if !ok {
		s.t.Fatalf("there is no %s", path)
	}
	found.body = merge(found.body, patch)
	s.bump(found)
}

// MoveToken makes the token one of another organisation, for which nothing is there.
func (s *Server) MoveToken(organization string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.works = organization
}

// Remove an object as somebody else would.
func (s *Server) Remove(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(path)
}

// Find gives the path of the first object of a collection's end with a name.
func (s *Server) Find(collection, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range s.order {
		found := s.objects[path]
		if strings.HasSuffix(found.collection, collection) && (found.body["name"] == name || found.body["id"] == name || found.body["key"] == name) {
			return path
		}
	}
	return ""
}

// Body of an object.
func (s *Server) Body(path string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.objects[path]; ok {
		return found.body
	}
	return nil
}

// Count of objects of a schema.
func (s *Server) Count(schema string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, found := range s.objects {
		if found.schema == schema {
			count++
		}
	}
	return count
}

func (s *Server) put(path string, r *record) {
	if _, known := s.objects[path]; !known {
		s.order = append(s.order, path)
	}
	s.objects[path] = r
}

func (s *Server) drop(path string) {
	delete(s.objects, path)
	s.order = slices.DeleteFunc(s.order, func(each string) bool { return each == path })
}

func (s *Server) bump(r *record) {
	r.version++
	if _, ok := r.body["etag"]; ok {
		r.body["etag"] = fmt.Sprintf("%q", fmt.Sprintf("v%d", r.version))
	}
	if _, ok := r.body["updated_at"]; ok {
		r.body["updated_at"] = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	path := r.URL.EscapedPath()
	s.runHooks(r.Method, path, r.URL.Query())
	fault := s.nextFault(r.Method, path)
	if fault != nil && fault.Delay > 0 {
		time.Sleep(fault.Delay)
	}
	w.Header().Set("X-Request-Id", NewID("req"))
	if fault != nil && fault.Status != 0 {
		if fault.RetryAfter != "" {
			w.Header().Set("Retry-After", fault.RetryAfter)
		}
		s.write(w, fault.Status, s.problem(fault.Status, fault.Code, "Injected."))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status, body := s.answer(w, r, path, raw)
	if fault != nil && fault.Lose {
		panic(http.ErrAbortHandler)
	}
	s.write(w, status, body)
}

func (s *Server) nextFault(method, path string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, fault := range s.faults {
		if fault.Times > 0 && (fault.Method == "" || fault.Method == method) && strings.Contains(path, fault.Path) {
			fault.Times--
			return fault
		}
	}
	return nil
}

func (s *Server) write(w http.ResponseWriter, status int, body map[string]any) {
	if etag, ok := body["etag"].(string); ok {
		w.Header().Set("ETag", etag)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (s *Server) problem(status int, code, detail string) map[string]any {
	return map[string]any{"type": "about:blank", "title": code, "status": status, "code": code, "detail": detail,
		"request_id": NewID("req"), "retryable": status == 429 || status == 503, "params": map[string]any{}, "invalid_parameters": []any{}}
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, path string, raw []byte) (int, map[string]any) {
	var body map[string]any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &body); err != nil {
			return 400, s.problem(400, "invalid_request", err.Error())
		}
	}
	s.calls = append(s.calls, Request{Method: r.Method, Path: path, Header: r.Header.Clone(), Body: body})
	if r.Header.Get("Authorization") != "Bearer "+Token {
		return 401, s.problem(401, "unauthenticated", "The token is wrong.")
	}
	op, params := s.doc.match(r.Method, path)
	if op == nil {
		return 404, s.problem(404, "not_found", "There is no such operation: "+r.Method+" "+path)
	}
	if s.works != OrganizationID && path != "/v1/principal" {
		return 404, s.problem(404, "not_found", "There is no such thing.")
	}
	for name := range r.URL.Query() {
		if !op.query[name] {
			return 400, s.problem(400, "invalid_request", "unknown query parameter "+name)
		}
	}
	if op.needsKey && r.Header.Get("Idempotency-Key") == "" {
		return 400, s.problem(400, "idempotency_key_required", "Idempotency-Key is missing.")
	}
	if r.Method == http.MethodPost && r.Header.Get("Idempotency-Key") == "" {
		s.t.Errorf("POST %s came without an Idempotency-Key", path)
	}
	if op.request != "" && body != nil {
		if err := s.doc.Check(op.request, body); err != nil {
			return 422, s.problem(422, "validation_failed", err.Error())
		}
	}
	key := r.Method + " " + path + " " + r.Header.Get("Idempotency-Key")
	if before, ok := s.replays[key]; ok && r.Header.Get("Idempotency-Key") != "" {
		if before.request != string(raw) {
			return 422, s.problem(422, "idempotency_key_reused", "The key was used with another body.")
		}
		w.Header().Set("Idempotent-Replayed", "true")
		return before.status, before.body
	}
	status, answer := s.perform(&exchange{op: op, params: params, path: path, body: body, header: r.Header, query: r.URL.Query()})
	if status < 300 && answer != nil {
		if name := op.answers[fmt.Sprint(status)]; name != "" && r.URL.Query().Get("dry_run") != "true" {
			if err := s.doc.Check(name, answer); err != nil {
				s.t.Errorf("the answer to %s %s is not a %s: %v", r.Method, path, name, err)
			}
		}
		if r.Method == http.MethodPost && r.URL.Query().Get("dry_run") != "true" {
			s.replays[key] = replay{request: string(raw), status: status, body: withoutSecret(answer)}
		}
	}
	return status, answer
}

// A repetition is answered without the secret of the first answer, and says so.
func withoutSecret(answer map[string]any) map[string]any {
	kept := answer
	for _, field := range []string{"secret", "creds", "jwt"} {
		if answer[field] != nil {
			kept = merge(kept, map[string]any{field: nil, "code": "secret_already_delivered"})
		}
	}
	return kept
}

func (d *Document) match(method, path string) (*operation, map[string]string) {
	var best *operation
	var found []string
	for _, op := range d.operations {
		if op.method != method {
			continue
		}
		// A literal segment goes before a parameter.
		if parts := op.form.FindStringSubmatch(path); parts != nil && (best == nil || len(op.params) < len(best.params)) {
			best, found = op, parts[1:]
		}
	}
	if best == nil {
		return nil, nil
	}
	params := map[string]string{}
	for i, name := range best.params {
		params[name], _ = url.PathUnescape(found[i])
	}
	return best, params
}

package contract

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
)

// exchange is one request on its way.
type exchange struct {
	op     *operation
	params map[string]string
	path   string
	body   map[string]any
	header http.Header
	query  url.Values
}

// Fields that a path's parameters become in the object.
var pathFields = map[string]string{
	"org": "organization_id", "project": "project_id", "account": "account_id", "stream": "stream_name", "export": "export_id",
	"bucket": "bucket", "user": "user_id", "key": "key",
}

func (s *Server) perform(x *exchange) (int, map[string]any) {
	if status, body, ok := s.special(x); ok {
		return status, body
	}
	switch x.op.method {
	case http.MethodGet:
		return s.get(x)
	case http.MethodPost:
		return s.post(x)
	case http.MethodPatch:
		return s.patch(x)
	case http.MethodDelete:
		return s.delete(x)
	default:
		return 405, s.problem(405, "method_not_allowed", x.op.method)
	}
}

func (s *Server) get(x *exchange) (int, map[string]any) {
	name := x.op.answers["200"]
	if strings.HasSuffix(name, "Page") {
		return s.list(x, strings.TrimSuffix(name, "Page"))
	}
	if found, ok := s.objects[x.path]; ok {
		return 200, found.body
	}
	return 404, s.problem(404, "not_found", "There is no "+x.path)
}

// Pages of two, so that every list is walked.
func (s *Server) list(x *exchange, schema string) (int, map[string]any) {
	start := 0
	_, _ = fmt.Sscanf(x.query.Get("page[after]"), "%d", &start)
	data := []any{}
	var next any
	index := 0
	for _, path := range s.order {
		found := s.objects[path]
		if (found.schema != schema && (schema != "KvKey" || found.schema != "KvEntry")) || (found.collection != x.path && !below(found, x)) {
			continue
		}
		if index >= start && len(data) == 2 {
			next = fmt.Sprint(index)
			break
		}
		if index >= start {
			data = append(data, s.listed(schema, found))
		}
		index++
	}
	return 200, map[string]any{"data": data, "page": map[string]any{"next": next, "prev": nil, "size": 2}}
}

// listed is how a list shows an object: of a KV entry without the value.
func (s *Server) listed(schema string, found *record) map[string]any {
	if found.schema == schema {
		return found.body
	}
	out := s.doc.SynthObject(s.doc.Schema(schema))
	for field := range out {
		if value, ok := found.body[field]; ok {
			out[field] = value
		}
	}
	return out
}

// Issuances are listed below their account too.
func below(found *record, x *exchange) bool {
	return found.schema == "Issuance" && (found.body["account_id"] == x.params["account"] || found.body["user_id"] == x.params["user"])
}

func (s *Server) post(x *exchange) (int, map[string]any) {
	schema := x.op.answers["201"]
	if schema == "" {
		return 404, s.problem(404, "not_found", "This server does not know the action "+x.path)
	}
	if x.query.Get("dry_run") == "true" {
		return 200, s.dryRun()
	}
	if parent := x.path[:strings.LastIndex(x.path, "/")]; s.missing(parent) {
		return 404, s.problem(404, "not_found", "There is no "+parent)
	}
	if name, ok := x.body["name"].(string); ok {
		for _, path := range s.order {
			if s.objects[path].collection == x.path && s.objects[path].body["name"] == name {
				return 409, s.problem(409, "already_exists", "There is one with the name "+name)
			}
		}
	}
	body := merge(s.doc.SynthObject(s.doc.Schema(schema)), s.defaults(schema, x))
	body = merge(body, x.body)
	for param, value := range x.params {
		if field, ok := pathFields[param]; ok && s.doc.Property(schema, field) != nil {
			body[field] = value
		}
	}
	s.complete(schema, body)
	item := s.itemPath(schema, x, body)
	made := &record{collection: x.path, schema: schema, body: body, version: 1}
	if _, ok := body["etag"]; ok {
		body["etag"] = `"v1"`
	}
	s.put(item, made)
	return 201, body
}

func (s *Server) missing(parent string) bool {
	if parent == "/v1" {
		return false
	}
	_, known := s.objects[parent]
	return !known
}

// itemPath is where an object is read.
func (s *Server) itemPath(schema string, x *exchange, body map[string]any) string {
	for _, op := range s.doc.operations {
		if op.method != http.MethodGet || op.answers["200"] != schema || !strings.HasSuffix(op.template, "}") || op.template == "/v1/me" {
			continue
		}
		last := op.params[len(op.params)-1]
		if strings.HasPrefix(op.template, "/v1/me/") {
			continue
		}
		path := op.template
		for _, param := range op.params[:len(op.params)-1] {
			path = strings.ReplaceAll(path, "{"+param+"}", url.PathEscape(x.params[param]))
		}
		value := fmt.Sprint(body["id"])
		if body["id"] == nil {
			value = fmt.Sprint(first(body, "name", "public_key", "key"))
		}
		return strings.ReplaceAll(path, "{"+last+"}", url.PathEscape(value))
	}
	return x.path + "/" + fmt.Sprint(body["id"])
}

func first(body map[string]any, names ...string) any {
	for _, name := range names {
		if body[name] != nil {
			return body[name]
		}
	}
	return nil
}

func (s *Server) dryRun() map[string]any {
	return map[string]any{"valid": true, "changes": []any{}, "affected": map[string]any{}, "warnings": []any{}, "restorable_until": nil}
}

func (s *Server) patch(x *exchange) (int, map[string]any) {
	found, ok := s.objects[x.path]
	if !ok {
		return 404, s.problem(404, "not_found", "There is no "+x.path)
	}
	if status, problem := s.precondition(x, found); problem != nil {
		return status, problem
	}
	if x.query.Get("dry_run") == "true" {
		return 200, s.dryRun()
	}
	found.body = merge(found.body, x.body)
	if template, ok := x.body["template"]; ok {
		// Rights are replaced as a whole, not merged.
		found.body["template"] = template
	}
	s.fill(found)
	if x.body["disabled"] == true {
		found.body["state"] = "disabled"
	} else if x.body["disabled"] == false {
		found.body["state"] = "active"
	}
	s.bump(found)
	return 200, found.body
}

// fill gives back what a patch took away and an answer has to have.
func (s *Server) fill(found *record) {
	for name, value := range s.doc.SynthObject(s.doc.Schema(found.schema)) {
		if _, ok := found.body[name]; !ok {
			found.body[name] = value
		}
	}
}

func (s *Server) precondition(x *exchange, found *record) (int, map[string]any) {
	match := x.header.Get("If-Match")
	if match == "" && x.op.needsMatch {
		return 428, s.problem(428, "precondition_required", "If-Match is missing.")
	}
	if etag, ok := found.body["etag"].(string); ok && match != "" && match != etag {
		return 412, s.problem(412, "version_mismatch", "The object is at "+etag)
	}
	return 0, nil
}

func (s *Server) delete(x *exchange) (int, map[string]any) {
	found, ok := s.objects[x.path]
	if !ok {
		return 404, s.problem(404, "not_found", "There is no "+x.path)
	}
	if status, problem := s.precondition(x, found); problem != nil {
		return status, problem
	}
	if found.body["deletion_protection"] == true {
		return 409, s.problem(409, "deletion_protected", "It is protected.")
	}
	for _, path := range s.order {
		if strings.HasPrefix(path, x.path+"/") || strings.HasPrefix(s.objects[path].collection, x.path+"/") {
			if found.schema == "Project" {
				return 409, s.problem(409, "has_dependents", "It has "+path)
			}
			defer s.drop(path)
		}
	}
	if found.schema == "ApiToken" {
		found.body["state"] = "revoked"
		s.bump(found)
		return 204, nil
	}
	s.drop(x.path)
	if x.op.answers["202"] != "" {
		operation := s.doc.SynthObject(s.doc.Schema("Operation"))
		operation["state"], operation["id"] = "running", NewID("op")
		s.put("/v1/operations/"+operation["id"].(string), &record{schema: "Operation", body: merge(operation, map[string]any{"state": "succeeded"})})
		return 202, operation
	}
	return 204, nil
}

// special answers what is more than keeping objects.
func (s *Server) special(x *exchange) (int, map[string]any, bool) {
	switch {
	case x.op.template == "/v1/principal":
		status, body := s.principal()
		return status, body, true
	case strings.HasSuffix(x.op.template, "/connect-info"):
		return 200, map[string]any{"client_urls": []any{"nats://127.0.0.1:4222"}, "websocket_urls": []any{}, "tls_required": false,
			"account_public_key": nil, "server_version": nil}, true
	case strings.HasSuffix(x.op.template, "/permissions/check"):
		return 200, map[string]any{"allowed": true, "permission": x.query.Get("permission"), "resource": OrganizationID, "reason": "role owner", "trace": []any{},
			"principal": map[string]any{"kind": "service_account", "id": NewID("sa"), "name": "ci"}}, true
	case x.op.template == "/v1/users/{user}/actions/issue", x.op.template == "/v1/users/{user}/actions/rotate":
		status, body := s.issue(x)
		return status, body, true
	case x.op.template == "/v1/issuances/{issuance}/actions/revoke":
		return s.revoke(x)
	case strings.HasSuffix(x.op.template, "/tokens") && x.op.method == http.MethodPost:
		status, body := s.makeToken(x)
		return status, body, true
	case x.op.template == "/v1/tokens/{token}/actions/rotate":
		return s.rotateToken(x)
	case strings.HasSuffix(x.op.template, "/actions/purge"):
		return 200, map[string]any{"purged": "3"}, true
	case strings.HasSuffix(x.op.template, "/actions/pause"), strings.HasSuffix(x.op.template, "/actions/resume"):
		found := s.objects[strings.TrimSuffix(strings.TrimSuffix(x.path, "/actions/pause"), "/actions/resume")]
		if found == nil {
			return 404, s.problem(404, "not_found", x.path), true
		}
		return 200, found.body, true
	case x.op.template == "/v1/signing-key-groups/{group}/actions/rotate":
		found := s.objects[strings.TrimSuffix(x.path, "/actions/rotate")]
		if found == nil {
			return 404, s.problem(404, "not_found", x.path), true
		}
		s.bump(found)
		return 200, found.body, true
	case x.op.method == http.MethodPut:
		status, body := s.putEntry(x)
		return status, body, true
	}
	return 0, nil, false
}

func (s *Server) principal() (int, map[string]any) {
	return 200, map[string]any{"kind": "service_account", "id": NewID("sa"), "name": "ci", "email": nil, "token": nil,
		"organizations": []any{map[string]any{"id": s.works, "name": "acme", "role": "owner", "permissions": []any{"streams:write"}, "project_permissions": map[string]any{}}}}
}

func (s *Server) issue(x *exchange) (int, map[string]any) {
	user, ok := s.objects["/v1/users/"+x.params["user"]]
	if !ok {
		return 404, s.problem(404, "not_found", "There is no such user.")
	}
	if key, given := x.body["issue_key"]; given {
		for _, each := range s.objects {
			if each.schema == "Issuance" && each.body["issue_key"] == key && each.body["user_id"] == x.params["user"] {
				return 201, map[string]any{"issuance": each.body, "jwt": nil, "creds": nil, "code": "secret_already_delivered"}
			}
		}
	}
	if strings.HasSuffix(x.path, "/rotate") {
		for _, each := range s.objects {
			if each.schema == "Issuance" && each.body["user_id"] == x.params["user"] {
				each.body["state"] = "revoked"
			}
		}
	}
	pair, _ := nkeys.CreateUser()
	public, _ := pair.PublicKey()
	seed, _ := pair.Seed()
	issuance := s.doc.SynthObject(s.doc.Schema("Issuance"))
	issuance["user_id"], issuance["account_id"], issuance["user_name"] = user.body["id"], user.body["account_id"], user.body["name"]
	issuance["signing_key_group_id"], issuance["state"], issuance["jti"] = user.body["signing_key_group_id"], "active", NewID("jti")
	issuance["expires_at"] = time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	issuance["issue_key"] = x.body["issue_key"]
	jwt := "eyJ" + strings.ToLower(NewID("jwt"))
	creds := any(fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", jwt, seed))
	s.secrets = append(s.secrets, string(seed))
	if own, ok := x.body["public_key"].(string); ok {
		public, creds = own, nil
	}
	issuance["user_public_key"] = public
	s.put("/v1/issuances/"+issuance["id"].(string), &record{collection: "/v1/accounts/" + fmt.Sprint(user.body["account_id"]) + "/issuances", schema: "Issuance", body: issuance})
	return 201, map[string]any{"issuance": issuance, "jwt": jwt, "creds": creds, "code": nil}
}

func (s *Server) revoke(x *exchange) (int, map[string]any, bool) {
	found, ok := s.objects["/v1/issuances/"+x.params["issuance"]]
	if !ok {
		return 404, s.problem(404, "not_found", x.path), true
	}
	found.body["state"] = "revoked"
	return 200, found.body, true
}

func (s *Server) makeToken(x *exchange) (int, map[string]any) {
	owner, ok := s.objects["/v1/service-accounts/"+x.params["service_account"]]
	if !ok {
		return 404, s.problem(404, "not_found", "There is no such service account.")
	}
	token := merge(s.doc.SynthObject(s.doc.Schema("ApiToken")), x.body)
	delete(token, "expires_in")
	token["owner"] = map[string]any{"kind": "service_account", "id": owner.body["id"], "name": owner.body["name"]}
	token["organization_id"], token["etag"] = OrganizationID, `"v1"`
	s.put("/v1/tokens/"+token["id"].(string), &record{collection: x.path, schema: "ApiToken", body: token, version: 1})
	return 201, map[string]any{"token": token, "secret": s.secret(), "code": nil}
}

func (s *Server) rotateToken(x *exchange) (int, map[string]any, bool) {
	found, ok := s.objects["/v1/tokens/"+x.params["token"]]
	if !ok {
		return 404, s.problem(404, "not_found", x.path), true
	}
	s.bump(found)
	return 201, map[string]any{"token": found.body, "secret": s.secret(), "code": nil}, true
}

func (s *Server) secret() string {
	secret := "pst_sat_" + strings.ToLower(NewID("x")[2:]) + "123456_abc123"
	s.secrets = append(s.secrets, secret)
	return secret
}

func (s *Server) putEntry(x *exchange) (int, map[string]any) {
	found, ok := s.objects[x.path]
	if ok && x.body["create_only"] == true {
		return 409, s.problem(409, "already_exists", "The key has a value.")
	}
	if !ok {
		bucket := x.path[:strings.Index(x.path, "/entries/")]
		if _, known := s.objects[bucket]; !known {
			return 404, s.problem(404, "not_found", "There is no "+bucket)
		}
		body := s.doc.SynthObject(s.doc.Schema("KvEntry"))
		found = &record{collection: bucket + "/entries", schema: "KvEntry", body: body}
		body["account_id"], body["bucket"], body["key"], body["etag"] = x.params["account"], x.params["bucket"], x.params["key"], `"v0"`
		s.put(x.path, found)
	}
	if expected, given := x.body["expected_revision"]; given && expected != found.body["revision"] {
		return 412, s.problem(412, "version_mismatch", fmt.Sprintf("The key is at revision %v.", found.body["revision"]))
	}
	found.body["value"] = x.body["value"]
	s.bump(found)
	found.body["revision"] = fmt.Sprint(found.version)
	return 200, found.body
}

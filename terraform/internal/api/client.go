// Package api calls the control plane's /v1 over HTTP: errors with code and request id, retries, idempotency, versions.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Object is a JSON object of the API; numbers are json.Number.
type Object = map[string]any

// How often a call is repeated because its own first attempt has not ended yet, a second or more apart.
const mostHeld = 60

// Longest answer that is read; pages of 500 objects stay far below.
const maxAnswer = 64 << 20

// Config is what a client needs.
type Config struct {
	// Endpoint is the origin of the API, such as https://api.example.com; a path in it is kept.
	Endpoint string
	// Token is sent as bearer token and never logged.
	Token string
	// UserAgent of every call.
	UserAgent string
	// MaxRetries of one call after 429, 503 and lost connections; 0 never repeats.
	MaxRetries int
	// Timeout of one attempt.
	Timeout time.Duration
	// Pause waits between attempts; nil sleeps.
	Pause func(ctx context.Context, wait time.Duration) error
	// Jitter gives numbers from 0 to 1 that spread the attempts of several processes.
	Jitter func() float64
}

// Client of the API; safe for concurrent use.
type Client struct {
	config Config
	base   *url.URL
	http   *http.Client
	// Calls that may have changed something, when they begin and when they end.
	changes atomic.Int64
}

// Call is one request.
type Call struct {
	Method string
	// Path below the endpoint, percent-encoded where needed.
	Path  string
	Query url.Values
	Body  Object
	// IfMatch is the version that the change starts from; empty sends none.
	IfMatch string
	// Key is the Idempotency-Key of a POST.
	Key string
}

// Answer to a call.
type Answer struct {
	Status int
	Body   Object
	ETag   string
	// Replayed: the server repeats the answer to an earlier call with the same key.
	Replayed bool
}

// New checks the endpoint and makes a client.
func New(config Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(config.Endpoint, "/"))
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("the endpoint %q is not an http or https address such as https://api.example.com", config.Endpoint)
	}
	if config.Pause == nil {
		config.Pause = sleep
	}
	if config.Jitter == nil {
		config.Jitter = random
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 32
	return &Client{config: config, base: base, http: &http.Client{
		Transport: transport,
		Timeout:   config.Timeout,
		// A redirect could carry the token to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Get reads one object.
func (c *Client) Get(ctx context.Context, path string, query url.Values) (Object, error) {
	answer, err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: query})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// Changes counts up with every call that may change something; as long as it stands still, what was read is not older than this
// process's own work.
func (c *Client) Changes() int64 { return c.changes.Load() }

// Do sends a call, repeating it where that is safe.
func (c *Client) Do(ctx context.Context, call Call) (*Answer, error) {
	if call.Method != http.MethodGet && !call.Query.Has("dry_run") {
		c.changes.Add(1)
		defer c.changes.Add(1)
	}
	var body []byte
	if call.Body != nil {
		var err error
		if body, err = json.Marshal(call.Body); err != nil {
			return nil, fmt.Errorf("the body of %s %s cannot be written: %w", call.Method, call.Path, err)
		}
	}
	held, lost := 0, false
	for attempt := 0; ; attempt++ {
		answer, header, err := c.once(ctx, call, body)
		if err == nil {
			return answer, nil
		}
		if problem := (*Problem)(nil); errors.As(err, &problem) {
			problem.AfterLoss = lost
			lost = lost || problem.Status >= http.StatusInternalServerError
		} else {
			lost = true
		}
		wait, again := c.retryAfter(err, header, attempt)
		if again && CodeOf(err) == "idempotency_in_progress" && held < mostHeld {
			// The call's first attempt still runs, or its server has just died: that ends soon, and is no failure to count.
			attempt, held = attempt-1, held+1
		}
		if !again || attempt >= c.config.MaxRetries || ctx.Err() != nil {
			return nil, err
		}
		tflog.Debug(ctx, "repeating a call", map[string]any{
			"method": call.Method, "path": call.Path, "attempt": attempt + 1, "wait_ms": wait.Milliseconds(), "why": CodeOf(err),
		})
		if pauseErr := c.config.Pause(ctx, wait); pauseErr != nil {
			return nil, err
		}
	}
}

func (c *Client) once(ctx context.Context, call Call, body []byte) (*Answer, http.Header, error) {
	address := c.base.String() + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s cannot be asked: %w", call.Method, call.Path, err)
	}
	c.setHeaders(request, call, body != nil)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, &lostError{call: call, cause: withoutAddress(err)}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, response.Header, &lostError{call: call, cause: err}
	}
	tflog.Debug(ctx, "called the API", map[string]any{
		"method": call.Method, "path": call.Path, "status": response.StatusCode, "request_id": response.Header.Get("X-Request-Id"),
	})
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, response.Header, problemOf(call.Method, call.Path, response.StatusCode, response.Header, content)
	}
	answer := &Answer{
		Status:   response.StatusCode,
		ETag:     response.Header.Get("ETag"),
		Replayed: response.Header.Get("Idempotent-Replayed") == "true",
	}
	if answer.Body, err = decodeObject(content); err != nil {
		return nil, response.Header, fmt.Errorf("%s %s answered something that is no JSON object: %w", call.Method, call.Path, err)
	}
	return answer, response.Header, nil
}

func (c *Client) setHeaders(request *http.Request, call Call, hasBody bool) {
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.config.UserAgent)
	if c.config.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.config.Token)
	}
	if hasBody {
		request.Header.Set("Content-Type", "application/json")
		if call.Method == http.MethodPatch {
			request.Header.Set("Content-Type", "application/merge-patch+json")
		}
	}
	if call.IfMatch != "" {
		request.Header.Set("If-Match", call.IfMatch)
	}
	if call.Key != "" {
		request.Header.Set("Idempotency-Key", call.Key)
	}
}

func decodeObject(content []byte) (Object, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var object Object
	err := decoder.Decode(&object)
	return object, err
}

// The address of the error may hold a cursor; the call's path is in the message already.
func withoutAddress(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// testing client: pauses are noted, not slept.
func client(t *testing.T, handler http.HandlerFunc, retries int) (*Client, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	var waits []time.Duration
	made, err := New(Config{
		Endpoint: server.URL + "/", Token: "pst_sat_secret", UserAgent: "test/1", MaxRetries: retries, Timeout: time.Minute,
		Pause:  func(_ context.Context, wait time.Duration) error { waits = append(waits, wait); return nil },
		Jitter: func() float64 { return 0.5 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return made, &waits
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "detail": "Text of the error.", "request_id": "req_1", "retryable": false})
}

func TestWaitsAsLongAsTheServerAsks(t *testing.T) {
	calls := 0
	c, waits := client(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls <= 2 {
			w.Header().Set("Retry-After", "3")
			refuse(w, 429, "rate_limited")
			return
		}
		_, _ = w.Write([]byte(`{"id":"x"}`))
	}, 6)
	if _, err := c.Get(context.Background(), "/v1/x", nil); err != nil {
		t.Fatal(err)
	}
	want := 3*time.Second + firstWait/2
	if !slices.Equal(*waits, []time.Duration{want, want}) {
		t.Errorf("waited %v, want %v twice", *waits, want)
	}
}

func TestGivesUpAfterMaxRetries(t *testing.T) {
	calls := 0
	c, _ := client(t, func(w http.ResponseWriter, _ *http.Request) { calls++; refuse(w, 503, "unavailable") }, 2)
	_, err := c.Get(context.Background(), "/v1/x", nil)
	if CodeOf(err) != "unavailable" || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestARefusalIsNotRepeated(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 412, 422, 500} {
		calls := 0
		c, _ := client(t, func(w http.ResponseWriter, _ *http.Request) { calls++; refuse(w, status, "some_code") }, 6)
		_, err := c.Do(context.Background(), Call{Method: http.MethodPost, Path: "/v1/x", Body: Object{"a": 1}, Key: "k"})
		if calls != 1 {
			t.Errorf("%d was repeated %d times", status, calls-1)
		}
		for _, part := range []string{"some_code", "Text of the error.", "req_1", "/v1/x", fmt.Sprint(status)} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q lacks %q", err, part)
			}
		}
	}
}

func TestALostAnswerIsAskedForWithTheSameKey(t *testing.T) {
	var keys []string
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if len(keys) == 1 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Idempotent-Replayed", "true")
		w.WriteHeader(201)
		_, _ = w.Write([]byte(`{"id":"x"}`))
	}, 6)
	answer, err := c.Do(context.Background(), Call{Method: http.MethodPost, Path: "/v1/x", Body: Object{}, Key: "k1"})
	if err != nil || !answer.Replayed || !slices.Equal(keys, []string{"k1", "k1"}) {
		t.Errorf("%v %v %v", answer, err, keys)
	}
}

func TestSendsTokenVersionAndAgent(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		want := map[string]string{"Authorization": "Bearer pst_sat_secret", "If-Match": `"v3"`, "User-Agent": "test/1", "Content-Type": "application/merge-patch+json"}
		for name, value := range want {
			if r.Header.Get(name) != value {
				t.Errorf("%s: %q", name, r.Header.Get(name))
			}
		}
		_, _ = w.Write([]byte(`{}`))
	}, 0)
	if _, err := c.Do(context.Background(), Call{Method: http.MethodPatch, Path: "/v1/x", Body: Object{}, IfMatch: `"v3"`}); err != nil {
		t.Fatal(err)
	}
}

func TestATokenDoesNotFollowARedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was called") }))
	defer other.Close()
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, 0)
	if _, err := c.Get(context.Background(), "/v1/x", nil); err == nil {
		t.Error("a redirect is no answer")
	}
}

func TestErrorsHoldNoToken(t *testing.T) {
	c, err := New(Config{Endpoint: "http://127.0.0.1:1", Token: "pst_sat_secret", Timeout: time.Second, Pause: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Get(context.Background(), "/v1/x", nil)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestRefusesWhatIsNoEndpoint(t *testing.T) {
	for _, endpoint := range []string{"", "api.example.com", "ftp://x", "http://"} {
		if _, err := New(Config{Endpoint: endpoint}); err == nil {
			t.Errorf("%q is taken", endpoint)
		}
	}
}

func TestWalksAllPages(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("page[after]") {
		case "":
			_, _ = w.Write([]byte(`{"data":[{"name":"a"},{"name":"b"}],"page":{"next":"n1"}}`))
		case "n1":
			_, _ = w.Write([]byte(`{"data":[{"name":"c"}],"page":{"next":null}}`))
		default:
			refuse(w, 400, "invalid_cursor")
		}
	}, 0)
	var names []string
	for object, err := range c.Pages(context.Background(), "/v1/x", nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, Text(object, "name"))
	}
	if strings.Join(names, "") != "abc" {
		t.Error(names)
	}
}

func TestACancelledCallIsNotRepeated(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, waits := client(t, func(http.ResponseWriter, *http.Request) { cancel(); time.Sleep(50 * time.Millisecond) }, 6)
	if _, err := c.Get(ctx, "/v1/x", nil); !errors.Is(err, context.Canceled) || len(*waits) != 0 {
		t.Errorf("%v after %v", err, *waits)
	}
}

package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Problem is an error answer of the API (RFC 9457).
type Problem struct {
	Status    int            `json:"status"`
	Code      string         `json:"code"`
	Title     string         `json:"title"`
	Detail    string         `json:"detail"`
	RequestID string         `json:"request_id"`
	Retryable bool           `json:"retryable"`
	Params    map[string]any `json:"params"`
	Invalid   []struct {
		Field  string `json:"field"`
		Reason string `json:"reason"`
	} `json:"invalid_parameters"`

	// Method and Path of the call, for the message.
	Method, Path string `json:"-"`
	// AfterLoss: an earlier attempt of the same call got no answer, and may have been what this one ran into.
	AfterLoss bool `json:"-"`
}

// Parameters that help to mend an error, by its code.
var told = map[string][]string{"broker_rejected": {"err_code", "description"}, "has_dependents": {"accounts", "users"}}

// Error says code, text and request id.
func (p *Problem) Error() string {
	var out strings.Builder
	text := p.Detail
	if text == "" {
		text = p.Title
	}
	fmt.Fprintf(&out, "%s (%d %s)", text, p.Status, p.Code)
	for _, field := range p.Invalid {
		fmt.Fprintf(&out, "\n  %s: %s", field.Field, field.Reason)
	}
	for _, key := range told[p.Code] {
		if value, ok := p.Params[key]; ok && value != nil {
			fmt.Fprintf(&out, "\n  %s: %v", key, value)
		}
	}
	fmt.Fprintf(&out, "\n  call: %s %s", p.Method, p.Path)
	if p.RequestID != "" {
		fmt.Fprintf(&out, "\n  request id: %s", p.RequestID)
	}
	return out.String()
}

// CodeOf gives the API's code of an error, or "" for another error.
func CodeOf(err error) string {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem.Code
	}
	return ""
}

// AfterLoss tells whether an earlier attempt of the call that failed got no answer, so that it may have had its effect.
func AfterLoss(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.AfterLoss
}

// IsGone tells whether the object is not there: never was, or is in the trash.
func IsGone(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && (problem.Status == http.StatusNotFound || problem.Status == http.StatusGone)
}

// IsInTrash tells whether the object was deleted and can be restored.
func IsInTrash(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Status == http.StatusGone
}

func problemOf(method, path string, status int, header http.Header, body []byte) *Problem {
	problem := &Problem{}
	if json.Unmarshal(body, problem) != nil || problem.Code == "" {
		problem = &Problem{Code: "no_code", Detail: "The endpoint answered something that is not of the Penstock API; check `endpoint`."}
		problem.Retryable = status >= http.StatusBadGateway
	}
	problem.Status, problem.Method, problem.Path = status, method, path
	if problem.RequestID == "" {
		problem.RequestID = header.Get("X-Request-Id")
	}
	return problem
}

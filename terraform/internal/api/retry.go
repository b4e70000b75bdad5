package api

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	firstWait = 500 * time.Millisecond
	longWait  = 30 * time.Second
)

// lostError: the call may or may not have had its effect.
type lostError struct {
	call  Call
	cause error
}

func (e *lostError) Error() string {
	return fmt.Sprintf("%s %s got no answer: %v. Is the endpoint right and the control plane up?", e.call.Method, e.call.Path, e.cause)
}

func (e *lostError) Unwrap() error { return e.cause }

// retryAfter decides whether a call is worth repeating, and when. Every POST carries an idempotency key, every change a
// version, so that repeating a call whose answer was lost cannot do a thing twice.
func (c *Client) retryAfter(err error, header http.Header, attempt int) (time.Duration, bool) {
	var lost *lostError
	var problem *Problem
	switch {
	case errors.As(err, &lost):
		return c.backoff(attempt), !errors.Is(err, context.Canceled)
	case !errors.As(err, &problem):
		return 0, false
	}
	again := problem.Status == http.StatusTooManyRequests || problem.Status == http.StatusServiceUnavailable ||
		problem.Code == "idempotency_in_progress" || problem.Code == "operation_in_progress" ||
		(problem.Status >= http.StatusInternalServerError && problem.Retryable)
	wait := c.backoff(attempt)
	if asked, ok := askedWait(header); ok {
		wait = asked + time.Duration(c.config.Jitter()*float64(firstWait))
	}
	return wait, again
}

// Full jitter over an exponential ceiling.
func (c *Client) backoff(attempt int) time.Duration {
	ceiling := longWait
	if attempt < 6 {
		ceiling = firstWait << attempt
	}
	return time.Duration((0.5 + c.config.Jitter()/2) * float64(ceiling))
}

func askedWait(header http.Header) (time.Duration, bool) {
	text := header.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func random() float64 { return rand.Float64() }

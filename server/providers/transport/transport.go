// Package transport is what the providers' clients share below their protocols: one exchange over HTTP, and what its
// silence means. It knows no provider.
package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"marquee/server/fault"
)

// MaxAnswer caps how much of an answer is read: the cinemas of the largest city take about 1 MiB.
const MaxAnswer = 8 << 20

// usualTimeout of one exchange where the configuration says nothing.
const usualTimeout = 8 * time.Second

// Kind says what a call does, which decides how silence is read.
type Kind bool

const (
	Reads Kind = false // silence means nothing happened
	Acts  Kind = true  // silence means it may have happened
)

// Silence is the fault for a call that may have arrived and whose outcome cannot be read.
func (k Kind) Silence(otherwise *fault.Fault) *fault.Fault {
	if k == Acts {
		return fault.ErrUnknown
	}
	return otherwise
}

// CheckAddress refuses what is no address that a client can call.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http address", address)
	}
	return nil
}

// HTTPClient is base, or a client of its own, that follows no redirect: that is no answer of any provider's protocol, and
// following one would carry a signed form or a token elsewhere.
func HTTPClient(base *http.Client) *http.Client {
	hc := http.Client{}
	if base != nil {
		hc = *base
	}
	if hc.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		hc.Transport = t
	}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &hc
}

// Client makes exchanges. It is safe for concurrent use.
type Client struct {
	http    *http.Client
	timeout time.Duration
}

// New makes a client; base nil is a client of its own, timeout 0 is 8 s an exchange.
func New(base *http.Client, timeout time.Duration) *Client {
	if timeout == 0 {
		timeout = usualTimeout
	}
	return &Client{http: HTTPClient(base), timeout: timeout}
}

// Request is one call. Header fields that are "" are left out.
type Request struct {
	Method, URL string
	Header      map[string]string
	Body        []byte
}

// Exchange sends one request and returns the body of a 200 answer. Until there is a connection nothing was sent, so
// every call is ErrUnavailable; after that an acting one is ErrUnknown.
func (c *Client) Exchange(ctx context.Context, kind Kind, r Request) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	traced, sent := Traced(ctx)
	req, err := http.NewRequestWithContext(traced, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	for name, value := range r.Header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if !sent() {
			return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
		}
		return nil, fmt.Errorf("no answer: %w: %w", kind.Silence(fault.ErrUnavailable), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer cut short: %w: %w", kind.Silence(fault.ErrBadAnswer), err)
	case len(body) > MaxAnswer:
		return nil, fmt.Errorf("answer over %d bytes: %w", MaxAnswer, kind.Silence(fault.ErrBadAnswer))
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("answer with status %d: %w", resp.StatusCode, kind.Silence(fault.ErrUnavailable))
	}
	return body, nil
}

// Traced tells of a request that is made with the context it returns whether it can have been sent: before a connection
// is there it cannot. A transport that reports nothing counts as one that has sent.
func Traced(ctx context.Context) (traced context.Context, sent func() bool) {
	var asked, connected atomic.Bool
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	return traced, func() bool { return !asked.Load() || connected.Load() }
}

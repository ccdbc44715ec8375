// Package transport holds what the providers' clients share below their protocols: one exchange over HTTP, what a
// missing or unreadable answer means, and how error codes become faults.
package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"

	"marquee/server/fault"
	"marquee/server/requestid"
)

// MaxAnswer is the maximum size of an answer in bytes. The cinemas of the largest city take about 1 MiB.
const MaxAnswer = 8 << 20

// CallKind distinguishes calls that change something at the provider from those that only read. It decides what a
// missing answer means.
type CallKind bool

const (
	Query   CallKind = false // reads: without an answer, nothing has happened
	Command CallKind = true  // changes seats, orders or money: without an answer, it may have happened
)

// OutcomeUnknown returns the fault of a call that may have reached the provider and whose answer cannot be read:
// fault.ErrUnknown for a command, and forQuery for a query.
func (k CallKind) OutcomeUnknown(forQuery *fault.Fault) *fault.Fault {
	if k == Command {
		return fault.ErrUnknown
	}
	return forQuery
}

// BadAnswer wraps what is wrong with an answer in fault.ErrBadAnswer for a query and in fault.ErrUnknown for a command.
// call is the name of the call in the log.
func (k CallKind) BadAnswer(call string, problem error) error {
	return fmt.Errorf("%s: %w: %w", call, k.OutcomeUnknown(fault.ErrBadAnswer), problem)
}

// CheckAddress returns an error unless address is an absolute http or https URL.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http or https URL", address)
	}
	return nil
}

// HTTPClient returns a copy of base, or a new client if base is nil, that does not follow redirects and sends the
// request id of its context. No provider's protocol uses redirects, and following one would send a signed form or a
// token to another host.
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
	hc.Transport = identified{hc.Transport}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &hc
}

// identified is a RoundTripper that adds the request id in the context of a request to its header.
type identified struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t identified) RoundTrip(req *http.Request) (*http.Response, error) {
	if id := requestid.Of(req.Context()); id != "" {
		req = req.Clone(req.Context())
		req.Header.Set(requestid.Header, id)
	}
	return t.next.RoundTrip(req)
}

// Client makes exchanges. It is safe for concurrent use.
type Client struct {
	http *http.Client
}

// New returns a client. See HTTPClient for base.
func New(base *http.Client) *Client { return &Client{http: HTTPClient(base)} }

// Request is one call. Header fields with an empty value are not sent.
type Request struct {
	Method, URL string
	Header      map[string]string
	Body        []byte // sent as it is
}

// ErrStatus means that a provider answered with an HTTP status other than 200. An error that wraps it also wraps a
// fault.
var ErrStatus = errors.New("answer with status")

// Exchange sends one request and returns the body of an answer with status 200, cleaned by JSON. It never sends a
// request twice. Only ctx limits its time: see Operations. An error before a connection was made is
// fault.ErrUnavailable for every kind of call, because the request was not sent. After that the error of a command is
// fault.ErrUnknown. Errors do not quote the URL, because it may contain secrets.
func (c *Client) Exchange(ctx context.Context, kind CallKind, r Request) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
	}
	ctx, sent := TraceSent(ctx)
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
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
			return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, WithoutURL(err))
		}
		return nil, fmt.Errorf("no answer: %w: %w", kind.OutcomeUnknown(fault.ErrUnavailable), WithoutURL(err))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer cut short: %w: %w", kind.OutcomeUnknown(fault.ErrBadAnswer), err)
	case len(body) > MaxAnswer:
		return nil, fmt.Errorf("answer over %d bytes: %w", MaxAnswer, kind.OutcomeUnknown(fault.ErrBadAnswer))
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%w %d: %w", ErrStatus, resp.StatusCode, kind.OutcomeUnknown(fault.ErrUnavailable))
	}
	return JSON(body), nil
}

// TraceSent returns a context for one request, and a function that reports whether the request may have been sent,
// which requires a connection. If the RoundTripper reports no trace events, the function returns true.
func TraceSent(ctx context.Context) (traced context.Context, sent func() bool) {
	var requested, connected atomic.Bool
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { requested.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	return traced, func() bool { return !requested.Load() || connected.Load() }
}

// WithoutURL replaces a *url.Error in err's chain by its operation and its cause. The text of a *url.Error quotes the
// URL, which may contain an app secret or a phone number.
func WithoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return fmt.Errorf("%s: %w", u.Op, u.Err)
	}
	return err
}

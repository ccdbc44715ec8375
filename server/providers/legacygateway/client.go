// Package legacygateway is the client of the signed ticketing gateway: one root that takes signed forms and
// answers 200 even when it refuses. Its dialect, its codes and its texts stop here.
package legacygateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
)

// maxAnswer caps how much of an answer is read: the cinemas of the largest city take about 1 MiB.
const maxAnswer = 8 << 20

// Config says where the gateway is and who we are to it.
type Config struct {
	BaseURL string // such as "https://gateway.example/gateway"; every call is a POST to exactly this address
	AppKey  string
	Secret  string
	Dialect Dialect

	HTTPClient *http.Client     // nil: a client of its own
	Now        func() time.Time // wire clock; nil: time.Now. Business time must not reach it: the window is ±10 min
	Timeout    time.Duration    // of one call; 0: 8 s
}

// Client speaks to the gateway. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

var (
	_ orders.TicketSource   = (*Client)(nil)
	_ catalog.LegacyCatalog = (*Client)(nil)
)

// New checks the configuration and makes a client; it calls nobody.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("legacygateway: BaseURL %q is not an http address", cfg.BaseURL)
	}
	if cfg.AppKey == "" || cfg.Secret == "" {
		return nil, errors.New("legacygateway: AppKey and Secret are required")
	}
	if err := cfg.Dialect.check(); err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 8 * time.Second
	}
	hc := http.Client{}
	if cfg.HTTPClient != nil {
		hc = *cfg.HTTPClient
	} else {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		hc.Transport = t
	}
	// A redirect is no answer of this protocol, and following one would send a signed form elsewhere.
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{cfg: cfg, http: &hc}, nil
}

// call says what is being done, which decides how silence is read.
type call bool

const (
	reads call = false // silence means nothing happened
	acts  call = true  // silence means it may have happened
)

// silence is the fault for a call that may have arrived and whose outcome cannot be read.
func (k call) silence(otherwise *fault.Fault) *fault.Fault {
	if k == acts {
		return fault.ErrUnknown
	}
	return otherwise
}

// envelope is every answer. Success is a pointer so that an answer without it is not taken for a refusal.
type envelope struct {
	Success *bool           `json:"success"`
	Error   *refusal        `json:"error"`
	Data    json.RawMessage `json:"data"`
}

type refusal struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

func (r *refusal) Error() string { return fmt.Sprintf("gateway refuses with %s %q", r.Code, r.Msg) }

// do signs and sends one method and decodes the data of a successful answer. A refusal comes back as the fault
// of its code, wrapping a *refusal.
func (c *Client) do(ctx context.Context, kind call, method string, fields map[string]string, into any) error {
	form := url.Values{}
	for k, v := range fields {
		if v != "" {
			form.Set(k, v)
		}
	}
	form.Set("method", method)
	form.Set("appkey", c.cfg.AppKey)
	form.Set("v", version)
	c.cfg.Dialect.Stamp(form, c.cfg.Secret, c.cfg.Now())

	body, err := c.post(ctx, kind, form.Encode())
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var env envelope
	if err := json.Unmarshal(body, &env); err != nil {
		return fmt.Errorf("%s: answer is not the gateway's JSON: %w: %v", method, kind.silence(fault.ErrBadAnswer), err)
	}
	switch {
	case env.Success == nil || *env.Success == (env.Error != nil):
		return fmt.Errorf("%s: answer is neither success nor refusal: %w", method, kind.silence(fault.ErrBadAnswer))
	case !*env.Success:
		return fmt.Errorf("%s: %w: %w", method, codeFault(kind, env.Error.Code), env.Error)
	}
	if err := json.Unmarshal(env.Data, into); err != nil {
		return fmt.Errorf("%s: data has another shape: %w: %v", method, kind.silence(fault.ErrBadAnswer), err)
	}
	return nil
}

// post sends the form and returns the body of a 200 answer.
func (c *Client) post(ctx context.Context, kind call, form string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	// Before a connection is there nothing can have been sent. GetConn tells that the transport reports at all.
	var asked, connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := http.NewRequestWithContext(traced, http.MethodPost, c.cfg.BaseURL, strings.NewReader(form))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	req.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		if asked.Load() && !connected.Load() {
			return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
		}
		return nil, fmt.Errorf("no answer: %w: %w", kind.silence(fault.ErrUnavailable), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer cut short: %w: %w", kind.silence(fault.ErrBadAnswer), err)
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("answer over %d bytes: %w", maxAnswer, kind.silence(fault.ErrBadAnswer))
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("answer with status %d: %w", resp.StatusCode, kind.silence(fault.ErrUnavailable))
	}
	return body, nil
}

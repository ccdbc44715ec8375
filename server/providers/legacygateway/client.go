// Package legacygateway is the client of the signed ticketing gateway: one root that takes signed forms and
// answers 200 even when it refuses. Its dialect, its codes and its texts stop here.
package legacygateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
	"marquee/server/providers/transport"
)

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
	http *transport.Client
}

var (
	_ orders.TicketSource   = (*Client)(nil)
	_ catalog.LegacyCatalog = (*Client)(nil)
)

// New checks the configuration and makes a client; it calls nobody.
func New(cfg Config) (*Client, error) {
	if err := transport.CheckAddress(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("legacygateway: BaseURL %w", err)
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
	return &Client{cfg: cfg, http: transport.New(cfg.HTTPClient, cfg.Timeout)}, nil
}

type call = transport.Kind

const (
	reads = transport.Reads
	acts  = transport.Acts
)

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

	body, err := c.http.Exchange(ctx, kind, transport.Request{
		Method: http.MethodPost, URL: c.cfg.BaseURL, Body: []byte(form.Encode()),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if a, ok := into.(interface{ plainAnswer(body []byte) bool }); ok && a.plainAnswer(body) {
		return nil
	}
	return decode(body, kind, method, into)
}

func decode(body []byte, kind call, method string, into any) error {
	var env envelope
	if err := json.Unmarshal(body, &env); err != nil {
		return fmt.Errorf("%s: answer is not the gateway's JSON: %w: %v", method, kind.Silence(fault.ErrBadAnswer), err)
	}
	switch {
	case env.Success == nil || *env.Success == (env.Error != nil):
		return fmt.Errorf("%s: answer is neither success nor refusal: %w", method, kind.Silence(fault.ErrBadAnswer))
	case !*env.Success:
		return fmt.Errorf("%s: %w: %w", method, codeFault(kind, env.Error.Code), env.Error)
	}
	if err := json.Unmarshal(env.Data, into); err != nil {
		return fmt.Errorf("%s: data has another shape: %w: %v", method, kind.Silence(fault.ErrBadAnswer), err)
	}
	return nil
}

// Package newmovie is the client of the bearer-token ticketing provider: JSON both ways, 200 for everything, code 0
// for success, and locks that may settle only some seconds later. Its dialect and its codes stop here.
package newmovie

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
	"marquee/server/providers/transport"
)

// Config says where the provider is and who we are to it.
type Config struct {
	BaseURL   string // such as "https://provider.example/newmovie"; paths are appended
	EntID     string
	AppSecret string

	HTTPClient *http.Client     // nil: a client of its own
	Now        func() time.Time // the clock that token lifetimes are counted on (business time); nil: time.Now
	Timeout    time.Duration    // of one call; 0: 8 s
	Poll       time.Duration    // real time between two queries of a lock that answered DOING; 0: 250 ms
	LockWait   time.Duration    // the longest wait for such a lock when the caller's context sets none; 0: 15 s
}

// Client speaks to the provider. It is safe for concurrent use.
type Client struct {
	cfg    Config
	http   *transport.Client
	tokens tokens
}

var (
	_ orders.TicketSource     = (*Client)(nil)
	_ catalog.NewMovieCatalog = (*Client)(nil)
)

// New checks the configuration and makes a client; it calls nobody.
func New(cfg Config) (*Client, error) {
	if err := transport.CheckAddress(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("newmovie: BaseURL %w", err)
	}
	if cfg.EntID == "" || cfg.AppSecret == "" {
		return nil, errors.New("newmovie: EntID and AppSecret are required")
	}
	cfg.BaseURL = strings.TrimSuffix(cfg.BaseURL, "/")
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Poll == 0 {
		cfg.Poll = 250 * time.Millisecond
	}
	if cfg.LockWait == 0 {
		cfg.LockWait = 15 * time.Second
	}
	return &Client{cfg: cfg, http: transport.New(cfg.HTTPClient, cfg.Timeout)}, nil
}

type call = transport.Kind

const (
	reads = transport.Reads
	acts  = transport.Acts
)

// envelope is every answer. Code is a pointer so that an answer without it is not taken for code 0.
type envelope struct {
	Code *int            `json:"code"`
	Msg  string          `json:"msg"`
	Data json.RawMessage `json:"data"`
}

type refusal struct {
	Code int
	Msg  string
}

func (r *refusal) Error() string { return fmt.Sprintf("provider refuses with %d %q", r.Code, r.Msg) }

// get reads path with the parameters that are not empty.
func (c *Client) get(ctx context.Context, path string, params map[string]string, into any) error {
	q := url.Values{}
	for k, v := range params {
		if v != "" {
			q.Set(k, v)
		}
	}
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return c.authorised(ctx, reads, http.MethodGet, path, nil, into)
}

// post sends body as JSON.
func (c *Client) post(ctx context.Context, kind call, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return c.authorised(ctx, kind, http.MethodPost, path, text, into)
}

// authorised sends with the token, and once more with a new one when the provider says the token is stale: such an
// answer means that nothing else was looked at.
func (c *Client) authorised(ctx context.Context, kind call, method, path string, body []byte, into any) error {
	token, err := c.token(ctx)
	if err != nil {
		return err
	}
	err = c.exchange(ctx, kind, method, path, token, body, into)
	if !refusedWith(err, codeTokenExpired, codeTokenUnknown) {
		return err
	}
	if token, err = c.refresh(ctx, token); err != nil {
		return err
	}
	return c.exchange(ctx, kind, method, path, token, body, into)
}

// exchange makes one call and decodes the data of a code 0 answer. A refusal comes back as the fault of its code,
// wrapping a *refusal.
func (c *Client) exchange(ctx context.Context, kind call, method, path, token string, body []byte, into any) error {
	name, _, _ := strings.Cut(path, "?")
	request := transport.Request{Method: method, URL: c.cfg.BaseURL + path, Body: body, Header: map[string]string{"Authorization": token}}
	if body != nil {
		request.Header["Content-Type"] = "application/json"
	}
	answer, err := c.http.Exchange(ctx, kind, request)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var env envelope
	if err := json.Unmarshal(answer, &env); err != nil {
		return fmt.Errorf("%s: answer is not the provider's JSON: %w: %v", name, kind.Silence(fault.ErrBadAnswer), err)
	}
	if env.Code == nil {
		return fmt.Errorf("%s: answer without code: %w", name, kind.Silence(fault.ErrBadAnswer))
	}
	if *env.Code != 0 {
		return fmt.Errorf("%s: %w: %w", name, codeFault(kind, *env.Code), &refusal{*env.Code, env.Msg})
	}
	if err := json.Unmarshal(env.Data, into); err != nil {
		return fmt.Errorf("%s: data has another shape: %w: %v", name, kind.Silence(fault.ErrBadAnswer), err)
	}
	return nil
}

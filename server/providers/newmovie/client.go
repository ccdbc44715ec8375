// Package newmovie is the client of the ticketing provider with bearer tokens. Requests and answers are JSON, every
// answer has status 200, success is code 0, and a lock may be settled some seconds after its answer. README.md lists
// its quirks.
package newmovie

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/providers/transport"
	"marquee/server/token"
)

// Config configures a Client.
type Config struct {
	BaseURL   string // such as "https://provider.example/newmovie"; paths are appended
	EntID     string
	AppSecret string // used with EntID to get a token

	HTTPClient *http.Client         // nil: a new client
	Now        func() time.Time     // business time, in which the provider counts the life of tokens; nil: time.Now
	Tokens     *token.Vault         // shares the token with other replicas; nil: not shared
	Poll       time.Duration        // real time between two queries of a lock that answered DOING; 0: 250 ms
	Logger     *slog.Logger         // nil: the default one
	Operations transport.Operations // the limit and the observer of each call
}

// Client calls the provider. It is safe for concurrent use.
type Client struct {
	cfg     Config
	http    *transport.Client
	token   *token.Token // the value of the Authorization header
	leftOut *ticketing.LeftOut
}

var (
	_ order.TicketSource      = (*Client)(nil)
	_ catalog.NewMovieCatalog = (*Client)(nil)
)

// New returns a Client. It fails if the configuration is incomplete or malformed. It sends nothing.
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
	c := &Client{
		cfg: cfg, http: transport.New(cfg.HTTPClient),
		leftOut: ticketing.NewLeftOut("newmovie", cfg.Logger),
	}
	c.token = cfg.Tokens.Token(token.Config{
		Name: "newmovie/" + cfg.EntID, Fetch: c.fetchToken, Limit: cfg.Operations.Within(), Now: cfg.Now,
		Margin: durations.NewMovieTokenMargin,
	})
	return c, nil
}

// LeftOut returns how many rows of the provider's lists were left out because they could not be read, by path.
func (c *Client) LeftOut() map[string]int64 { return c.leftOut.Counts() }

// envelope is the outer object of every answer. Code is a pointer, to distinguish 0 from missing.
type envelope struct {
	Code *int   `json:"code"`
	Msg  string `json:"msg"`
	Data any    `json:"data"` // a pointer to the value to decode into
}

func newEnvelope(data any) transport.Envelope { return &envelope{Data: data} }

// Outcome implements transport.Envelope.
func (e *envelope) Outcome(kind transport.CallKind) error {
	switch {
	case e.Code == nil:
		return kind.BadAnswer("read envelope", errors.New("answer without code"))
	case *e.Code != 0:
		return codes.Rejection(kind, *e.Code, e.Msg)
	}
	return nil
}

// get sends a GET request with the parameters that are not empty, and decodes the data of the answer.
func (c *Client) get(ctx context.Context, path string, params map[string]string, data any) error {
	q := url.Values{}
	for k, v := range params {
		if v != "" {
			q.Set(k, v)
		}
	}
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return c.authorized(ctx, transport.Query, http.MethodGet, path, nil, data)
}

// query gets a path and converts the data of the answer. It fails with fault.ErrBadAnswer if convert fails.
func query[Data, T any](
	ctx context.Context, c *Client, path string, params map[string]string, convert func(Data) (T, error),
) (T, error) {
	var data Data
	var zero T
	if err := c.get(ctx, path, params, &data); err != nil {
		return zero, err
	}
	v, err := convert(data)
	if err != nil {
		return zero, transport.Query.BadAnswer(path, err)
	}
	return v, nil
}

// post sends body as JSON and decodes the data of the answer.
func (c *Client) post(ctx context.Context, kind transport.CallKind, path string, body, data any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return c.authorized(ctx, kind, http.MethodPost, path, text, data)
}

// authorized sends a call with the token. If the provider rejects the token as expired or unknown, it sends the call
// once more with a new token. This is safe even for a command, because the rejection proves that the provider did
// nothing.
func (c *Client) authorized(
	ctx context.Context, kind transport.CallKind, method, path string, body []byte, data any,
) error {
	bearer, err := c.token.Get(ctx, "")
	if err != nil {
		return err
	}
	err = c.call(ctx, kind, method, path, bearer, body, data)
	if !transport.RejectedWith(err, codeTokenExpired, codeTokenUnknown) {
		return err
	}
	if bearer, err = c.token.Get(ctx, bearer); err != nil {
		return err
	}
	return c.call(ctx, kind, method, path, bearer, body, data)
}

// call makes one exchange and decodes the data of a successful answer. It returns a *transport.Rejection[int] if the
// provider answers with an error code; see faults.go.
func (c *Client) call(
	ctx context.Context, kind transport.CallKind, method, path, bearer string, body []byte, data any,
) error {
	header := map[string]string{"Authorization": bearer}
	if body != nil {
		header["Content-Type"] = "application/json"
	}
	err := c.http.Call(ctx, kind, transport.Request{
		Method: method, URL: c.cfg.BaseURL + path, Header: header, Body: body,
	}, newEnvelope, data)
	if err != nil {
		name, _, _ := strings.Cut(path, "?")
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

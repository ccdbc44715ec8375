// Package legacygateway is the client of the signed ticketing gateway. Every call is a signed form posted to one URL,
// and every answer has status 200, even an error. README.md lists the gateway's quirks.
package legacygateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/providers/transport"
)

// Config configures a Client.
type Config struct {
	BaseURL string  // such as "https://gateway.example/gateway"; every call is a POST to exactly this URL
	AppKey  string  // of the shop at the gateway
	Secret  string  // signs every call
	Dialect Dialect // the details of the signature that the specification leaves open

	HTTPClient *http.Client         // nil: a new client
	Now        func() time.Time     // wire time; nil: time.Now. Not business time: timestamps may differ by at most 10 min
	Logger     *slog.Logger         // nil: the default one
	Operations transport.Operations // the limit and the observer of each call
}

// Client calls the gateway. It is safe for concurrent use.
type Client struct {
	cfg     Config
	http    *transport.Client
	leftOut *ticketing.LeftOut
}

var (
	_ order.TicketSource    = (*Client)(nil)
	_ catalog.LegacyCatalog = (*Client)(nil)
)

// New returns a Client. It fails if the configuration is incomplete or malformed. It sends nothing.
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
	return &Client{
		cfg: cfg, http: transport.New(cfg.HTTPClient),
		leftOut: ticketing.NewLeftOut("legacygateway", cfg.Logger),
	}, nil
}

// LeftOut returns how many rows of the gateway's lists were left out because they could not be read, by method.
func (c *Client) LeftOut() map[string]int64 { return c.leftOut.Counts() }

// envelope is the outer object of every answer. Success is a pointer, to distinguish false from missing.
type envelope struct {
	Success *bool `json:"success"`
	Error   *struct {
		Code string `json:"code"`
		Msg  string `json:"msg"`
	} `json:"error"`
	Data any `json:"data"` // a pointer to the value to decode into
}

func newEnvelope(data any) transport.Envelope { return &envelope{Data: data} }

// Outcome implements transport.Envelope.
func (e *envelope) Outcome(kind transport.CallKind) error {
	switch {
	case e.Success == nil || *e.Success == (e.Error != nil):
		return kind.BadAnswer("read envelope", errors.New("answer is neither a success nor an error"))
	case !*e.Success:
		return codes.Rejection(kind, e.Error.Code, e.Error.Msg)
	}
	return nil
}

// call signs and sends one method with the fields that are not empty, and decodes the data of a successful answer. It
// returns a *transport.Rejection[string] if the gateway answers with an error code; see faults.go.
func (c *Client) call(
	ctx context.Context, kind transport.CallKind, method string, fields map[string]string, data any,
) error {
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

	err := c.http.Call(ctx, kind, transport.Request{
		Method: http.MethodPost, URL: c.cfg.BaseURL, Body: []byte(form.Encode()),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"},
	}, newEnvelope, data)
	if kind == transport.Query && errors.Is(err, transport.ErrStatus) {
		err = fmt.Errorf("%w: %w", catalog.ErrStatus, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// query calls a method that only reads, and converts the data of the answer. It fails with fault.ErrBadAnswer if
// convert fails.
func query[Data, T any](
	ctx context.Context, c *Client, method string, fields map[string]string, convert func(Data) (T, error),
) (T, error) {
	var data Data
	var zero T
	if err := c.call(ctx, transport.Query, method, fields, &data); err != nil {
		return zero, err
	}
	v, err := convert(data)
	if err != nil {
		return zero, transport.Query.BadAnswer(method, err)
	}
	return v, nil
}

// Package sms sends one-time codes and notices through the SMS vendor's SDK. README.md lists the quirks of the SDK.
package sms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	teautil "github.com/alibabacloud-go/tea-utils/v2/service"
	"github.com/alibabacloud-go/tea/tea"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/transport"
)

// DefaultEndpoint is the vendor's host.
const DefaultEndpoint = "dysmsapi.aliyuncs.com"

// Config configures a Client.
type Config struct {
	AccessKeyID     string
	AccessKeySecret string
	SignName        string
	TemplateCode    string // a template with one variable, ${code}

	Endpoint     string               // "": DefaultEndpoint
	SimulatorURL string               // "": the vendor over TLS; else the http URL to which all requests are sent
	Operations   transport.Operations // the limit and the observer of each call
}

// Client sends codes and security notices by SMS. It is safe for concurrent use.
type Client struct {
	cfg    Config
	vendor *dysms.Client
}

var (
	_ account.CodeSender   = (*Client)(nil)
	_ account.NoticeSender = (*Client)(nil)
)

// New returns a Client. It fails if the configuration is incomplete or malformed. It sends nothing.
func New(cfg Config) (*Client, error) {
	for name, v := range map[string]string{
		"AccessKeyID": cfg.AccessKeyID, "AccessKeySecret": cfg.AccessKeySecret,
		"SignName": cfg.SignName, "TemplateCode": cfg.TemplateCode,
	} {
		if v == "" {
			return nil, fmt.Errorf("sms: %s is required", name)
		}
	}
	if cfg.Endpoint == "" {
		cfg.Endpoint = DefaultEndpoint
	}
	oc := &openapi.Config{
		AccessKeyId: tea.String(cfg.AccessKeyID), AccessKeySecret: tea.String(cfg.AccessKeySecret),
		Endpoint: tea.String(cfg.Endpoint), Protocol: tea.String("https"),
		// The SDK takes its connect time-out in seconds although its documentation says milliseconds. The read time-out
		// limits the entire exchange, so only that is set.
		ReadTimeout: tea.Int(int(cfg.Operations.Within().Milliseconds())),
	}
	if cfg.SimulatorURL != "" {
		u, err := url.Parse(cfg.SimulatorURL)
		if err != nil || u.Host == "" || u.Scheme != "http" {
			return nil, fmt.Errorf("sms: SimulatorURL %q is not an http URL", cfg.SimulatorURL)
		}
		// The SDK takes no HTTP client, but it takes a proxy. A proxy receives the request unchanged, with the
		// vendor's Host, so the signature stays valid.
		oc.Protocol, oc.HttpProxy = tea.String("http"), tea.String(u.Scheme+"://"+u.Host)
	}
	vendor, err := dysms.NewClient(oc)
	if err != nil {
		return nil, fmt.Errorf("sms: %w", err)
	}
	return &Client{cfg: cfg, vendor: vendor}, nil
}

// SendCode sends a code. It returns account.ErrPhoneRejected or account.ErrSMSLimited if the vendor rejects it for that
// reason, and fault.ErrUnavailable if the vendor sent nothing for another reason. fault.ErrUnknown means that the
// message may arrive.
func (c *Client) SendCode(ctx context.Context, phone, code string) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "send_code")
	defer end(&err)
	if err := c.send(ctx, phone, c.cfg.TemplateCode, "code", code); err != nil {
		return fmt.Errorf("send code: %w", err)
	}
	return nil
}

// SendNotice implements account.NoticeSender. The template has one variable, ${time}, which at replaces. It returns the
// same errors as SendCode.
func (c *Client) SendNotice(ctx context.Context, phone, template, at string) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "send_notice")
	defer end(&err)
	if err := c.send(ctx, phone, template, "time", at); err != nil {
		return fmt.Errorf("send notice: %w", err)
	}
	return nil
}

// send sends a message of a template with one variable.
func (c *Client) send(ctx context.Context, phone, template, variable, value string) error {
	param, err := json.Marshal(map[string]string{variable: value})
	if err != nil {
		return fmt.Errorf("encode template variables: %w", err)
	}
	// The URL of a request and the vendor's texts may quote the phone and the code. A log must not.
	secrets := strings.NewReplacer(phone, "(the phone)", value, "(the "+variable+")")
	type outcome struct {
		answer *dysms.SendSmsResponse
		err    error
	}
	done := make(chan outcome, 1)
	// The SDK takes no context. When ctx ends, the call continues until its time-out, and its result is dropped.
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil { // the SDK panics on some malformed answers
				o = outcome{err: fmt.Errorf("SDK panicked: %v", p)}
			}
			done <- o
		}()
		o.answer, o.err = c.vendor.SendSmsWithOptions(&dysms.SendSmsRequest{
			PhoneNumbers: tea.String(phone), SignName: tea.String(c.cfg.SignName),
			TemplateCode: tea.String(template), TemplateParam: tea.String(string(param)),
		}, &teautil.RuntimeOptions{})
	}()
	select {
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", fault.ErrUnknown, ctx.Err())
	case o := <-done:
		if o.err != nil {
			cause := secrets.Replace(transport.WithoutURL(o.err).Error())
			return fmt.Errorf("%w: %s", callFault(o.err), cause)
		}
		return readAnswer(o.answer, secrets)
	}
}

// readAnswer returns nil if the vendor accepted the message, and otherwise the fault of the answer's code.
func readAnswer(answer *dysms.SendSmsResponse, secrets *strings.Replacer) error {
	if answer == nil || answer.Body == nil || answer.Body.Code == nil {
		return fmt.Errorf("answer without code: %w", fault.ErrUnknown)
	}
	code := *answer.Body.Code
	text := secrets.Replace(tea.StringValue(answer.Body.Message))
	rejected := fmt.Errorf("vendor rejected the message with %s %q", code, text)
	switch {
	case code == "OK":
		return nil
	case code == "isv.BUSINESS_LIMIT_CONTROL" || code == "isv.DAY_LIMIT_CONTROL":
		return fmt.Errorf("%w: %w", account.ErrSMSLimited, rejected)
	case code == "isv.MOBILE_NUMBER_ILLEGAL" || code == "isv.BLACK_KEY_CONTROL_LIMIT":
		return fmt.Errorf("%w: %w", account.ErrPhoneRejected, rejected)
	case strings.HasPrefix(code, "isv."): // the shop's account, signature or template, which a buyer cannot correct
		return fmt.Errorf("%w: %w", fault.ErrUnavailable, rejected)
	}
	return fmt.Errorf("%w: %w", fault.ErrUnknown, rejected)
}

// callFault returns the fault of a call that got no answer with status 200: fault.ErrUnavailable if the vendor rejected
// the request or was not reached, and fault.ErrUnknown otherwise.
func callFault(err error) *fault.Fault {
	var sdk *tea.SDKError
	if errors.As(err, &sdk) && tea.StringValue(sdk.Code) != "" {
		if status := tea.IntValue(sdk.StatusCode); status >= 400 && status < 500 {
			return fault.ErrUnavailable // signature, key or rate limit
		}
		return fault.ErrUnknown
	}
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") {
		return fault.ErrUnavailable
	}
	return fault.ErrUnknown
}

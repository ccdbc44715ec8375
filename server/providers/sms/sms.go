// Package sms sends one-time codes through the SMS vendor's own SDK.
package sms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	teautil "github.com/alibabacloud-go/tea-utils/v2/service"
	"github.com/alibabacloud-go/tea/tea"

	"marquee/server/account"
	"marquee/server/fault"
)

// DefaultEndpoint is the vendor's own host.
const DefaultEndpoint = "dysmsapi.aliyuncs.com"

// Config says who we are to the vendor and which template carries the code.
type Config struct {
	AccessKeyID     string
	AccessKeySecret string
	SignName        string
	TemplateCode    string // a template with one variable, ${code}

	Endpoint     string        // "": DefaultEndpoint
	SimulatorURL string        // "": the vendor over TLS; else plain HTTP by way of this address, the vendor's Host kept
	Timeout      time.Duration // of one message; 0: 8 s
}

// Client sends codes. It is safe for concurrent use.
type Client struct {
	cfg    Config
	vendor *dysms.Client
}

var _ account.CodeSender = (*Client)(nil)

// New checks the configuration and makes a client; it calls nobody.
func New(cfg Config) (*Client, error) {
	for name, v := range map[string]string{
		"AccessKeyID": cfg.AccessKeyID, "AccessKeySecret": cfg.AccessKeySecret, "SignName": cfg.SignName, "TemplateCode": cfg.TemplateCode,
	} {
		if v == "" {
			return nil, fmt.Errorf("sms: %s is required", name)
		}
	}
	if cfg.Endpoint == "" {
		cfg.Endpoint = DefaultEndpoint
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 8 * time.Second
	}
	oc := &openapi.Config{
		AccessKeyId: tea.String(cfg.AccessKeyID), AccessKeySecret: tea.String(cfg.AccessKeySecret),
		Endpoint: tea.String(cfg.Endpoint), Protocol: tea.String("https"),
		// The SDK's connect time-out counts in seconds what its documentation gives in milliseconds; the read
		// time-out bounds the whole exchange, so it alone is set.
		ReadTimeout: tea.Int(int(cfg.Timeout.Milliseconds())),
	}
	if cfg.SimulatorURL != "" {
		u, err := url.Parse(cfg.SimulatorURL)
		if err != nil || u.Host == "" || u.Scheme != "http" {
			return nil, fmt.Errorf("sms: SimulatorURL %q is not an http address", cfg.SimulatorURL)
		}
		// The SDK takes no HTTP client, but it takes a proxy: the request then goes to the simulator as it stands,
		// vendor's Host and all, and the signature holds.
		oc.Protocol, oc.HttpProxy = tea.String("http"), tea.String(u.Scheme+"://"+u.Host)
	}
	vendor, err := dysms.NewClient(oc)
	if err != nil {
		return nil, fmt.Errorf("sms: %w", err)
	}
	return &Client{cfg: cfg, vendor: vendor}, nil
}

// SendCode sends the code. Of kind Unknown: the message may arrive.
func (c *Client) SendCode(ctx context.Context, phone, code string) error {
	param, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		return fmt.Errorf("encode template variables: %w", err)
	}
	secrets := strings.NewReplacer(phone, "(the phone)", code, "(the code)") // a vendor may repeat them; logs must not
	type outcome struct {
		answer *dysms.SendSmsResponse
		err    error
	}
	done := make(chan outcome, 1)
	// The SDK knows no context: it is left behind when ours ends, and ends by its own time-out.
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil { // the SDK panics on some answers that are not the vendor's
				o = outcome{err: fmt.Errorf("SDK panics: %v", p)}
			}
			done <- o
		}()
		o.answer, o.err = c.vendor.SendSmsWithOptions(&dysms.SendSmsRequest{
			PhoneNumbers: tea.String(phone), SignName: tea.String(c.cfg.SignName),
			TemplateCode: tea.String(c.cfg.TemplateCode), TemplateParam: tea.String(string(param)),
		}, &teautil.RuntimeOptions{})
	}()
	select {
	case <-ctx.Done():
		return fmt.Errorf("send code: %w: %w", fault.ErrUnknown, ctx.Err())
	case o := <-done:
		if o.err != nil {
			return fmt.Errorf("send code: %w: %s", failure(o.err), secrets.Replace(describe(o.err)))
		}
		return settle(o.answer, secrets)
	}
}

// describe is an error's text without the address that was asked: the vendor's protocol has the number and the code in it.
func describe(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Op + ": " + u.Err.Error()
	}
	return err.Error()
}

// settle reads a 200 answer.
func settle(answer *dysms.SendSmsResponse, secrets *strings.Replacer) error {
	if answer == nil || answer.Body == nil || answer.Body.Code == nil {
		return fmt.Errorf("send code: answer without code: %w", fault.ErrUnknown)
	}
	code := *answer.Body.Code
	refused := fmt.Errorf("vendor refuses with %s %q", code, secrets.Replace(tea.StringValue(answer.Body.Message)))
	switch {
	case code == "OK":
		return nil
	case code == "isv.BUSINESS_LIMIT_CONTROL" || code == "isv.DAY_LIMIT_CONTROL":
		return fmt.Errorf("send code: %w: %w", account.ErrSMSLimited, refused)
	case code == "isv.MOBILE_NUMBER_ILLEGAL" || code == "isv.BLACK_KEY_CONTROL_LIMIT":
		return fmt.Errorf("send code: %w: %w", account.ErrPhoneRefused, refused)
	case strings.HasPrefix(code, "isv."): // our account, signature or template: nothing a buyer can mend
		return fmt.Errorf("send code: %w: %w", fault.ErrUnavailable, refused)
	}
	return fmt.Errorf("send code: %w: %w", fault.ErrUnknown, refused)
}

// failure classifies an exchange that brought no business answer.
func failure(err error) *fault.Fault {
	var sdk *tea.SDKError
	if errors.As(err, &sdk) && tea.StringValue(sdk.Code) != "" {
		if status := tea.IntValue(sdk.StatusCode); status >= 400 && status < 500 {
			return fault.ErrUnavailable // refused at the door: signature, key, throttling
		}
		return fault.ErrUnknown
	}
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") {
		return fault.ErrUnavailable
	}
	return fault.ErrUnknown
}

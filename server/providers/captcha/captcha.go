// Package captcha checks the answers to the vendor's challenge (Tencent Captcha, DescribeCaptchaResult of 2019-07-22)
// through the vendor's SDK. README.md lists the quirks.
package captcha

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	sdkerrors "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/errors"
	tchttp "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/http"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/transport"
)

// Endpoint is the vendor's host.
const Endpoint = "captcha.tencentcloudapi.com"

// Config configures a Client.
type Config struct {
	SecretID     string // the id of the API key
	SecretKey    string
	AppID        uint64 // the id of the captcha application, which is public
	AppSecretKey string

	SimulatorURL string               // "": the vendor over TLS; else the URL to which all requests are sent
	Operations   transport.Operations // the limit and the observer of each call
}

// Client checks answers. It is safe for concurrent use.
type Client struct {
	cfg    Config
	vendor *common.Client
}

var _ account.Challenge = (*Client)(nil)

// New returns a Client. It fails if the configuration is incomplete or malformed. It sends nothing.
func New(cfg Config) (*Client, error) {
	for name, v := range map[string]string{
		"SecretID": cfg.SecretID, "SecretKey": cfg.SecretKey, "AppSecretKey": cfg.AppSecretKey,
	} {
		if v == "" {
			return nil, fmt.Errorf("captcha: %s is required", name)
		}
	}
	if cfg.AppID == 0 {
		return nil, errors.New("captcha: AppID is required")
	}
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint = Endpoint
	vendor := common.NewCommonClient(common.NewCredential(cfg.SecretID, cfg.SecretKey), "", p)
	to := exchange{next: transport.HTTPClient(nil).Transport}
	if cfg.SimulatorURL != "" {
		if err := transport.CheckAddress(cfg.SimulatorURL); err != nil {
			return nil, fmt.Errorf("captcha: SimulatorURL %w", err)
		}
		to.simulator, _ = url.Parse(cfg.SimulatorURL) // no error: CheckAddress has parsed it
	}
	vendor.WithHttpTransport(to)
	return &Client{cfg: cfg, vendor: vendor}, nil
}

// exchange sends a request to the vendor or the simulator, and limits the size of the answer.
type exchange struct {
	simulator *url.URL // nil: the vendor
	next      http.RoundTripper
}

// maxAnswer is the maximum size of an answer in bytes.
const maxAnswer = 64 << 10

// RoundTrip implements http.RoundTripper. Path, headers and Host stay the vendor's, so that the signature stays valid.
func (e exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	r := req.Clone(req.Context())
	if e.simulator != nil {
		r.Host = req.URL.Host
		r.URL.Scheme, r.URL.Host = e.simulator.Scheme, e.simulator.Host
	}
	resp, err := e.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("status %d", resp.StatusCode) // the SDK turns it into a network error
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	return resp, nil
}

// checkRequest is the vendor's DescribeCaptchaResult.
type checkRequest struct {
	*tchttp.BaseRequest
	CaptchaType  *uint64 `json:"CaptchaType,omitempty"` // 9: all kinds that the vendor's console offers
	Ticket       *string `json:"Ticket,omitempty"`
	UserIP       *string `json:"UserIp,omitempty"`
	Randstr      *string `json:"Randstr,omitempty"`
	CaptchaAppID *uint64 `json:"CaptchaAppId,omitempty"`
	AppSecretKey *string `json:"AppSecretKey,omitempty"`
}

// checkResponse is the vendor's answer to a checkRequest.
type checkResponse struct {
	*tchttp.BaseResponse
	Response struct {
		CaptchaCode *int64 `json:"CaptchaCode"`
		CaptchaMsg  string `json:"CaptchaMsg"`
	} `json:"Response"`
}

// The vendor's results of a check. Any other one means that the ticket is not valid.
const (
	passed         = 1
	internalFailed = 26 // the vendor's own failure
)

// outages are the error codes of the vendor and the SDK that no client can cause by its input: the vendor fails or does
// not answer, or rejects the shop's key or quota. Subcodes such as "InternalError.X" are included.
var outages = []string{
	"InternalError", "ServiceUnavailable", "ResourceUnavailable", "ResourceInsufficient", "ResourcesSoldOut",
	"AuthFailure", "UnauthorizedOperation", "InvalidCredential", "LimitExceeded", "RequestLimitExceeded",
	"ClientError.NetworkError", "ClientError.IOError", "ClientError.ParseJsonError",
}

func isOutage(code string) bool {
	return slices.ContainsFunc(outages, func(outage string) bool {
		return code == outage || strings.HasPrefix(code, outage+".")
	})
}

// Check returns fault.ErrUnavailable if the vendor fails, does not answer in time, or rejects the shop's key or quota.
// It returns account.ErrChallengeFailed for any other answer except a pass, because the client's input may have caused
// it. It returns the error of ctx if ctx ends. The errors do not contain the ticket or a key.
func (c *Client) Check(ctx context.Context, answer account.ChallengeAnswer, address string) (err error) {
	limited, end := c.cfg.Operations.Begin(ctx, "check")
	defer end(&err)
	req := &checkRequest{
		BaseRequest: &tchttp.BaseRequest{}, CaptchaType: new(uint64(9)), Ticket: &answer.Ticket, UserIP: &address,
		Randstr: &answer.Random, CaptchaAppID: &c.cfg.AppID, AppSecretKey: &c.cfg.AppSecretKey,
	}
	req.Init().WithApiInfo("captcha", "2019-07-22", "DescribeCaptchaResult")
	req.SetContext(limited)
	resp := &checkResponse{BaseResponse: &tchttp.BaseResponse{}}
	if err := c.vendor.Send(req, resp); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("check the challenge: %w", ctx.Err()) // the client has disconnected: not an outage
		}
		var vendorErr *sdkerrors.TencentCloudSDKError
		if !errors.As(err, &vendorErr) {
			return fmt.Errorf("check the challenge: %w: %w", fault.ErrUnavailable, transport.WithoutURL(err))
		}
		as := account.ErrChallengeFailed
		if isOutage(vendorErr.GetCode()) {
			as = fault.ErrUnavailable
		}
		// Without the message, which may quote the request.
		return fmt.Errorf("check the challenge: vendor answers %s: %w", vendorErr.GetCode(), as)
	}
	code := resp.Response.CaptchaCode
	switch {
	case code == nil:
		return fmt.Errorf("check the challenge: answer without a result: %w", fault.ErrUnavailable)
	case *code == passed:
		return nil
	case *code == internalFailed:
		return fmt.Errorf("check the challenge: vendor answers %d: %w", *code, fault.ErrUnavailable)
	}
	return fmt.Errorf("check the challenge: vendor answers %d: %w", *code, account.ErrChallengeFailed)
}

// Package wechat is the client of the messaging app: payment (Pay APIv3, through the vendor's SDK), login (OAuth) and
// the signature of the JS-SDK. README.md lists the vendor's quirks.
package wechat

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/validators"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/server/beijing"
	"marquee/server/durations"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

// PayConfig configures a Pay.
type PayConfig struct {
	AppID            string
	MchID            string // the number of the merchant account
	MchSerial        string // the serial number of the merchant's API certificate
	MchPrivateKeyPEM string // PKCS #8
	APIv3Key         string // 32 bytes
	// PublicKeyPEM and PublicKeyID are the vendor's public key for this merchant. Both are "" for a merchant that has
	// only platform certificates.
	PublicKeyPEM, PublicKeyID string
	// WithoutCertificates means that the merchant has no platform certificates, so that they are never fetched. If it
	// is false and there is a public key, messages may be signed with either.
	WithoutCertificates bool
	NotifyURL           string // for payments; the vendor requires https and allows no query
	RefundNotifyURL     string // "": the vendor sends no notifies of refunds, which are then only queried

	SimulatorURL string               // "": the vendor; else the URL to which all requests are sent, with the vendor's Host
	HTTPClient   *http.Client         // nil: a new client
	Now          func() time.Time     // business time; nil: time.Now
	Wire         func() time.Time     // wire time: real time, as the vendor's clock shows it; nil: time.Now
	Operations   transport.Operations // the limit and the observer of each call
}

// Pay is the payment gateway. It is safe for concurrent use. Stop ends its certificate updates.
type Pay struct {
	cfg       PayConfig
	keys      *platformKeys
	hosts     *hosts
	trades    jsapi.JsapiApiService
	h5        h5.H5ApiService
	refunds   refunddomestic.RefundsApiService
	validator *validators.WechatPayNotifyValidator
	downloads *core.Client // downloads bills; the vendor does not sign these answers
	bills     transport.Operations
}

var _ order.Gateway = (*Pay)(nil)

// NewPay returns a Pay. It fails if the configuration is incomplete or malformed. It sends nothing: the first call that
// needs the platform's certificates fetches them.
func NewPay(cfg PayConfig) (*Pay, error) {
	for _, f := range []struct{ name, value string }{
		{"AppID", cfg.AppID}, {"MchID", cfg.MchID}, {"MchSerial", cfg.MchSerial}, {"NotifyURL", cfg.NotifyURL},
	} {
		if f.value == "" {
			return nil, fmt.Errorf("wechat: PayConfig.%s is required", f.name)
		}
	}
	if len(cfg.APIv3Key) != 32 {
		return nil, errors.New("wechat: PayConfig.APIv3Key is not 32 bytes")
	}
	key, err := utils.LoadPrivateKey(cfg.MchPrivateKeyPEM)
	if err != nil {
		return nil, fmt.Errorf("wechat: PayConfig.MchPrivateKeyPEM: %w", err)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Wire == nil {
		cfg.Wire = time.Now
	}
	hc, err := httpClient(cfg.HTTPClient, cfg.SimulatorURL)
	if err != nil {
		return nil, err
	}
	both := payHosts()
	keys, err := newPlatformKeys(cfg, key, hc, both)
	if err != nil {
		return nil, err
	}
	client, err := vendorClient(cfg, key, hc, option.WithVerifier(answerKeys{keys}))
	if err != nil {
		keys.close()
		return nil, err
	}
	downloads, err := vendorClient(cfg, key, hc, option.WithoutValidator())
	if err != nil {
		keys.close()
		return nil, err
	}
	return &Pay{
		cfg: cfg, keys: keys, hosts: both, trades: jsapi.JsapiApiService{Client: client},
		h5:        h5.H5ApiService{Client: client},
		refunds:   refunddomestic.RefundsApiService{Client: client},
		validator: validators.NewWechatPayNotifyValidator(keys), downloads: downloads,
		bills: transport.Operations{Limit: durations.Bill, Observer: cfg.Operations.Observer},
	}, nil
}

// Stop ends the daily update of the certificates. It is not named Close, because Close closes a trade.
func (p *Pay) Stop() { p.keys.close() }

// vendorClient returns a client of the SDK that signs as the merchant.
func vendorClient(
	cfg PayConfig, key *rsa.PrivateKey, hc *http.Client, validator core.ClientOption,
) (*core.Client, error) {
	c, err := core.NewClient(context.Background(),
		option.WithMerchantCredential(cfg.MchID, cfg.MchSerial, key), option.WithHTTPClient(hc), validator)
	if err != nil {
		return nil, fmt.Errorf("wechat: make client: %w", err)
	}
	return c, nil
}

// wireTime converts business time to wire time. The difference between the clocks is rounded to seconds, so that a
// repeated prepay of an order has the same expiry.
func (p *Pay) wireTime(t time.Time) time.Time {
	return t.Add(p.cfg.Wire().Sub(p.cfg.Now()).Round(time.Second)).In(beijing.Time)
}

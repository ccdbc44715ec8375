// Package wechat speaks to the messaging app: payment (Pay APIv3, through the vendor's SDK), login and the JS-SDK's
// signature. Vendor codes and shapes stop here.
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
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/server/beijing"
	"marquee/server/payment"
)

// PayConfig says which merchant we are and where notifies go.
type PayConfig struct {
	AppID            string
	MchID            string
	MchSerial        string // of the merchant's API certificate
	MchPrivateKeyPEM string // PKCS #8
	APIv3Key         string // 32 bytes
	NotifyURL        string // payments; the vendor wants https and no query
	RefundNotifyURL  string // "": refunds are only found by query

	SimulatorURL string           // "": the vendor; else every request goes to this address, the vendor's Host kept
	HTTPClient   *http.Client     // nil: a client of its own
	Now          func() time.Time // business clock; nil: time.Now
	Wire         func() time.Time // wire clock, what the vendor's clock shows; nil: time.Now
	Timeout      time.Duration    // of one call; 0: 8 s
}

// Pay is the payment gateway. It is safe for concurrent use; Stop ends its certificate updates.
type Pay struct {
	cfg       PayConfig
	certs     *certificates
	trades    jsapi.JsapiApiService
	refunds   refunddomestic.RefundsApiService
	validator *validators.WechatPayNotifyValidator
}

var _ payment.Gateway = (*Pay)(nil)

// NewPay checks the configuration and makes a gateway; it calls nobody. The platform's certificates are fetched
// with the first call.
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
	if cfg.Timeout == 0 {
		cfg.Timeout = 8 * time.Second
	}
	hc, err := httpClient(cfg.HTTPClient, cfg.SimulatorURL, cfg.Timeout)
	if err != nil {
		return nil, err
	}
	certs, err := newCertificates(cfg, key, hc)
	if err != nil {
		return nil, err
	}
	client, err := vendorClient(cfg, key, hc, option.WithVerifier(certs))
	if err != nil {
		certs.close()
		return nil, err
	}
	return &Pay{
		cfg: cfg, certs: certs, trades: jsapi.JsapiApiService{Client: client}, refunds: refunddomestic.RefundsApiService{Client: client},
		validator: validators.NewWechatPayNotifyValidator(certs),
	}, nil
}

// Stop ends the daily certificate update. (Close closes a trade.)
func (p *Pay) Stop() { p.certs.close() }

func vendorClient(cfg PayConfig, key *rsa.PrivateKey, hc *http.Client, validator core.ClientOption) (*core.Client, error) {
	c, err := core.NewClient(context.Background(),
		option.WithMerchantCredential(cfg.MchID, cfg.MchSerial, key), option.WithHTTPClient(hc), validator)
	if err != nil {
		return nil, fmt.Errorf("wechat: make client: %w", err)
	}
	return c, nil
}

// wireTime turns business time into what the vendor's clock will show then. The distance between the clocks is taken in
// whole seconds, so that the same order is announced with the same expiry each time.
func (p *Pay) wireTime(t time.Time) time.Time {
	return t.Add(p.cfg.Wire().Sub(p.cfg.Now()).Round(time.Second)).In(beijing.Time)
}

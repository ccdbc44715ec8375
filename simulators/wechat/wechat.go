// Package wechat simulates the messaging app as seen by a shop: Pay APIv3 with its signatures, encryption and
// notifications, login by OAuth, the JS-SDK's ticket, and a phone with an in-app browser, a pay sheet and a scanner.
//
// Each concern has its type: payments (trades and refunds), payAPI (Pay APIv3 over HTTP), notifier (webhook delivery),
// merchant and platform (the keys of both sides), login (OAuth), appTokens (account tokens and JS ticket) and phone
// (in-app browser). README.md lists the vendor's document for each behavior.
package wechat

import (
	"net/http"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// The vendor's host names.
const (
	PayHost = "api.mch.weixin.qq.com"
	// PayHostBackup and PayHostOldBackup serve the same as PayHost. The vendor's Go SDK uses PayHostOldBackup.
	PayHostBackup    = "api2.wechatpay.cn"
	PayHostOldBackup = "api2.mch.weixin.qq.com"

	APIHost = "api.weixin.qq.com"
	// APIHostBackup serves the same as APIHost.
	APIHostBackup = "api2.weixin.qq.com"
	OpenHost      = "open.weixin.qq.com"
)

// Name is the provider's name in faults and the journal.
const Name = "wechat"

// shanghai is the vendor's time zone.
var shanghai = time.FixedZone("CST", 8*60*60)

// Config configures the simulator.
type Config struct {
	Seed        uint64
	Label       string // the world's id in the in-app browser's host names and cookie; "" for the default world
	Clock       *testclock.Clock
	Plan        *faults.Plan
	Journal     *journal.Journal
	Credentials dataset.WeChatCredentials
	PlatformKey string                               // PEM; the key of the first platform certificate
	PublicKey   string                               // PEM; the key pair that signs for merchants with the public key
	AppURL      func() string                        // the web app shown in the in-app browser; nil: none
	NamedApps   func() []string                      // the web apps of all worlds; nil: only AppURL
	AllowedApps func() []int                         // other ports that the in-app browser can show; nil: none
	SMS         func(phone string) []control.Message // the inbox on the phone page; nil: no inbox
	RefundDelay time.Duration                        // business time until a refund settles; 0: 5 s
	MaxTrades   int                                  // maximum number of trades kept; 0: 50,000
	Targets     *webhook.Targets                     // additional receivers of notifications; nil: none
	Codes       []Code                               // the codes offered by the scanner
}

// Code is a bar code or QR code that can be picked in the scanner instead of typed.
type Code struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Simulator is the messaging app. It is safe for concurrent use.
type Simulator struct {
	*payments
	credentials dataset.WeChatCredentials
	payAPI      *payAPI
	platform    *platform
	merchant    *merchant
	notifier    *notifier
	login       *login
	appTokens   *appTokens
	phone       *phone
	checkout    checkout
	faults      faultInjector
}

// New returns a messaging app without trades, tokens or notifications, and declares its faults to the plan. Keys are
// parsed at their first use, which panics if a key is invalid.
func New(c Config) *Simulator {
	if c.RefundDelay == 0 {
		c.RefundDelay = 5 * time.Second
	}
	if c.AppURL == nil {
		c.AppURL = func() string { return "" }
	}
	if c.NamedApps == nil {
		c.NamedApps = func() []string { return nil }
	}
	if c.AllowedApps == nil {
		c.AllowedApps = func() []int { return nil }
	}
	s := &Simulator{
		credentials: c.Credentials, faults: faultInjector{c.Plan, c.Journal},
		platform: newPlatform(c.Clock.Now, c.PlatformKey, c.PublicKey, c.Credentials.PublicKeyID),
		merchant: newMerchant(c.Credentials),
	}
	s.notifier = newNotifier(c, s.faults, s.platform)
	s.payments = newPayments(c, s.faults, s.notifier)
	s.payAPI = &payAPI{credentials: c.Credentials, clock: c.Clock, faults: s.faults, merchant: s.merchant,
		platform: s.platform, payments: s.payments, bills: &bills{payments: s.payments, faults: s.faults}}
	people := &people{last: BoundOpenID}
	s.login = newLogin(c, people)
	s.appTokens = &appTokens{credentials: c.Credentials, now: func() time.Time { return time.Now().In(shanghai) },
		tokens:  map[string]time.Time{},
		tickets: map[string]ticket{}}
	s.checkout = checkout{payments: s.payments, people: people, faults: s.faults}
	s.phone = &phone{Config: c, faults: s.faults, people: people, merchant: s.merchant, payments: s.payments,
		appTokens: s.appTokens, checkout: s.checkout, shares: newShares()}
	declared := faults.NewProvider(Name, operations, domainFaults...)
	for _, endpoint := range []*faults.Endpoint{s.PayHandler(), s.APIHandler(), s.OpenHandler()} {
		declared.Simulated = append(declared.Simulated, endpoint.Operation)
	}
	c.Plan.Declare(declared)
	return s
}

// PayHandler answers Pay APIv3, on the vendor's hosts and under /wechatpay of any other host.
func (s *Simulator) PayHandler() *faults.Endpoint { return s.payAPI.handler() }

// OpenHandler answers the vendor's login page, on the vendor's host and in the in-app browser.
func (s *Simulator) OpenHandler() *faults.Endpoint { return s.login.pageHandler(s.faults) }

// APIHandler answers api.weixin.qq.com: user tokens, the account's token, the JS-SDK's ticket.
func (s *Simulator) APIHandler() *faults.Endpoint { return apiHandler(s.login, s.appTokens, s.faults) }

// PhoneHandler answers the in-app browser's hosts, and /phone on any other host.
func (s *Simulator) PhoneHandler() http.Handler { return s.phone.handler(s.OpenHandler()) }

// Package wechat simulates the messaging app as a shop meets it: Pay APIv3 with its signatures, encryption and
// notifies, login by OAuth, the JS-SDK's ticket, and a phone with an in-app browser, a pay sheet and a scanner.
package wechat

import (
	"crypto/rsa"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/provider"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// The vendor's host names.
const (
	PayHost  = "api.mch.weixin.qq.com"
	APIHost  = "api.weixin.qq.com"
	OpenHost = "open.weixin.qq.com"
)

// Name is the provider's name in faults and the journal.
const Name = "wechat"

// shanghai is the vendor's wall clock.
var shanghai = time.FixedZone("CST", 8*60*60)

// Config is what the simulator is built from.
type Config struct {
	Seed        uint64
	Label       string // the world's name in the in-app browser's host names and cookie; "" for the default world
	Clock       *testclock.Clock
	Plan        *script.Plan
	Journal     *journal.Journal
	Credentials dataset.WeChatCredentials
	PlatformKey string                               // PEM; signs answers and notifies
	Logger      *slog.Logger                         // nil discards
	AppURL      func() string                        // the web app the in-app browser shows
	SMS         func(phone string) []control.Message // the inbox shown on the phone page; nil shows none
	RefundDelay time.Duration                        // business time a refund takes; 0 means 5 s
	Codes       []Code                               // what lies about to be scanned
}

// Code is what the scanner reads of something that can be picked instead of typed.
type Code struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Simulator is the messaging app. It is safe for concurrent use.
type Simulator struct {
	Config
	merchant *rsa.PublicKey
	keys     [2]*signer // the platform's
	other    *signer    // a key the merchant has never heard of

	rotations atomic.Int64 // of the platform's certificate so far

	wireNow func() time.Time // real time

	mu        sync.Mutex
	serial    uint64
	nonces    map[string]time.Time // real time each request nonce was seen
	announced int                  // trades so far
	trades    map[string]*trade    // by out_trade_no
	prepaid   map[string]*trade    // by prepay_id
	paid      map[string]*trade    // by transaction_id
	refunds   map[string]*refund   // by out_refund_no
	outbox    outbox
	account   account
	notifier  *http.Client
	life      provider.Lifetime // of the notifies
	changed   func(no string)
}

// New returns a messaging app in which nothing has happened. It panics when a credential cannot be used, since
// the demo world's keys are part of the program.
func New(c Config) *Simulator {
	if c.RefundDelay == 0 {
		c.RefundDelay = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.AppURL == nil {
		c.AppURL = func() string { return "" }
	}
	merchant, err := sharedSigner(c.Credentials.MchPrivateKeyPEM, "")
	if err != nil {
		panic(fmt.Sprintf("wechat: merchant key: %v", err))
	}
	other, err := sharedSigner(otherKeyPEM, "6268A1AF0ED1A7EF26FCF92B58168B834302C9F2")
	if err != nil {
		panic(fmt.Sprintf("wechat: other key: %v", err))
	}
	s := &Simulator{
		Config: c, merchant: &merchant.key.PublicKey, keys: platformKeys(c.PlatformKey), other: other, wireNow: time.Now,
		nonces: map[string]time.Time{}, trades: map[string]*trade{}, prepaid: map[string]*trade{}, paid: map[string]*trade{},
		refunds: map[string]*refund{}, changed: func(string) {}, outbox: outbox{pending: map[*notification]struct{}{}}, account: newAccount(),
		notifier: &http.Client{
			Timeout:       notifyTimeout,
			Transport:     notifyTransport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.Plan.Declare(script.Provider{Name: Name, Operations: operations, Words: words, Effects: effects})
	return s
}

// Connections are shared by all worlds: there may be many, and most are gone soon.
var (
	notifyTransport = &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute}
	proxyTransport  = &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute, DisableCompression: true}
)

// The operations faults can be planned for.
const (
	opPrepay       = "prepay"
	opQuery        = "query"
	opClose        = "close"
	opRefund       = "refund"
	opRefundQuery  = "refund-query"
	opCertificates = "certificates"
	opNotify       = "notify"
	opRefundNotify = "refund-notify"
	opPay          = "pay"
	opPaySheet     = "pay-sheet"
	opAuthorize    = "authorize"
	opOAuthToken   = "oauth-token"
	opToken        = "token"
	opTicket       = "ticket"
	opJSConfig     = "js-config"
)

var operations = []string{
	opPrepay, opQuery, opClose, opRefund, opRefundQuery, opCertificates, opNotify, opRefundNotify, opPay, opPaySheet,
	opAuthorize, opOAuthToken, opToken, opTicket, opJSConfig,
}

// The faults of this provider's domain.
const (
	doNotifyDrop         = "notify-drop"
	doNotifyDelay        = "notify-delay" // the first attempt comes DelayS later
	doNotifyDuplicate    = "notify-duplicate"
	doNotifyReorder      = "notify-reorder" // sent after the next one, or DelayS later when none comes
	doNotifyBadSignature = "notify-bad-signature"
	doNotifyWrongKey     = "notify-wrong-key"
	doNotifyStale        = "notify-stale"
	doNotifyWrongAmount  = "notify-wrong-amount"
	doAnswerBadSignature = "answer-bad-signature"
	doRotate             = "certificate-rotated" // signed with a new certificate, as everything after it
	doCancelAfterPay     = "bridge-cancel-after-pay"
	doBridgeFail         = "bridge-fail"
	doOKUnpaid           = "bridge-ok-unpaid"
	doRefundAbnormal     = "refund-abnormal"
	doRefundClosed       = "refund-closed"
	doRefundSlow         = "refund-slow" // takes DelayS
)

var words = func() map[string][]string {
	notifies, answers := []string{opNotify, opRefundNotify}, operations[:6]
	return map[string][]string{
		doRotate: append(slices.Clone(answers), notifies...), doNotifyReorder: notifies, doNotifyDrop: notifies, doNotifyDelay: notifies, doNotifyDuplicate: notifies, doNotifyBadSignature: notifies,
		doNotifyWrongKey: notifies, doNotifyStale: notifies, doNotifyWrongAmount: notifies,
		doAnswerBadSignature: answers, doCancelAfterPay: {opPay}, doBridgeFail: {opPay}, doOKUnpaid: {opPay},
		doRefundAbnormal: {opRefund}, doRefundClosed: {opRefund}, doRefundSlow: {opRefund},
	}
}()

// take asks for a planned fault of this provider and notes it in the journal entry of the call.
func (s *Simulator) take(note *journal.Note, operation string, words ...string) (script.Fault, bool) {
	fault, hit := s.Plan.Take(Name, operation, words...)
	if hit {
		note.Suffer(fault.ID, fault.Do)
	}
	return fault, hit
}

// next draws the generator of the next id. The caller holds the lock.
func (s *Simulator) next(kind string) *dataset.Rand {
	s.serial++
	return dataset.RandOf(s.Seed, "wechat", kind, fmt.Sprint(s.serial))
}

// of draws the generator of an id that follows from the merchant's own number and not from a count, so that a
// world started anew does not give an id again that an earlier one gave to something else.
func (s *Simulator) of(kind, number string) *dataset.Rand {
	return dataset.RandOf(s.Seed, "wechat", kind, number)
}

// stamp is a business time as the vendor's ids carry it.
func (s *Simulator) stamp() string { return s.Clock.Now().In(shanghai).Format("20060102150405") }

// Package sms simulates an SMS provider with the APIs of two vendors: Alibaba Cloud's 2017-05-25 API (SendSms,
// SendBatchSms, QuerySendDetails) with the ACS3 and the RPC signature, and Tencent Cloud's 2021-01-11 API (SendSms and
// the pull of reports) with the TC3 and the v1 signatures. Both send delivery reports. Each API has separate limits per
// phone; the phones' inbox is shared.
package sms

import (
	"slices"
	"sync/atomic"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// Name is the provider's name in faults and the journal.
const Name = "sms"

// The operations and the specific faults that can be planned for this provider, in addition to the general faults of
// HTTP and TCP.
const (
	opSend         = "send"
	opSendBatch    = "send-batch"
	opQueryDetails = "query-details"
	opReport       = "report" // a delivery report that the provider sends, like opTencentReport
	opTencentSend  = "tencent-send"
	opTencentPull  = "tencent-pull"

	opTencentReport = "tencent-report"

	doLimit           = "limit"
	doNotDelivered    = "not-delivered"
	doReportLate      = "report-late"
	doReportDrop      = "report-drop"
	doReportDuplicate = "report-duplicate"
)

// Phones for which sending always has the same outcome. The comments have the codes of Alibaba Cloud's API.
const (
	PhoneLimited      = "13800001001" // isv.BUSINESS_LIMIT_CONTROL
	PhoneIllegal      = "13800001002" // isv.MOBILE_NUMBER_ILLEGAL, although its format is valid
	PhoneNoBalance    = "13800001003" // isv.AMOUNT_NOT_ENOUGH: the account has no money
	PhoneSystemError  = "13800001004" // isp.SYSTEM_ERROR
	PhoneNotDelivered = "13800001005" // OK, but not delivered
)

// Config configures the simulator.
type Config struct {
	Clock       *testclock.Clock
	Plan        *faults.Plan
	Journal     *journal.Journal
	Credentials dataset.SMSCredentials // of Alibaba Cloud's API
	Tencent     dataset.TencentCredentials
	Targets     *webhook.Targets // receivers of delivery reports; nil: none
}

// Simulator is the provider. It is safe for concurrent use.
type Simulator struct {
	*inbox
	serial  *atomic.Int64 // last number for request and message ids, of both APIs
	alibaba *alibaba
	tencent *tencent

	deliveries *deliveries
	reporter   *reporter
}

// vendorAPI contains the parts that the API of each vendor needs. The two APIs share all of them except the limiter.
type vendorAPI struct {
	Config
	inbox   *inbox
	serial  *atomic.Int64
	limiter *limiter

	deliveries *deliveries
	reporter   *reporter
}

// New returns a provider without messages, and declares its faults to the plan.
func New(c Config) *Simulator {
	sends := []string{opSend, opSendBatch, opTencentSend}
	reports := []string{opReport, opTencentReport}
	operations := slices.Concat(sends, []string{opQueryDetails, opTencentPull}, reports)
	box, serial, known := newInbox(), &atomic.Int64{}, &deliveries{clock: c.Clock}
	reporter := &reporter{Config: c, deliveries: known, sender: webhook.Sender{Timeout: reportTimeout},
		pending: map[*ReportState]struct{}{}}
	newVendorAPI := func(limits []limit) vendorAPI {
		return vendorAPI{
			Config: c, inbox: box, serial: serial, limiter: newLimiter(c.Clock, limits), deliveries: known,
			reporter: reporter,
		}
	}
	s := &Simulator{
		deliveries: known, reporter: reporter,
		inbox: box, serial: serial,
		alibaba: &alibaba{vendorAPI: newVendorAPI(codeLimits), noticeLimiter: newLimiter(c.Clock, noticeLimits)},
		tencent: &tencent{vendorAPI: newVendorAPI(tencentLimits)},
	}
	declared := faults.NewProvider(Name, operations,
		faults.NewDomainFault(doLimit, sends, "rejected as too many to this phone, with the vendor's text"),
		faults.NewDomainFault(doNotDelivered, sends, "accepted, not delivered, and reported as such"),
		faults.NewDomainFault(doReportLate, sends, "the outcome is known and reported delay_s (600) later", "delay_s"),
		faults.NewDomainFault(doReportDrop, reports, "the report is not sent; queries return it"),
		faults.NewDomainFault(doReportDuplicate, reports, "the report is sent twice"),
	)
	for _, endpoint := range []*faults.Endpoint{s.Handler(), s.TencentHandler()} {
		declared.Simulated = append(declared.Simulated, endpoint.Operation)
	}
	c.Plan.Declare(declared)
	return s
}

// Handler answers the calls of Alibaba Cloud's API.
func (s *Simulator) Handler() *faults.Endpoint { return s.alibaba.handler() }

// TencentHandler answers the calls of Tencent Cloud's API.
func (s *Simulator) TencentHandler() *faults.Endpoint { return s.tencent.handler() }

// fault returns the kind of the planned fault that hits this call of an operation; "" if none does. Only faults of the
// kinds in words are considered.
func (c Config) fault(note *journal.Note, operation string, words ...string) string {
	fault, _ := c.Plan.Apply(note, Name, operation, words...)
	return fault.Do
}

// textMessage is the text of the template for verification codes, with the account's sign name.
func textMessage(signName, code string) string {
	return "【" + signName + "】您的验证码为" + code + "，5分钟内有效，请勿泄露给他人。"
}

// noticeText returns the text of a template for notices, with the variable time set to at; "" for any other template.
func noticeText(c dataset.SMSCredentials, template, at string) string {
	act := map[string]string{
		c.NoticeTemplates.Identity: "绑定了微信", c.NoticeTemplates.Phone: "更换了手机号",
		c.NoticeTemplates.Password: "设置了支付密码", c.NoticeTemplates.Device: "在新设备上登录",
	}[template]
	if act == "" {
		return ""
	}
	return "【" + c.SignName + "】您的账号于" + at + act + "。如非本人操作，请登录后在“账号与安全”中处理，或联系客服。"
}

// State is the provider's part of a snapshot.
type State struct {
	Messages    []control.Message      `json:"messages"`               // oldest first
	Last        int64                  `json:"last"`                   // id of the newest message
	Sent        map[string][]time.Time `json:"sent"`                   // business times by phone, for the limits
	SentNotices map[string][]time.Time `json:"sent_notices,omitempty"` // the same for notices
	SentTencent map[string][]time.Time `json:"sent_tencent,omitempty"` // the same for Tencent Cloud's API
	Serial      int64                  `json:"serial"`
	Nonces      map[string]time.Time   `json:"nonces"` // of calls that may not be repeated; real times
	// NoncesTencent is the same for the v1 signatures of Tencent Cloud's API.
	NoncesTencent map[string]time.Time `json:"nonces_tencent,omitempty"`

	Deliveries []delivery    `json:"deliveries,omitempty"`
	Reports    []ReportState `json:"reports,omitempty"` // those that are still to be sent, by time
}

// Save returns the current state of the provider.
func (s *Simulator) Save() State {
	saved := State{Serial: s.serial.Load(), Sent: s.alibaba.limiter.save(), SentTencent: s.tencent.limiter.save(),
		SentNotices: s.alibaba.noticeLimiter.save(),
		Nonces:      s.alibaba.nonces.Save(2*timeWindow, time.Now()), NoncesTencent: s.tencent.nonces.Save(tc3.KeepNonces,
			time.Now()), Deliveries: s.deliveries.find(func(*delivery) bool { return true })}
	saved.Reports = s.reporter.save(saved.Deliveries)
	s.inbox.mu.Lock()
	defer s.inbox.mu.Unlock()
	saved.Messages, saved.Last = append([]control.Message{}, s.inbox.messages...), s.inbox.last
	return saved
}

// Load restores a saved state into a new provider. It returns an error if a delivery report that is still to be sent
// belongs to no saved delivery, or has an impossible number of tries.
func (s *Simulator) Load(saved State) error {
	s.serial.Store(saved.Serial)
	s.deliveries.add(saved.Deliveries...)
	s.alibaba.limiter.load(saved.Sent)
	s.tencent.limiter.load(saved.SentTencent)
	s.alibaba.noticeLimiter.load(saved.SentNotices)
	s.inbox.mu.Lock()
	defer s.inbox.mu.Unlock()
	s.inbox.messages, s.inbox.last = slices.Clone(saved.Messages), saved.Last
	s.alibaba.nonces.Load(saved.Nonces)
	s.tencent.nonces.Load(saved.NoncesTencent)
	return s.reporter.load(saved.Reports)
}

// Package sms simulates an SMS provider in the dialects of two vendors: the SendSms call of the 2017-05-25 API under the
// ACS3 signature, and the SendSms call of the 2021-01-11 API under the TC3 signature. Each has its own limits per phone;
// the phones' inbox is one.
package sms

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// Host is the vendor's host name, by which the calls are recognised.
const Host = "dysmsapi.aliyuncs.com"

// Name is the provider's name in faults and the journal.
const Name = "sms"

// What can be planned for this provider, besides the faults of the wire.
const (
	opSend         = "send"
	opTencentSend  = "tencent-send"
	doLimit        = "limit"         // answers the vendor's code for a limit per phone
	doNotDelivered = "not-delivered" // answers success, and the message never arrives
)

// Config is what the simulator is built from.
type Config struct {
	Clock       *testclock.Clock
	Plan        *script.Plan
	Journal     *journal.Journal
	Credentials dataset.SMSCredentials
	Tencent     dataset.TencentCredentials
}

// Simulator is the provider. It is safe for concurrent use.
type Simulator struct {
	clock   *testclock.Clock
	plan    *script.Plan
	keys    dataset.SMSCredentials
	tencent dataset.TencentCredentials
	handler http.Handler // of the first dialect
	second  http.Handler

	mu          sync.Mutex
	inbox       inbox
	sent        sent
	sentTencent sent
	nonces      map[string]time.Time // real times
	serial      int64
}

// New returns a provider without messages.
func New(c Config) *Simulator {
	s := &Simulator{
		clock: c.Clock, plan: c.Plan, keys: c.Credentials, tencent: c.Tencent, inbox: inbox{waiting: map[*waiter]struct{}{}, changed: func(int64) {}},
		sent: sent{}, sentTencent: sent{}, nonces: map[string]time.Time{},
	}
	c.Plan.Declare(script.Provider{
		Name: Name, Operations: []string{opSend, opTencentSend},
		Words: map[string][]string{doLimit: {opSend, opTencentSend}, doNotDelivered: {opSend, opTencentSend}},
		Effects: map[string]script.Effect{
			doLimit: script.Does("refused as too many to this phone, in the dialect's own words"), doNotDelivered: script.Does("accepted, and nothing arrives"),
		},
	})
	s.handler = &script.Endpoint{
		Provider: Name, Plan: c.Plan, Journal: c.Journal,
		Operation: func(r *http.Request, _ []byte) string {
			if r.Header.Get("x-acs-action") == "SendSms" {
				return opSend
			}
			return ""
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			if code == "" {
				code, message = "isp.SYSTEM_ERROR", or(message, "系统出现错误，请重新调用")
			}
			s.business(w, code, message)
		},
		Next: http.HandlerFunc(s.serve),
	}
	s.second = s.tencentEndpoint(c.Plan, c.Journal)
	return s
}

// Handler answers the calls of the first dialect.
func (s *Simulator) Handler() http.Handler { return s.handler }

// serve checks what every call of the vendor's API has in common.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	if refusal := s.verify(r, time.Now()); refusal != nil {
		journal.From(r.Context()).Refuse(refusal.reason())
		s.refuse(w, refusal)
		return
	}
	switch {
	case r.Header.Get("x-acs-version") != "2017-05-25":
		s.refuse(w, &refusal{http.StatusBadRequest, "InvalidVersion", "Specified parameter Version is not valid.", ""})
	case r.Header.Get("x-acs-action") != "SendSms":
		s.refuse(w, &refusal{http.StatusNotFound, "InvalidAction.NotFound", "Specified api is not found, please check your url and method.", ""})
	default:
		s.send(w, r)
	}
}

// answer is the body of every answer, in the vendor's capitals.
type answer struct {
	Code      string
	Message   string
	RequestID string `json:"RequestId"`
	BizID     string `json:"BizId,omitempty"`
	HostID    string `json:"HostId,omitempty"`
	Recommend string `json:",omitempty"`
}

func (s *Simulator) requestID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nextID()
}

func (s *Simulator) refuse(w http.ResponseWriter, r *refusal) {
	write(w, r.status, answer{
		Code: r.code, Message: r.message, RequestID: s.requestID(), HostID: Host,
		Recommend: "https://api.aliyun.com/troubleshoot?q=" + r.code,
	})
}

// business answers with a business code, which is HTTP 200 like a success.
func (s *Simulator) business(w http.ResponseWriter, code, message string) {
	write(w, http.StatusOK, answer{Code: code, Message: message, RequestID: s.requestID()})
}

func write(w http.ResponseWriter, status int, a answer) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.Header().Set("x-acs-request-id", a.RequestID)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(a)
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

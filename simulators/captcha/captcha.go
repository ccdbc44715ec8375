// Package captcha simulates Tencent Captcha: the script that shows the challenge in a shop's page, and the call
// DescribeCaptchaResult of the vendor's 2019-07-22 API, with which the shop checks the answer.
package captcha

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
	"marquee/simulators/testclock"
)

// Name is the provider's name in faults and the journal.
const Name = "captcha"

// Host is the vendor's host name.
const Host = "captcha.tencentcloudapi.com"

// ScriptHost is the vendor's host name of the script and the challenge.
const ScriptHost = "turing.captcha.qcloud.com"

// The operations and the specific faults that can be planned for this provider, in addition to the general faults of
// HTTP and TCP.
const (
	opScript = "script" // the script and the page of the challenge
	opSolve  = "solve"  // the answer that a person gives
	opCheck  = "check"  // DescribeCaptchaResult

	doRejectTicket = "refuse-ticket"
	doSystemError  = "system-error"
)

const (
	action  = "DescribeCaptchaResult"
	version = "2019-07-22"
	// ticketLife is how long a ticket can be checked, in business time.
	ticketLife = 5 * time.Minute
	// maxChallenges limits how many challenges, and how many tickets, are kept.
	maxChallenges = 1000
)

// The vendor's results of a check that are simulated.
const (
	codePassed      = 1
	codeNoMatch     = 7
	codeExpired     = 8
	codeReused      = 9
	codeInvalid     = 15
	codeWrongApp    = 16
	codeSystemError = 26
	codeParameter   = 100
)

// messages are the vendor's texts of the results.
var messages = map[int]string{
	codePassed: "OK", codeNoMatch: "captcha no match", codeExpired: "verify timeout", codeReused: "Sequnce repeat",
	codeInvalid: "decrypt fail", codeWrongApp: "appid no match", codeSystemError: "system err",
	codeParameter: "param err",
}

// Config configures the simulator.
type Config struct {
	Clock       *testclock.Clock
	Plan        *faults.Plan
	Journal     *journal.Journal
	Credentials dataset.CaptchaCredentials
}

// Simulator is the provider. It is safe for concurrent use.
type Simulator struct {
	Config
	serial atomic.Int64 // last number for request ids and challenges
	nonces tc3.Nonces

	mu         sync.Mutex
	challenges []challenge // the unanswered ones, oldest first
	tickets    []ticket    // oldest first
}

// challenge is a question that was shown. asked is the word that the person must choose.
type challenge struct{ id, asked string }

// ticket proves a right answer. The vendor calls its parts Ticket and Randstr. It can be checked once.
type ticket struct {
	text, random string
	at           time.Time // business time
	used         bool
}

// New returns a provider without tickets, and declares its faults to the plan.
func New(c Config) *Simulator {
	check := []string{opCheck}
	c.Plan.Declare(faults.NewProvider(Name, []string{opScript, opSolve, opCheck},
		faults.NewDomainFault(doRejectTicket, check, "answers that the ticket is not valid"),
		faults.NewDomainFault(doSystemError, check, "answers CaptchaCode 26: the vendor's own failure"),
	))
	return &Simulator{Config: c}
}

// APIHandler answers the calls of the shop.
func (s *Simulator) APIHandler() http.Handler {
	return &faults.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal, Next: http.HandlerFunc(s.serve),
		BadBody: "RequestSizeLimitExceeded", Authenticate: s.authenticate,
		Rejects: func(r *http.Request) bool { return tc3.CallOf(r).Action == "" },
		Action:  func(r *http.Request, body []byte) string { return tc3.NewCall(r, body).Action },
		Operation: func(r *http.Request, body []byte) string {
			if tc3.NewCall(r, body).Action == action {
				return opCheck
			}
			return ""
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			code = cmp.Or(code, "InternalError")
			message = cmp.Or(message, tc3.Text(code))
			s.write(w, map[string]any{"Error": map[string]string{"Code": code, "Message": message}})
		},
	}
}

func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	if !s.authenticate(w, r, nil) {
		return
	}
	note := journal.From(r.Context())
	call := tc3.CallOf(r)
	rejected := checkCommonParameters(call)
	var q request
	if rejected == nil {
		q, rejected = readRequest(call)
	}
	if rejected != nil {
		s.reject(w, note, rejected)
		return
	}
	code := s.check(q)
	if fault, hit := s.Plan.Apply(note, Name, opCheck, doRejectTicket, doSystemError); hit {
		code = map[string]int{doRejectTicket: codeInvalid, doSystemError: codeSystemError}[fault.Do]
	}
	if code != codePassed {
		note.Reject(fmt.Sprintf("CaptchaCode %d: %s", code, messages[code]))
	}
	s.write(w, map[string]any{"CaptchaCode": code, "CaptchaMsg": messages[code], "EvilLevel": 0, "GetCaptchaTime": 0})
}

// authenticate checks the signature of a call. It answers a rejected call itself, and returns false.
func (s *Simulator) authenticate(w http.ResponseWriter, r *http.Request, _ []byte) bool {
	key := tc3.Key{SecretID: s.Credentials.SecretID, SecretKey: s.Credentials.SecretKey, Service: "captcha",
		Nonces: &s.nonces}
	rejected := tc3.Verify(r, key, time.Now())
	if rejected != nil {
		s.reject(w, journal.From(r.Context()), rejected)
	}
	return rejected == nil
}

func (s *Simulator) reject(w http.ResponseWriter, note *journal.Note, r *journal.Rejection) {
	r.Record(note)
	s.write(w, map[string]any{"Error": map[string]string{"Code": r.Code, "Message": r.Message}})
}

// checkCommonParameters checks the action and the version of a call. DescribeCaptchaResult has no region.
func checkCommonParameters(c tc3.Call) *journal.Rejection {
	switch {
	case c.Action != action:
		return journal.NewRejection("InvalidAction", "The requested action `"+c.Action+"` is invalid or not found.")
	case c.Version != version:
		return journal.NewRejection("NoSuchVersion", "The requested version `"+c.Version+"` does not exist.")
	}
	return nil
}

// request is the body of the call. Its fields have the vendor's names.
type request struct {
	CaptchaType        *uint64
	Ticket             *string
	UserIp             *string // the vendor's spelling
	Randstr            *string
	CaptchaAppId       *uint64
	AppSecretKey       *string
	BusinessId         *uint64
	SceneId            *uint64
	MacAddress         *string
	Imei               *string
	NeedGetCaptchaTime *int64
}

// readRequest decodes the body. It returns an error for unknown parameters, values of another type and missing required
// parameters.
func readRequest(call tc3.Call) (q request, rejected *journal.Rejection) {
	decoder := json.NewDecoder(bytes.NewReader(call.JSON(&q)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		return q, &journal.Rejection{
			Code: "InvalidParameter", Message: "The request body has a parameter that is not known or of another type.",
			Reason: err.Error(),
		}
	}
	for _, p := range []struct {
		name    string
		missing bool
	}{
		{"CaptchaType", q.CaptchaType == nil}, {"Ticket", q.Ticket == nil}, {"UserIp", q.UserIp == nil},
		{"Randstr", q.Randstr == nil}, {"CaptchaAppId", q.CaptchaAppId == nil}, {"AppSecretKey", q.AppSecretKey == nil},
	} {
		if p.missing {
			return q, tc3.MissingParameter(p.name)
		}
	}
	if *q.CaptchaType != 9 {
		return q, &journal.Rejection{Code: "InvalidParameterValue",
			Message: "The value of parameter `CaptchaType` must be 9."}
	}
	return q, nil
}

// check marks a ticket as used and returns the vendor's result code. A ticket that was used before is rejected.
func (s *Simulator) check(q request) int {
	switch {
	case *q.CaptchaAppId != s.Credentials.AppID:
		return codeWrongApp
	case *q.AppSecretKey != s.Credentials.AppSecretKey:
		return codeParameter
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.tickets {
		t := &s.tickets[i]
		if t.text != *q.Ticket {
			continue
		}
		used := t.used
		t.used = true
		switch {
		case used:
			return codeReused
		case t.random != *q.Randstr:
			return codeNoMatch
		case s.Clock.Now().Sub(t.at) > ticketLife:
			return codeExpired
		}
		return codePassed
	}
	return codeInvalid
}

// ask creates a challenge and returns it with the words of which the person must choose one.
func (s *Simulator) ask() (c challenge, words []string) {
	words = []string{"影", "票", "座", "厅"}
	s.mu.Lock()
	defer s.mu.Unlock()
	c = challenge{id: rand.Text(), asked: words[int(s.serial.Add(1))%len(words)]}
	s.challenges = keepLast(append(s.challenges, c))
	return c, words
}

// solve ends a challenge, and returns a ticket if the answer is right. right is false for an unknown challenge, too.
func (s *Simulator) solve(id, answer string) (t ticket, right bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.challenges {
		if c.id != id {
			continue
		}
		s.challenges = append(s.challenges[:i:i], s.challenges[i+1:]...)
		if c.asked != answer {
			return t, false
		}
		t = ticket{text: "t03" + rand.Text() + rand.Text(), random: "@" + rand.Text()[:3], at: s.Clock.Now()}
		s.tickets = keepLast(append(s.tickets, t))
		return t, true
	}
	return t, false
}

// keepLast drops the oldest elements of a list that is too long.
func keepLast[T any](list []T) []T { return list[max(0, len(list)-maxChallenges):] }

// write sends an answer in the vendor's envelope. Every answer of the API is HTTP 200.
func (s *Simulator) write(w http.ResponseWriter, response map[string]any) {
	serial := s.serial.Add(1)
	response["RequestId"] = fmt.Sprintf("%08X-0000-5000-8000-%012X", serial, serial)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"Response": response})
}

// Package fault classifies the failures that the shop reports. A Fault has a Kind, by which the program decides what to
// do next, a stable code for clients, and a message for the buyer.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Kind is the class of a fault. httpapi derives the HTTP status from it, and use cases decide by it whether to repeat a
// call. The store keeps the number with idempotency keys, so a new kind is added at the end.
type Kind int

const (
	Internal        Kind = iota // a defect of the shop, or an error that was not classified
	Invalid                     // the request is malformed or breaks a rule
	Unauthenticated             // the request has no session, or one that has ended
	Forbidden                   // the session does not allow the request
	NotFound                    // the object does not exist, or belongs to another buyer
	Conflict                    // the state of the object does not allow the request
	Limited                     // a rate limit is reached
	Unavailable                 // a provider or the shop itself is not available; the provider did not act
	Unknown                     // a provider may have acted: query it before anything else
)

// Fault is an error with a stable code and a message in the buyer's language.
type Fault struct {
	Kind    Kind
	Code    string // snake_case; part of the API: a code is never renamed and never reused
	Message string // Chinese

	// Explanation is what the code means, in English, for operators of the back office; "" for a code that operators
	// never see.
	Explanation string

	// RetryAfter is how long the caller has to wait until the request can succeed; 0 if unknown.
	RetryAfter time.Duration

	// Until is when a lock ends, in business time; zero if unknown.
	Until time.Time

	// Field is the name of the form field whose value is wrong, if the code alone does not identify it; otherwise "".
	Field string

	// TriesLeft is how many more wrong attempts are allowed before a lock; 0 if unknown.
	TriesLeft int

	// Total is what the request would cost now, in fen; 0 if unknown.
	Total int64
}

// New declares a fault. Packages use it for their sentinel errors.
func New(kind Kind, code, message string) *Fault {
	return &Fault{Kind: kind, Code: code, Message: message}
}

// Error returns the code.
func (f *Fault) Error() string { return f.Code }

// Is reports whether target is a fault with the same code, so that a copy with another message matches its sentinel.
func (f *Fault) Is(target error) bool {
	var t *Fault
	return errors.As(target, &t) && t.Code == f.Code
}

// WithMessage returns a copy of f with another message for the buyer.
func (f *Fault) WithMessage(message string) *Fault {
	c := *f
	c.Message = message
	return &c
}

// WithExplanation returns a copy of f that explains the code to operators of the back office.
func (f *Fault) WithExplanation(english string) *Fault {
	c := *f
	c.Explanation = english
	return &c
}

// WithRetryAfter returns a copy of f with how long the caller has to wait.
func (f *Fault) WithRetryAfter(wait time.Duration) *Fault {
	c := *f
	c.RetryAfter = wait
	return &c
}

// WithLock returns a copy of f with the end of a lock and the time until then.
func (f *Fault) WithLock(until, now time.Time) *Fault {
	c := *f
	c.Until, c.RetryAfter = until, until.Sub(now)
	return &c
}

// InField returns a copy of the first fault in err's chain, with the name of the form field that is wrong. An error
// that is not a fault is returned unchanged.
func InField(err error, field string) error {
	var f *Fault
	if !errors.As(err, &f) {
		return err
	}
	c := *f
	c.Field = field
	return &c
}

// WithTriesLeft returns a copy of f with the number of wrong attempts that are still allowed before a lock.
func (f *Fault) WithTriesLeft(tries int) *Fault {
	c := *f
	c.TriesLeft = tries
	return &c
}

// quoted is the maximum number of bytes of untrusted input that are logged.
const quoted = 64

// Quote quotes untrusted input for a log: at most 64 bytes of it, and its length if it is longer.
func Quote(text string) string {
	if len(text) <= quoted {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(text[:quoted]), len(text))
}

// WithTotal returns a copy of f with what the request would cost now, in fen.
func (f *Fault) WithTotal(fen int64) *Fault {
	c := *f
	c.Total = fen
	return &c
}

// Of returns the first fault in err's chain, and ErrInternal if the chain has none.
func Of(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return ErrInternal
}

// KindOf returns the kind of the first fault in err's chain, and Internal if the chain has none.
func KindOf(err error) Kind { return Of(err).Kind }

// ProviderCode returns the code with which a provider rejected a call, in the provider's protocol, or "" if err is not
// such a rejection. It is for operators.
func ProviderCode(err error) string {
	var rejection interface{ ProviderCode() string }
	if !errors.As(err, &rejection) {
		return ""
	}
	return rejection.ProviderCode()
}

// OutcomeKnown reports whether the result of a provider call shows what the provider did. It is true for a nil error,
// and for an error that proves that the provider did not act. It is false for Unknown, and for Internal, because an
// unclassified error proves nothing. If it is false, query the provider before deciding anything.
func OutcomeKnown(err error) bool {
	if err == nil {
		return true
	}
	kind := KindOf(err)
	return kind != Unknown && kind != Internal
}

// Faults that any part of the shop may report.
var (
	ErrInternal    = New(Internal, "internal", "系统繁忙，请稍后再试")
	ErrUnavailable = New(Unavailable, "provider_unavailable", "服务暂时不可用，请稍后再试")
	ErrUnknown     = New(Unknown, "provider_unknown", "正在确认结果，请稍候")
	// ErrService means that the shop's database failed or a time limit of the shop was exceeded. No provider is the
	// cause: none was called, or its answer could not be saved. The client can repeat the request with the same
	// idempotency key to continue it. Errors of the store's engine match ErrService.
	ErrService   = New(Unavailable, "service_unavailable", "系统繁忙，请稍后再试").WithRetryAfter(2 * time.Second)
	ErrBadAnswer = New(Unavailable, "provider_bad_answer", "服务返回异常，请稍后再试")
	// ErrRejected means that a provider rejected a call with a code that the shop does not distinguish. The message is
	// the one that the specification defines for such cases.
	ErrRejected     = New(Unavailable, "provider_refused", "暂无数据")
	ErrInvalidInput = New(Invalid, "invalid_input", "请求参数有误").WithExplanation(
		"a value is missing or not valid")
)

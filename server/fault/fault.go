// Package fault classifies the failures that the shop reports. A Fault has a Kind for programs that decide what to do
// next, a stable code for clients, and a message for the buyer.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Kind is the class of a fault. httpapi derives the HTTP answer from it, and jobs decide from it whether to retry.
type Kind int

const (
	Internal        Kind = iota // a defect of the shop, or an error that was not classified
	Invalid                     // the request is malformed or breaks a rule
	Unauthenticated             // the request has no session, or one that has ended
	Forbidden                   // the session does not allow the request
	NotFound                    // the object does not exist, or belongs to another buyer
	Conflict                    // the state of the object does not allow the request
	Limited                     // a rate limit is reached
	Unavailable                 // a provider, or the shop itself, did not answer, and the provider did not act
	Unknown                     // a provider may have acted: record the call, then query; it is not a failure yet
)

// Fault is an error with a stable code and a message in the buyer's language.
type Fault struct {
	Kind    Kind
	Code    string // snake_case; part of the API: a code is never renamed and never reused
	Message string // Chinese

	// Explanation tells an operator of the back office, in English, what the code means; "" if operators do not see
	// it.
	Explanation string

	// RetryAfter is how long the caller has to wait until the request can succeed; 0 if the shop does not say.
	RetryAfter time.Duration

	// Until is when a lock ends, in business time; the zero time if the shop does not say.
	Until time.Time

	// Field is the field of the form that is wrong, where the code does not tell it; "" otherwise.
	Field string

	// TriesLeft is how many more wrong tries are allowed before a lock; 0 if the shop does not say.
	TriesLeft int

	// Total is what the request would cost now, in fen; 0 if the shop does not say.
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

// WithRetryAfter returns a copy of f that says how long the caller has to wait.
func (f *Fault) WithRetryAfter(wait time.Duration) *Fault {
	c := *f
	c.RetryAfter = wait
	return &c
}

// WithLock returns a copy of f that says when a lock ends and how long that is from now.
func (f *Fault) WithLock(until, now time.Time) *Fault {
	c := *f
	c.Until, c.RetryAfter = until, until.Sub(now)
	return &c
}

// InField returns err as the fault of a field of the form. An error that is not a fault stays as it is.
func InField(err error, field string) error {
	var f *Fault
	if !errors.As(err, &f) {
		return err
	}
	c := *f
	c.Field = field
	return &c
}

// WithTriesLeft returns a copy of f that says how many more wrong tries are allowed before a lock.
func (f *Fault) WithTriesLeft(tries int) *Fault {
	c := *f
	c.TriesLeft = tries
	return &c
}

// quoted is how many bytes of what a stranger sent may be in a log.
const quoted = 64

// Quote quotes for a log what a stranger sent: at most 64 bytes of it, and its length if that is not all.
func Quote(text string) string {
	if len(text) <= quoted {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(text[:quoted]), len(text))
}

// WithTotal returns a copy of f that says what the request would cost now, in fen.
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

// OutcomeKnown reports whether the end of a provider call tells what the provider did: it is true for a nil error, and
// for an error that proves that the provider did not act. It is false for Unknown, and for Internal, because an
// unclassified error proves nothing. A caller that gets false queries the provider before it decides anything.
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
	// ErrService means that the shop lacks its own database or its time. No provider is at fault: none was called, or
	// its answer could not be saved, and the same call again, with its key, continues. Errors of the store's engine
	// match it.
	ErrService   = New(Unavailable, "service_unavailable", "系统繁忙，请稍后再试").WithRetryAfter(2 * time.Second)
	ErrBadAnswer = New(Unavailable, "provider_bad_answer", "服务返回异常，请稍后再试")
	// ErrRefused is a refusal that the shop has no words of its own for; the message is the specification's fallback.
	ErrRefused      = New(Unavailable, "provider_refused", "暂无数据")
	ErrInvalidInput = New(Invalid, "invalid_input", "请求参数有误").WithExplanation(
		"the amount or the key is not valid")
)

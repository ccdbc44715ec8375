// Package fault classifies every failure the shop can report. A fault carries a Kind (what sort of
// failure), a stable machine code (API: never renamed, never reused) and a sentence for the buyer.
package fault

import "errors"

// Kind says what sort of failure a fault is; httpapi maps it to the envelope, jobs to retry or not.
type Kind int

const (
	Internal        Kind = iota // our bug; the buyer sees one fixed sentence
	Invalid                     // the request is malformed or breaks a rule
	Unauthenticated             // no session, or an old one
	Forbidden                   // a session, but not for this thing
	NotFound                    // no such thing, or another buyer's
	Conflict                    // the state of things does not allow it
	Limited                     // too many tries
	Unavailable                 // a provider did not answer and certainly did nothing
	Unknown                     // a provider may have acted: record, then reconcile; never treat as failure
)

// Fault is an error with a stable code and a message in the buyer's language.
type Fault struct {
	Kind    Kind
	Code    string // snake_case, for programs
	Message string // Chinese, for buyers
}

// New declares a fault; use it for package-level sentinels.
func New(kind Kind, code, message string) *Fault {
	return &Fault{Kind: kind, Code: code, Message: message}
}

func (f *Fault) Error() string { return f.Code }

// Is makes two faults with one code the same error, so that a copy with another message still matches.
func (f *Fault) Is(target error) bool {
	var t *Fault
	return errors.As(target, &t) && t.Code == f.Code
}

// WithMessage returns the same fault with another sentence for the buyer (a provider's own words, say).
func (f *Fault) WithMessage(message string) *Fault {
	return &Fault{Kind: f.Kind, Code: f.Code, Message: message}
}

// Of finds the fault in err's chain; an unclassified error is Internal.
func Of(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return ErrInternal
}

// KindOf is the kind of the fault in err's chain.
func KindOf(err error) Kind { return Of(err).Kind }

// Faults that any part of the shop may report.
var (
	ErrInternal     = New(Internal, "internal", "系统繁忙，请稍后再试")
	ErrUnavailable  = New(Unavailable, "provider_unavailable", "服务暂时不可用，请稍后再试")
	ErrUnknown      = New(Unknown, "provider_unknown", "正在确认结果，请稍候")
	ErrBadAnswer    = New(Unavailable, "provider_bad_answer", "服务返回异常，请稍后再试")
	ErrInvalidInput = New(Invalid, "invalid_input", "请求参数有误")
)

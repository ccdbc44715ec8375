package wechat

import (
	"net/http"
	"slices"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// The operations for which faults can be planned.
const (
	opPrepay        = "prepay" // JSAPI and mini-program
	opPrepayNative  = "prepay-native"
	opPrepayH5      = "prepay-h5"
	opPrepayApp     = "prepay-app"
	opQuery         = "query"
	opClose         = "close"
	opRefund        = "refund"
	opRefundQuery   = "refund-query"
	opCertificates  = "certificates"
	opNotify        = "notify"
	opRefundNotify  = "refund-notify"
	opPay           = "pay"
	opPaySheet      = "pay-sheet"
	opAuthorize     = "authorize"
	opOAuthToken    = "oauth-token"
	opToken         = "token"
	opCodeToSession = "code2session" // a mini-program's login
	opPhoneNumber   = "phone-number" // of a mini-program's button
	opTicket        = "ticket"
	opJSConfig      = "js-config"
	opShare         = "share"
)

var (
	prepayOperations = []string{opPrepay, opPrepayNative, opPrepayH5, opPrepayApp}
	payOperations    = slices.Concat(prepayOperations,
		[]string{opQuery, opClose, opRefund, opRefundQuery, opCertificates})
	notifyOperations = []string{opNotify, opRefundNotify}
	operations       = slices.Concat(payOperations, notifyOperations, billOperations, []string{opBillDownload},
		[]string{opPay, opPaySheet, opAuthorize, opOAuthToken, opToken, opCodeToSession, opPhoneNumber, opTicket,
			opJSConfig, opShare})
)

// The faults of this provider's domain. The domainFaults table describes them.
const (
	doNotifyDrop         = "notify-drop"
	doNotifyDelay        = "notify-delay"
	doNotifyDuplicate    = "notify-duplicate"
	doNotifyReorder      = "notify-reorder"
	doNotifyBadSignature = "notify-bad-signature"
	doNotifyWrongKey     = "notify-wrong-key"
	doNotifyStale        = "notify-stale"
	doNotifyWrongAmount  = "notify-wrong-amount"
	doAnswerBadSignature = "answer-bad-signature"
	doRotate             = "certificate-rotated"
	doCancelAfterPay     = "bridge-cancel-after-pay"
	doBridgeFail         = "bridge-fail"
	doOKUnpaid           = "bridge-ok-unpaid"
	doRefundAbnormal     = "refund-abnormal"
	doRefundClosed       = "refund-closed"
	doRefundSlow         = "refund-slow"
	doReusedNumber       = "reused-number-201"
)

// domainFaults lists what each fault does, and the operations to which it applies.
var domainFaults = append(billFaults, []faults.DomainFault{
	faults.NewDomainFault(doNotifyDrop, notifyOperations, "the attempt is not made; the retries continue"),
	faults.NewDomainFault(doNotifyDelay, notifyOperations, "the first attempt comes delay_s later", "delay_s"),
	faults.NewDomainFault(doNotifyReorder, notifyOperations,
		"sent right after the next notify, or delay_s (60) later when none comes", "delay_s"),
	faults.NewDomainFault(doNotifyDuplicate, notifyOperations, "the attempt is made twice at once"),
	faults.NewDomainFault(doNotifyBadSignature, notifyOperations, "the signature is WECHATPAY/SIGNTEST/…"),
	faults.NewDomainFault(doNotifyWrongKey, notifyOperations, "signed with another key under the platform's serial"),
	faults.NewDomainFault(doNotifyStale, notifyOperations, "signed ten minutes ago"),
	faults.NewDomainFault(doNotifyWrongAmount, notifyOperations, "one fen more, correctly signed"),
	faults.NewDomainFault(doRotate, slices.Concat(payOperations, notifyOperations),
		"signed with a new certificate, like everything after it; certificates lists both"),
	faults.NewDomainFault(doAnswerBadSignature, slices.Concat(payOperations, billOperations),
		"the call acts; the answer's signature is WECHATPAY/SIGNTEST/…"),
	faults.NewDomainFault(doCancelAfterPay, []string{opPay}, "the money moves, the bridge reports cancel"),
	faults.NewDomainFault(doBridgeFail, []string{opPay}, "nothing moves, the bridge reports fail"),
	faults.NewDomainFault(doOKUnpaid, []string{opPay}, "nothing moves, the bridge reports ok"),
	faults.NewDomainFault(doReusedNumber, prepayOperations,
		"another order under a used out_trade_no is 400 INVALID_REQUEST, 201 商户订单号重复, and not 403 OUT_TRADE_NO_USED"),
	faults.NewDomainFault(doRefundSlow, []string{opRefund}, "the refund takes delay_s", "delay_s"),
	faults.NewDomainFault(doRefundClosed, []string{opRefund}, "the refund ends as CLOSED"),
	faults.NewDomainFault(doRefundAbnormal, []string{opRefund}, "the refund ends as ABNORMAL"),
}...)

// faultInjector applies the planned faults of a world and writes calls into its journal, for every part of this
// provider. The zero faultInjector applies no faults.
type faultInjector struct {
	plan    *faults.Plan
	journal *journal.Journal
}

// apply returns the planned fault that hits the call, and notes it for the journal. Only faults of the kinds in words
// are considered.
func (f faultInjector) apply(note *journal.Note, operation string, words ...string) (faults.Fault, bool) {
	if f.plan == nil {
		return faults.Fault{}, false
	}
	return f.plan.Apply(note, Name, operation, words...)
}

// endpoint returns the base of a handler that journals its calls and applies the general faults of HTTP and TCP.
func (f faultInjector) endpoint(next http.Handler) *faults.Endpoint {
	return &faults.Endpoint{Provider: Name, Plan: f.plan, Journal: f.journal, Next: next}
}

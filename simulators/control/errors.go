package control

import (
	"fmt"
	"net/http"
)

// Error is an error of the control API. errors.Is compares only the code.
type Error struct {
	Status int `json:"-"` // HTTP status
	// Code is stable, so that programs can switch on it.
	Code string `json:"code"`
	// Message is for people. If a value is invalid, it contains the valid values.
	Message string `json:"message"`
}

// Error returns code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Is reports whether an error has the same code.
func (e *Error) Is(other error) bool {
	o, ok := other.(*Error)
	return ok && o.Code == e.Code
}

// With returns the error with another message. The message of a declared error is an example for the document.
func (e *Error) With(format string, args ...any) *Error {
	return &Error{e.Status, e.Code, fmt.Sprintf(format, args...)}
}

// invalid declares an error of input.
func invalid(code, example string) *Error { return &Error{http.StatusBadRequest, code, example} }

// Errors of all calls, or of all calls that change something.
var (
	// ErrForeignHost reports a Host header of another machine.
	ErrForeignHost = &Error{http.StatusForbidden, "foreign_host", "elsewhere.example is not a name of the simulators; " +
		"valid: an IP address, localhost, its subdomains, and the names of -sim-addr and -sim-hosts: sim.example"}
	// ErrNotFound reports a path that does not exist.
	ErrNotFound = &Error{http.StatusNotFound, "not_found",
		"unknown path /sim/v1/nothing; valid: /sim/v1/catalogue, /sim/v1/clock"}
	// ErrMethodNotAllowed reports a method that a path does not have.
	ErrMethodNotAllowed = &Error{http.StatusMethodNotAllowed, "method_not_allowed",
		"PUT is not possible at /sim/v1/clock; valid: GET"}
	errCrossOrigin = &Error{http.StatusForbidden, "cross_origin",
		"a page of another origin may not change the simulators"}
	errBadQuery = invalid("bad_query",
		`the query cannot be read: invalid URL escape "%zz"`)
	errUnknownParameter = invalid("unknown_parameter",
		`unknown parameter "limt"; valid: provider, operation, verdict, contains, after, limit, world`)
	errRepeatedParameter = invalid("repeated_parameter", "world occurs 2 times")
	errContentType       = &Error{http.StatusUnsupportedMediaType, "wrong_content_type",
		`the body is JSON: send Content-Type application/json and not "text/xml"`}
	errBodyTimeout  = &Error{http.StatusRequestTimeout, "body_timeout", "the body did not arrive in time"}
	errBodyTooLarge = &Error{http.StatusRequestEntityTooLarge, "body_too_large", "the body is larger than 65536 bytes"}
	errBadJSON      = invalid("bad_json", "the body continues after its JSON object")
	errWrongType    = invalid("wrong_type",
		"seconds must be a whole number; valid fields: seconds, to")
	errUnknownField = invalid("unknown_field",
		"minutes is not a field; valid fields: seconds, to")
	errInternal = &Error{http.StatusInternalServerError, "internal", "the call failed"}
)

// Errors of fields and parameters. Some calls also return them after their own checks.
var (
	errMissingField = invalid("missing_field", "one of seconds and to is required; valid fields: seconds, to")
	// ErrBadTime reports a time that is malformed or out of range.
	ErrBadTime = invalid("bad_time", "now must be from 2020 to 2046")
	// ErrBadWorldID reports an invalid id of a world.
	ErrBadWorldID = invalid("bad_world_id", "id must be 3 to 32 of a-z, 0-9 and -, with a letter first and no - "+
		"last, and none of default, phone, inapp, restore")
	// ErrBadAddress reports a malformed address.
	ErrBadAddress = invalid("bad_address",
		`app_url is "javascript:1" and must be an address like http://127.0.0.1:8080, or empty`)
	errUnknownProvider = invalid("unknown_provider",
		`unknown provider "cinema"; valid: captcha, gateway, newmovie, sms, wechat`)
	errUnknownState = invalid("unknown_state", `state is "gone"; valid: showing, presale, coming`)
	errInvalidFault = invalid("invalid_fault",
		`unknown operation "seat.lok" of gateway; valid: *, city.list, seat.lock`)
	// ErrBadOutcome reports an invalid outcome of a payment.
	ErrBadOutcome  = invalid("bad_outcome", `outcome is "maybe"; valid: pay, cancel, fail`)
	errInvalidStub = invalid("invalid_stub", "path must begin with / or *")
)

// fieldErrors are the errors of fields and parameters, by the codes in the fields' tags.
var fieldErrors = byCode(
	errMissingField, ErrBadTime, ErrBadWorldID, ErrBadAddress, errUnknownProvider, errUnknownState, errInvalidFault,
	errInvalidStub, errWrongType,
	invalid("bad_after", "after must be from 0 to 4611686018427387904"),
	invalid("bad_limit", "limit must be from 1 to 1000"),
	invalid("bad_offset", "offset must be at least 0"),
	invalid("bad_timeout", "timeout must be from 0 to 120"),
	invalid("bad_phone", `phone is "139" and must be a mainland mobile number of 11 digits`),
	invalid("bad_openid", `openid is "o" and must be an openid of 6 to 128 letters, digits, _ and -`),
	ErrBadOutcome,
	invalid("bad_keys", `signs_with is "rsa"; valid: certificates, moving, public-key`),
	invalid("unknown_verdict", `verdict is "great"; valid: ok, refused, fault, sent, failed, not-simulated, stubbed`),
	invalid("unknown_purpose", `for is "pay"; valid: login, phone`),
	invalid("unknown_format", `format is "pdf"; valid: har, jsonl`),
	invalid("unknown_kind", `kind is "meal"; valid: ticket, payment, refund`),
)

func byCode(list ...*Error) map[string]*Error {
	errors := map[string]*Error{}
	for _, e := range list {
		errors[e.Code] = e
	}
	return errors
}

// Errors of specific calls.
var (
	// errWorldUnknown reports a world that does not exist or has expired.
	errWorldUnknown = &Error{http.StatusNotFound, "world_unknown",
		`there is no world "none", or it has ended; GET /sim/v1/worlds lists them`}
	errWorldGone = &Error{http.StatusNotFound, "world_gone", "the world ci-7 ended"}
	// ErrWorldExists reports that another world has the same id or credential.
	ErrWorldExists = &Error{http.StatusConflict, "world_exists", "a world already has the id or a credential of ci-7"}
	// ErrTooManyWorlds reports that the limit of worlds is reached.
	ErrTooManyWorlds = &Error{http.StatusTooManyRequests, "too_many_worlds",
		"there are 200 worlds, which is the limit: delete one, or wait until idle ones expire"}
	// errDefaultWorld reports a call that would delete the default world.
	errDefaultWorld = &Error{http.StatusConflict, "default_world", "the default world cannot be deleted"}
	// ErrBadSnapshot reports a file that is not a snapshot of these simulators.
	ErrBadSnapshot = invalid("bad_snapshot",
		"the snapshot is cut short: it ends after 812 bytes")
	// ErrSnapshotVersion reports a snapshot in an unsupported version of the format.
	ErrSnapshotVersion = invalid("snapshot_version",
		"the snapshot is of version 7; these simulators read version 1")

	errConflictingFields = invalid("conflicting_fields",
		"only one of seconds and to is allowed; valid fields: seconds, to")
	errClockBackwards = invalid("clock_backwards",
		"the clock, which shows 2030-06-01T09:00:00+08:00, only moves forward; POST /sim/v1/clock/reset undoes "+
			"its advances")
	errTooFar        = invalid("too_far", "the clock moves by at most 34560000 seconds per call")
	errFaultNotFound = &Error{http.StatusNotFound, "fault_not_found", "no fault has the id 7"}
	errStubUnknown   = &Error{http.StatusNotFound, "stub_unknown", "no stub has the id 7"}

	errUnknownOperation = invalid("unknown_operation",
		`unknown operation "lock"; valid: order.confirm, order.create, seat.lock`)
	errTooManyWaiting = &Error{http.StatusTooManyRequests, "too_many_waiting",
		"there are 2000 long polls and event streams already"}
	errUnknownTopic = invalid("unknown_topic",
		`unknown topic "weather"; valid: clock, faults, journal, message, order, seats`)

	errInvalidTarget = invalid("invalid_target",
		"http://127.0.0.1:8090/copies is already a target")
	errTargetUnknown = &Error{http.StatusNotFound, "target_unknown", "no target has the id 7"}
	errEntryUnknown  = &Error{http.StatusNotFound, "entry_unknown", "the journal does not have an entry with this id"}
	errNotAWebhook   = &Error{http.StatusConflict, "not_a_webhook",
		"the entry is a call of the shop; only webhooks are sent again"}
	// errWebhookUnknown reports a webhook that was never sent.
	errWebhookUnknown = &Error{http.StatusNotFound, "webhook_unknown",
		"there is no notify about T0001: it is unknown, or has no outcome yet"}

	errMissingParameter = invalid("missing_parameter",
		"city is required: a code of GET /sim/v1/cities, such as 310100")
	errUnknownCity = invalid("unknown_city",
		`there is no city "1"; GET /sim/v1/cities lists them`)
	errUnknownCinema = invalid("unknown_cinema",
		`there is no cinema "1"; GET /sim/v1/cinemas?city= lists them`)
	errUnknownFilm = invalid("unknown_film",
		`there is no film "1"; GET /sim/v1/films lists them`)
	errBadDay         = invalid("bad_day", "day must be from 2030-06-01 to 2030-06-07")
	errShowingUnknown = &Error{http.StatusNotFound, "showing_unknown",
		"there is no showing 1; GET /sim/v1/showings lists them"}
	errSeatUnknown = invalid("seat_unknown",
		"a seat of 9999 is not in the hall; GET /sim/v1/showings/172132516100/seats lists them")
	errSeatTaken   = &Error{http.StatusConflict, "seat_taken", "a seat is already taken; nothing was sold"}
	errSeatOfOrder = &Error{http.StatusConflict, "seat_of_order", "an order has a seat: its buyer can release it, " +
		"or a planned fault (lock-lost, issue-refused) can take it; nothing was freed"}
)

// Errors of ending a payment. The phone shows their messages.
var (
	ErrPrepayUnknown   = &Error{http.StatusNotFound, "prepay_unknown", "no such prepay_id"}
	ErrTradeClosed     = &Error{http.StatusConflict, "trade_closed", "订单已关闭"}
	ErrAlreadyPaid     = &Error{http.StatusConflict, "already_paid", "该订单已支付"}
	ErrPrepayExpired   = &Error{http.StatusConflict, "prepay_expired", "支付已过期，请重新下单"}
	ErrTimeExpired     = &Error{http.StatusConflict, "time_expired", "订单已超过支付时间"}
	ErrBalanceTooSmall = &Error{http.StatusConflict, "balance_insufficient", "零钱余额不足"}
)

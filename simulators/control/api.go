package control

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxBody     = 64 << 10
	maxSnapshot = 32 << 20
)

// Operations returns every call of the API, grouped by subject. The first call creates the list.
var Operations = sync.OnceValue(func() []Operation {
	newWorldErrors := []*Error{ErrBadWorldID, ErrWorldExists, ErrTooManyWorlds}
	snapshotErrors := []*Error{ErrBadSnapshot, ErrSnapshotVersion, ErrBadAddress}
	filterErrors := []*Error{errUnknownProvider, errUnknownOperation}
	return []Operation{
		about(getOpenAPI).at("document", "GET /sim/v1/openapi.json"),
		about(getCertificate).as("application/x-pem-file").at("document", "GET /sim/v1/ca.pem"),

		about(listWorlds).at("worlds", "GET /sim/v1/worlds"),
		about(createWorld, newWorldErrors...).creates().at("worlds", "POST /sim/v1/worlds"),
		about(describeWorld, errWorldUnknown).at("worlds", "GET /sim/v1/worlds/{id}"),
		about(changeWorld, errWorldUnknown).at("worlds", "PATCH /sim/v1/worlds/{id}"),
		about(deleteWorld, errWorldUnknown, errDefaultWorld).at("worlds", "DELETE /sim/v1/worlds/{id}"),
		about(takeSnapshot, errWorldUnknown).at("worlds", "GET /sim/v1/worlds/{id}/snapshot"),
		about(restoreWorld, slices.Concat(newWorldErrors, snapshotErrors)...).creates().
			at("worlds", "POST /sim/v1/worlds/restore"),
		about(restoreInto, append(snapshotErrors, errWorldUnknown)...).at("worlds", "POST /sim/v1/worlds/{id}/restore"),
		about(forkWorld, append(newWorldErrors, errWorldUnknown)...).creates().
			at("worlds", "POST /sim/v1/worlds/{id}/fork"),
		about(resetWorld, errWorldUnknown).at("worlds", "POST /sim/v1/worlds/{id}/reset"),

		inWorld(getHealth).at("health", "GET /sim/v1/health"),
		inWorld(getCatalogue).at("catalogue", "GET /sim/v1/catalogue"),

		inWorld(getClock).at("clock", "GET /sim/v1/clock"),
		inWorld(advanceClock, errClockBackwards, errTooFar, errMissingField, errConflictingFields).
			at("clock", "POST /sim/v1/clock/advance"),
		inWorld(freezeClock).at("clock", "POST /sim/v1/clock/freeze"),
		inWorld(resumeClock).at("clock", "POST /sim/v1/clock/resume"),
		inWorld(resetClock).at("clock", "POST /sim/v1/clock/reset"),

		inWorld(listFaults).at("faults", "GET /sim/v1/faults"),
		inWorld(planFault, errInvalidFault).creates().at("faults", "POST /sim/v1/faults"),
		inWorld(removeFaults, errFaultNotFound).at("faults", "DELETE /sim/v1/faults"),
		inWorld(removeFault, errFaultNotFound).at("faults", "DELETE /sim/v1/faults/{id}"),

		inWorld(listStubs).at("stubs", "GET /sim/v1/stubs"),
		inWorld(addStub, errInvalidStub).creates().at("stubs", "POST /sim/v1/stubs"),
		inWorld(removeStubs).at("stubs", "DELETE /sim/v1/stubs"),
		inWorld(removeStub, errStubUnknown).at("stubs", "DELETE /sim/v1/stubs/{id}"),

		inWorld(resendWebhook, errMissingField, errUnknownOperation, errEntryUnknown, errNotAWebhook,
			errWebhookUnknown).at("webhooks", "POST /sim/v1/webhooks/resend"),
		inWorld(listTargets).at("webhooks", "GET /sim/v1/webhooks/targets"),
		inWorld(addTarget, errUnknownOperation, errInvalidTarget).creates().
			at("webhooks", "POST /sim/v1/webhooks/targets"),
		inWorld(removeTargets).at("webhooks", "DELETE /sim/v1/webhooks/targets"),
		inWorld(removeTarget, errTargetUnknown).at("webhooks", "DELETE /sim/v1/webhooks/targets/{id}"),

		inWorld(listJournal, filterErrors...).at("journal", "GET /sim/v1/journal"),
		inWorld(countJournal, filterErrors...).at("journal", "GET /sim/v1/journal/count"),
		waits(waitJournal, filterErrors...).at("journal", "GET /sim/v1/journal/wait"),
		inWorld(exportJournal, filterErrors...).as("application/json", "application/jsonl").
			at("journal", "GET /sim/v1/journal/export"),
		inWorld(clearJournal).at("journal", "DELETE /sim/v1/journal"),

		inWorld(listMessages).at("sms", "GET /sim/v1/sms/messages"),
		waits(nextMessage).at("sms", "GET /sim/v1/sms/messages/next"),
		inWorld(forgetMessages).at("sms", "DELETE /sim/v1/sms/messages"),

		inWorld(endPayment, ErrPrepayUnknown, ErrTradeClosed, ErrAlreadyPaid, ErrPrepayExpired, ErrTimeExpired,
			ErrBalanceTooSmall).at("payment", "POST /sim/v1/wechat/pay"),
		inWorld(createMiniProgramCode).at("payment", "POST /sim/v1/wechat/codes"),
		inWorld(getMerchant).at("payment", "GET /sim/v1/wechat/merchant"),
		inWorld(changeMerchant).at("payment", "PATCH /sim/v1/wechat/merchant"),

		events(watchEvents, errUnknownTopic, errTooManyWaiting).at("events", "GET /sim/v1/events"),

		inWorld(listCities).at("showings", "GET /sim/v1/cities"),
		inWorld(listCinemas, errMissingParameter, errUnknownCity).at("showings", "GET /sim/v1/cinemas"),
		inWorld(listFilms).at("showings", "GET /sim/v1/films"),
		inWorld(listShowings, errMissingParameter, errUnknownCity, errUnknownCinema, errUnknownFilm, errBadDay).
			at("showings", "GET /sim/v1/showings"),
		inWorld(listSeats, errShowingUnknown).at("showings", "GET /sim/v1/showings/{id}/seats"),
		inWorld(sellSeats, errShowingUnknown, errSeatUnknown, errSeatTaken).
			at("showings", "POST /sim/v1/showings/{id}/seats/sell"),
		inWorld(freeSeats, errShowingUnknown, errSeatUnknown, errSeatOfOrder).
			at("showings", "POST /sim/v1/showings/{id}/seats/free"),
		inWorld(listOrders, errUnknownState).at("orders", "GET /sim/v1/orders"),
	}
})

// Routes lists every call of the API, such as "GET /sim/v1/clock", in order.
func Routes() (routes []string) {
	for _, o := range Operations() {
		routes = append(routes, o.Method+" "+o.Path)
	}
	slices.Sort(routes)
	return routes
}

// server holds what all handlers of the API share.
type server struct {
	worlds     Worlds
	slots      chan struct{} // one for each long poll or event stream
	undeclared func(route, code string)
}

// Handler serves the API under /sim/v1, and the console at /. Without a console, / is a page that lists the calls. A
// browser's changes are accepted only from a page of the same origin, so that other web pages cannot change a simulator
// on a developer's machine. undeclared is called when an operation answers an error that it does not declare; it may be
// nil.
func Handler(worlds Worlds, console fs.FS, undeclared func(route, code string)) http.Handler {
	mux := http.NewServeMux()
	s := &server{worlds, make(chan struct{}, maxWaiting), undeclared}
	for _, o := range Operations() {
		mux.Handle(o.Method+" "+o.Path, o.handler(s))
	}
	mux.HandleFunc("/sim/v1/", unknownRoute)
	mux.HandleFunc("/sim/v1", unknownRoute)
	mux.Handle("/", pages(console))
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		WriteError(w, errCrossOrigin)
	}))
	return protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sim/v1/") && path.Clean(r.URL.Path) != strings.TrimSuffix(r.URL.Path, "/") {
			unknownRoute(w, r) // the mux would redirect to another path
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// maxWaiting limits how many long polls and event streams are open at once.
const maxWaiting = 2000

// reserve acquires a slot, which the caller releases. The error is too_many_waiting.
func (s *server) reserve() (release func(), err error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	default:
		return nil, errTooManyWaiting.With("there are %d long polls and event streams already", maxWaiting)
	}
}

// wait runs a function with a context that ends at a time-out, when the client disconnects or when the world is
// deleted. The error is too_many_waiting, without running the function, or world_gone after the world was deleted.
func (s *server) wait(ctx context.Context, w World, timeout time.Duration, run func(context.Context)) error {
	release, err := s.reserve()
	if err != nil {
		return err
	}
	defer release()
	defer w.Use()()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	go func() {
		select {
		case <-w.Ended():
			cancel()
		case <-ctx.Done():
		}
	}()
	run(ctx)
	select {
	case <-w.Ended():
		return worldGone(w.ID())
	default:
		return nil
	}
}

func worldGone(id string) *Error { return errWorldGone.With("the world %s ended", id) }

// contentType rejects a body whose declared type is not JSON in UTF-8. The form type is accepted too, because curl -d
// declares it, so that a developer need not type a header.
func contentType(r *http.Request) error {
	text := r.Header.Get("Content-Type")
	if r.ContentLength == 0 || text == "" {
		text = "application/json"
	}
	kind, parameters, err := mime.ParseMediaType(text)
	charset, encoding := strings.ToLower(parameters["charset"]), r.Header.Get("Content-Encoding")
	switch {
	case err != nil || kind != "application/json" && kind != "application/x-www-form-urlencoded":
		return errContentType.With("the body is JSON: send Content-Type application/json and not %q", text)
	case charset != "" && charset != "utf-8":
		return errContentType.With("the body is JSON in UTF-8 and not in %s", charset)
	case encoding != "" && encoding != "identity":
		return errContentType.With("a compressed body is not decoded: send it without Content-Encoding %s", encoding)
	}
	return nil
}

func bodyOf(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return nil, tooLarge(tooBig.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errBodyTimeout
	case err != nil:
		return nil, errBadJSON.With("the body ends too early: %s", err)
	}
	return text, nil
}

func tooLarge(limit int64) *Error {
	return errBodyTooLarge.With("the body is larger than %d bytes", limit)
}

// unknownRoute answers a path or a method that does not exist.
func unknownRoute(w http.ResponseWriter, r *http.Request) {
	var methods, paths []string
	clean := path.Clean(r.URL.Path) == strings.TrimSuffix(r.URL.Path, "/")
	for _, route := range Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		paths = append(paths, pattern)
		if clean && fits(pattern, r.URL.Path) {
			methods = append(methods, method)
		}
	}
	if valid := strings.Join(methods, ", "); valid != "" {
		w.Header().Set("Allow", valid)
		WriteError(w, ErrMethodNotAllowed.With("%s is not possible at %s; valid: %s", r.Method, r.URL.Path, valid))
		return
	}
	slices.Sort(paths)
	valid := strings.Join(slices.Compact(paths), ", ")
	WriteError(w, ErrNotFound.With("unknown path %s; valid: %s", r.URL.Path, valid))
}

// fits reports whether a path matches a pattern such as /sim/v1/worlds/{id}.
func fits(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && (!strings.HasPrefix(want[i], "{") || got[i] == "") {
			return false
		}
	}
	return true
}

package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	maxBody     = 64 << 10
	maxSnapshot = 32 << 20
)

// call is one call of the API. Exactly one of about, in and stream is set. The value becomes the JSON answer with the
// 2xx status that the document names for the call.
type call struct {
	about func(*request) (any, error)                       // about the worlds as such
	in    func(*World, *request) (any, error)               // in the world that ?world= names
	watch func(*World, *request, http.ResponseWriter) error // the same, and answers by itself; an error comes before
	file  bool                                              // the body is a snapshot and not checked here
	probe bool                                              // answered without the document if there is no query
}

// calls lists the API by "METHOD path". Each call stands in openapi.json too, to which tests hold it.
func calls(worlds Worlds) map[string]call {
	w, p := tenants{worlds}, polls{make(chan struct{}, maxWaiting)}
	return map[string]call{
		"GET /sim/v1/openapi.json": {about: func(*request) (any, error) { return json.RawMessage(openapiJSON), nil }},

		"GET /sim/v1/ca.pem": {about: func(*request) (any, error) {
			certificate, err := worlds.CertificatePEM()
			return file{"application/x-pem-file", "marquee-simulators-ca.pem", certificate}, err
		}},

		"GET /sim/v1/worlds":               {about: w.list},
		"POST /sim/v1/worlds":              {about: w.create},
		"GET /sim/v1/worlds/{id}":          {about: w.describe},
		"PATCH /sim/v1/worlds/{id}":        {about: w.change},
		"DELETE /sim/v1/worlds/{id}":       {about: w.delete},
		"GET /sim/v1/worlds/{id}/snapshot": {about: w.snapshot},
		"POST /sim/v1/worlds/{id}/restore": {about: w.restoreInto, file: true},
		"POST /sim/v1/worlds/{id}/fork":    {about: w.fork},
		"POST /sim/v1/worlds/{id}/reset":   {about: w.reset},
		"POST /sim/v1/worlds/restore":      {about: w.restore, file: true},

		"GET /sim/v1/health": {in: health, probe: true},
		"GET /sim/v1/catalogue": {in: func(w *World, _ *request) (any, error) {
			return w.Catalogue(), nil
		}},
		"GET /sim/v1/clock":                    {in: showClock},
		"POST /sim/v1/clock/advance":           {in: advanceClock},
		"POST /sim/v1/clock/freeze":            {in: freezeClock},
		"POST /sim/v1/clock/resume":            {in: resumeClock},
		"POST /sim/v1/clock/reset":             {in: resetClock},
		"GET /sim/v1/faults":                   {in: listFaults},
		"POST /sim/v1/faults":                  {in: planFault},
		"DELETE /sim/v1/faults":                {in: removeFaults},
		"DELETE /sim/v1/faults/{id}":           {in: removeFaults},
		"GET /sim/v1/journal":                  {in: listJournal},
		"GET /sim/v1/journal/count":            {in: countJournal},
		"GET /sim/v1/journal/wait":             {in: p.waitJournal},
		"GET /sim/v1/journal/export":           {in: exportJournal},
		"DELETE /sim/v1/journal":               {in: clearJournal},
		"GET /sim/v1/sms/messages":             {in: listMessages},
		"GET /sim/v1/sms/messages/next":        {in: p.nextMessage},
		"DELETE /sim/v1/sms/messages":          {in: forgetMessages},
		"POST /sim/v1/wechat/pay":              {in: pay},
		"POST /sim/v1/wechat/codes":            {in: miniProgramCode},
		"GET /sim/v1/wechat/merchant":          {in: showMerchant},
		"PATCH /sim/v1/wechat/merchant":        {in: changeMerchant},
		"GET /sim/v1/stubs":                    {in: listStubs},
		"POST /sim/v1/stubs":                   {in: addStub},
		"DELETE /sim/v1/stubs":                 {in: removeStubs},
		"DELETE /sim/v1/stubs/{id}":            {in: removeStubs},
		"POST /sim/v1/webhooks/resend":         {in: resendWebhook},
		"GET /sim/v1/webhooks/targets":         {in: listTargets},
		"POST /sim/v1/webhooks/targets":        {in: addTarget},
		"DELETE /sim/v1/webhooks/targets":      {in: removeTargets},
		"DELETE /sim/v1/webhooks/targets/{id}": {in: removeTargets},
		"GET /sim/v1/events": {watch: func(w *World, r *request, rw http.ResponseWriter) error {
			return p.events(worlds, w, r, rw)
		}},

		"GET /sim/v1/cities":                    {in: listCities},
		"GET /sim/v1/cinemas":                   {in: listCinemas},
		"GET /sim/v1/films":                     {in: listFilms},
		"GET /sim/v1/showings":                  {in: listShowings},
		"GET /sim/v1/showings/{id}/seats":       {in: listSeats},
		"POST /sim/v1/showings/{id}/seats/sell": {in: sellSeats},
		"POST /sim/v1/showings/{id}/seats/free": {in: freeSeats},
		"GET /sim/v1/orders":                    {in: listOrders},
	}
}

// Routes lists every call of the API, "GET /sim/v1/clock" and so on, in order.
func Routes() []string { return slices.Sorted(maps.Keys(calls(nil))) }

// Handler serves the API under /sim/v1, and the console at /. Without a console / is a page that names the calls.
// A browser may change things only from a page of the same origin, so that no other web page can move the clock of a
// developer's machine.
func Handler(worlds Worlds, console fs.FS) http.Handler {
	mux := http.NewServeMux()
	for route, c := range calls(worlds) {
		mux.Handle(route, c.handler(route, worlds))
	}
	mux.HandleFunc("/sim/v1/", unknownRoute)
	mux.HandleFunc("/sim/v1", unknownRoute)
	mux.Handle("/", pages(console))
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, &Error{http.StatusForbidden, "cross_origin",
			"a page of another origin may not change the simulators"})
	}))
	return protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sim/v1/") && path.Clean(r.URL.Path) != strings.TrimSuffix(r.URL.Path, "/") {
			unknownRoute(w, r) // the mux would redirect to another path
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// request is a call whose parameters and body fit the document.
type request struct {
	*http.Request
	parameters map[string]any // an int64 or a string, by name
	body       []byte
}

// text is a parameter of the query, "" if it is missing.
func (r *request) text(name string) string {
	text, _ := r.parameters[name].(string)
	return text
}

// number is an integer parameter of the query, or its default.
func (r *request) number(name string) int64 {
	n, _ := r.parameters[name].(int64)
	return n
}

// decode reads the body into a struct. A missing body leaves the struct as it is.
func (r *request) decode(into any) error {
	if len(r.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.body, into); err != nil { // such as a number too large for its type
		return bad("wrong_type", "the body cannot be read: %s", DecodeProblem(err))
	}
	return nil
}

// handler serves a call: it checks the query, finds the world, checks the body, and writes the answer.
func (c call) handler(route string, worlds Worlds) http.Handler {
	limit := int64(maxBody)
	if c.file {
		limit = maxSnapshot
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, hr *http.Request) {
		if hr.ContentLength > limit {
			writeError(rw, tooLarge(limit))
			return
		}
		hr.Body = http.MaxBytesReader(rw, hr.Body, limit)
		// A start script polls the probe: it must not wait until the document is parsed.
		if c.probe && hr.URL.RawQuery == "" && hr.ContentLength == 0 {
			c.answerProbe(worlds, rw, hr)
			return
		}
		operation := operationOf(route)
		answer, err := c.serve(worlds, rw, hr, operation)
		switch {
		case err != nil:
			writeError(rw, err)
		case c.watch == nil:
			writeJSON(rw, successOf(operation), answer)
		}
	})
}

// answerProbe serves a call that has neither a query nor a body, and so nothing to check.
func (c call) answerProbe(worlds Worlds, rw http.ResponseWriter, hr *http.Request) {
	world, err := worlds.World("")
	if err != nil {
		writeError(rw, err)
		return
	}
	answer, err := c.in(world, &request{Request: hr})
	if err != nil {
		writeError(rw, err)
		return
	}
	writeJSON(rw, http.StatusOK, answer)
}

// serve checks a request in the order of the errors that clients rely on, and runs the call.
func (c call) serve(
	worlds Worlds, rw http.ResponseWriter, hr *http.Request, operation *openapi3.Operation,
) (answer any, err error) {
	r := &request{Request: hr}
	if r.parameters, err = parameters(operation, hr.URL.RawQuery); err != nil {
		return nil, err
	}
	if err := contentType(hr); err != nil {
		return nil, err
	}
	var world *World
	if c.about == nil {
		if world, err = worlds.World(r.text("world")); err != nil {
			return nil, err
		}
	}
	if hr.Method != http.MethodGet && hr.Method != http.MethodHead {
		if r.body, err = readBody(hr.Body); err == nil && !c.file {
			err = checkBody(operation, r.body)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case c.about != nil:
		return c.about(r)
	case c.in != nil:
		return c.in(world, r)
	default:
		return nil, c.watch(world, r, rw)
	}
}

func readBody(body io.Reader) ([]byte, error) {
	text, err := io.ReadAll(body)
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return nil, tooLarge(tooBig.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &Error{http.StatusRequestTimeout, "body_timeout", "the body did not come in time"}
	case err != nil:
		return nil, bad("bad_json", "the body ends too early: %s", err)
	}
	return text, nil
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
		writeError(w, &Error{
			http.StatusMethodNotAllowed, "method_not_allowed",
			r.Method + " is not possible at " + r.URL.Path + "; valid: " + valid,
		})
		return
	}
	slices.Sort(paths)
	valid := strings.Join(slices.Compact(paths), ", ")
	writeError(w, &Error{http.StatusNotFound, "not_found", "unknown path " + r.URL.Path + "; valid: " + valid})
}

// fits reports whether a path is one of a pattern such as /sim/v1/worlds/{id}.
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

func writeJSON(w http.ResponseWriter, status int, answer any) {
	if f, ok := answer.(file); ok {
		w.Header().Set("Content-Type", f.contentType)
		w.Header().Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(f.body) // fails only if the client is gone
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // fails only if the client is gone
}

// writeError answers an *Error with its status, and any other error with 500 internal.
func writeError(w http.ResponseWriter, err error) {
	var refused *Error
	if !errors.As(err, &refused) {
		refused = &Error{http.StatusInternalServerError, "internal", err.Error()}
	}
	writeJSON(w, refused.Status, map[string]*Error{"error": refused})
}

func bad(code, format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) *Error {
	return &Error{
		http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("the body is larger than %d bytes", limit),
	}
}

// page is the part of a list that the parameters limit and offset ask for.
func page[T any](list []T, r *request) []T {
	from := min(int(r.number("offset")), len(list))
	return list[from:min(from+int(r.number("limit")), len(list))]
}

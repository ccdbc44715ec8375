package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/world"
)

// Config is what the control API controls.
type Config struct {
	Seed      uint64
	Clock     *world.Clock
	Plan      *script.Plan
	Journal   *journal.Journal
	Inbox     Inbox
	Payer     Payer
	Catalogue func() Catalogue
}

const (
	maxBody    = 64 << 10
	maxAdvance = 400 * 24 * time.Hour
	maxEntries = 1000
)

// Handler serves /sim/v1 and the console at /. A browser may change things only from a page of the same origin, so
// that no other web page can move the clock of a developer's machine.
func Handler(c Config) http.Handler {
	api := &api{Config: c}
	mux := http.NewServeMux()
	for pattern, f := range map[string]func(*http.Request) (int, any, error){
		"GET /sim/v1/health":         api.health,
		"GET /sim/v1/clock":          api.clock,
		"POST /sim/v1/clock/advance": api.advance,
		"POST /sim/v1/clock/reset":   api.reset,
		"GET /sim/v1/faults":         api.listFaults,
		"POST /sim/v1/faults":        api.addFault,
		"DELETE /sim/v1/faults":      api.removeFaults,
		"DELETE /sim/v1/faults/{id}": api.removeFaults,
		"GET /sim/v1/journal":        api.listJournal,
		"DELETE /sim/v1/journal":     api.clearJournal,
		"GET /sim/v1/sms/messages":   api.listMessages,
		"POST /sim/v1/wechat/pay":    api.pay,
		"GET /sim/v1/catalogue":      api.catalogue,
	} {
		mux.Handle(pattern, endpoint(f))
		_, path, _ := strings.Cut(pattern, " ")
		api.paths = append(api.paths, path)
	}
	mux.HandleFunc("/sim/v1/", api.unknown)
	mux.HandleFunc("/sim/v1", api.unknown)
	mux.Handle("/", console())
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, &Error{http.StatusForbidden, "cross_origin", "a page of another origin may not change the simulators"})
	}))
	return protection.Handler(mux)
}

type api struct {
	Config
	paths []string
}

// endpoint turns a function into a handler: its value is the JSON answer, its error the JSON error.
func endpoint(f func(*http.Request) (int, any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, answer, err := f(r)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, status, answer)
	})
}

func writeJSON(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // the client is gone: nobody to tell
}

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

// decode reads a JSON body strictly; fields names the valid ones for the error.
func decode(r *http.Request, into any, fields string) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	var (
		tooBig  *http.MaxBytesError
		typeErr *json.UnmarshalTypeError
	)
	switch {
	case err == nil:
	case errors.As(err, &tooBig):
		return &Error{http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("the body is larger than %d bytes", tooBig.Limit)}
	case errors.As(err, &typeErr):
		return bad("wrong_type", "%s must be of type %s; valid fields: %s", typeErr.Field, typeErr.Type, fields)
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return bad("unknown_field", "%s; valid fields: %s", strings.TrimPrefix(err.Error(), "json: "), fields)
	default:
		return bad("bad_json", "the body is not one JSON object: %s", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return bad("bad_json", "the body goes on after its JSON object")
	}
	return nil
}

// parameters refuses query parameters that the call does not know.
func parameters(r *http.Request, valid ...string) error {
	for name := range r.URL.Query() {
		if !slices.Contains(valid, name) {
			return bad("unknown_parameter", "unknown parameter %q; valid: %s", name, strings.Join(valid, ", "))
		}
	}
	return nil
}

// unknown answers a path or a method that does not exist.
func (a *api) unknown(w http.ResponseWriter, r *http.Request) {
	if slices.Contains(a.paths, r.URL.Path) {
		writeError(w, &Error{http.StatusMethodNotAllowed, "method_not_allowed", r.Method + " is not possible at " + r.URL.Path})
		return
	}
	paths := slices.Compact(slices.Sorted(slices.Values(a.paths)))
	writeError(w, &Error{http.StatusNotFound, "not_found", "unknown path " + r.URL.Path + "; valid: " + strings.Join(paths, ", ")})
}

func (a *api) health(*http.Request) (int, any, error) {
	var names []string
	for _, p := range a.Plan.Providers() {
		names = append(names, p.Name)
	}
	return http.StatusOK, map[string]any{"status": "ok", "seed": a.Seed, "now": a.Clock.Now(), "providers": names}, nil
}

type clockState struct {
	Now     time.Time `json:"now"`  // business time
	Unix    int64     `json:"unix"` // business time in seconds
	Real    time.Time `json:"real"` // wire time
	Seconds float64   `json:"offset_seconds"`
}

func (a *api) clock(*http.Request) (int, any, error) {
	now := a.Clock.Now().In(world.Zone)
	offset := a.Clock.Offset()
	return http.StatusOK, clockState{now, now.Unix(), now.Add(-offset), offset.Seconds()}, nil
}

func (a *api) advance(r *http.Request) (int, any, error) {
	var q struct {
		Seconds *int64 `json:"seconds"`
	}
	if err := decode(r, &q, "seconds"); err != nil {
		return 0, nil, err
	}
	switch {
	case q.Seconds == nil:
		return 0, nil, bad("missing_field", "seconds is required")
	case *q.Seconds <= 0:
		return 0, nil, bad("clock_backwards", "seconds must be positive: the clock only moves forward; POST /sim/v1/clock/reset returns to real time")
	case *q.Seconds > int64(maxAdvance.Seconds()):
		return 0, nil, bad("too_far", "seconds must be at most %d", int64(maxAdvance.Seconds()))
	}
	a.Clock.Advance(time.Duration(*q.Seconds) * time.Second)
	return a.clock(r)
}

func (a *api) reset(r *http.Request) (int, any, error) {
	a.Clock.Reset()
	return a.clock(r)
}

func (a *api) listFaults(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"faults": a.Plan.Faults(), "providers": a.Plan.Providers()}, nil
}

const faultFields = "provider, operation, do, skip, times, probability, seed, latency_ms, status, body, code, message, delay_s"

func (a *api) addFault(r *http.Request) (int, any, error) {
	var f script.Fault
	if err := decode(r, &f, faultFields); err != nil {
		return 0, nil, err
	}
	if f.ID != "" {
		return 0, nil, bad("unknown_field", "id is given by the simulators; valid fields: %s", faultFields)
	}
	planned, err := a.Plan.Add(f)
	if err != nil {
		return 0, nil, bad("invalid_fault", "%s", err)
	}
	return http.StatusCreated, planned, nil
}

func (a *api) removeFaults(r *http.Request) (int, any, error) {
	id := r.PathValue("id")
	if err := parameters(r, "id"); err != nil {
		return 0, nil, err
	}
	if query := r.URL.Query().Get("id"); id == "" {
		id = query
	}
	if id == "" {
		removed := len(a.Plan.Faults())
		a.Plan.Clear()
		return http.StatusOK, map[string]int{"removed": removed}, nil
	}
	if !a.Plan.Remove(id) {
		return 0, nil, &Error{http.StatusNotFound, "fault_not_found", "no fault has the id " + id}
	}
	return http.StatusOK, map[string]int{"removed": 1}, nil
}

func (a *api) listJournal(r *http.Request) (int, any, error) {
	if err := parameters(r, "provider", "operation", "verdict", "limit"); err != nil {
		return 0, nil, err
	}
	q := r.URL.Query()
	f := journal.Filter{Provider: q.Get("provider"), Operation: q.Get("operation"), Verdict: journal.Verdict(q.Get("verdict")), Limit: 100}
	if f.Provider != "" && !slices.ContainsFunc(a.Plan.Providers(), func(p script.Provider) bool { return p.Name == f.Provider }) {
		return 0, nil, bad("unknown_provider", "unknown provider %q", f.Provider)
	}
	if f.Verdict != "" && !slices.Contains(journal.Verdicts(), f.Verdict) {
		return 0, nil, bad("unknown_verdict", "unknown verdict %q; valid: %v", f.Verdict, journal.Verdicts())
	}
	if text := q.Get("limit"); text != "" {
		limit, err := strconv.Atoi(text)
		if err != nil || limit < 1 || limit > maxEntries {
			return 0, nil, bad("bad_limit", "limit must be a number from 1 to %d", maxEntries)
		}
		f.Limit = limit
	}
	return http.StatusOK, map[string]any{"entries": a.Journal.Entries(f)}, nil
}

func (a *api) clearJournal(*http.Request) (int, any, error) {
	a.Journal.Clear()
	return http.StatusOK, map[string]bool{"cleared": true}, nil
}

func (a *api) listMessages(r *http.Request) (int, any, error) {
	if err := parameters(r, "phone"); err != nil {
		return 0, nil, err
	}
	messages := a.Inbox.Messages(r.URL.Query().Get("phone"))
	if messages == nil {
		messages = []Message{}
	}
	return http.StatusOK, map[string]any{"messages": messages}, nil
}

func (a *api) pay(r *http.Request) (int, any, error) {
	var q struct {
		PrepayID string `json:"prepay_id"`
		Outcome  string `json:"outcome"`
	}
	if err := decode(r, &q, "prepay_id, outcome"); err != nil {
		return 0, nil, err
	}
	switch {
	case q.PrepayID == "":
		return 0, nil, bad("missing_field", "prepay_id is required")
	case !slices.Contains([]string{"pay", "cancel", "fail"}, q.Outcome):
		return 0, nil, bad("bad_outcome", "unknown outcome %q; valid: pay, cancel, fail", q.Outcome)
	}
	if err := a.Payer.Pay(q.PrepayID, q.Outcome); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]string{"prepay_id": q.PrepayID, "outcome": q.Outcome}, nil
}

func (a *api) catalogue(*http.Request) (int, any, error) {
	return http.StatusOK, a.Catalogue(), nil
}

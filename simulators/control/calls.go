package control

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/script"
)

const (
	maxEntries  = 1000
	maxWait     = 120 // seconds
	defaultWait = 30
)

func (a *api) health(w *World, _ *http.Request) (int, any, error) {
	var names []string
	for _, p := range w.Plan.Providers() {
		names = append(names, p.Name)
	}
	return http.StatusOK, map[string]any{"status": "ok", "world": w.ID, "seed": w.Seed, "now": w.Clock.Now().In(dataset.Zone), "providers": names}, nil
}

func (a *api) listFaults(w *World, _ *http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"faults": w.Plan.Faults(), "providers": w.Plan.Providers(), "words": script.WireWords()}, nil
}

const faultFields = "provider, operation, do, nth, skip, times, probability, seed, latency_ms, status, body, code, message, delay_s"

func (a *api) addFault(w *World, r *http.Request) (int, any, error) {
	var f script.Fault
	if err := decode(r, &f, faultFields); err != nil {
		return 0, nil, err
	}
	planned, err := w.Plan.Add(f)
	if err != nil {
		return 0, nil, bad("invalid_fault", "%s", err)
	}
	return http.StatusCreated, planned, nil
}

func (a *api) removeFaults(w *World, r *http.Request) (int, any, error) {
	id := r.PathValue("id")
	if query := r.URL.Query().Get("id"); id == "" {
		id = query
	}
	if id == "" {
		removed := len(w.Plan.Faults())
		w.Plan.Clear()
		return http.StatusOK, map[string]int{"removed": removed}, nil
	}
	if !w.Plan.Remove(id) {
		return 0, nil, &Error{http.StatusNotFound, "fault_not_found", "no fault has the id " + id}
	}
	return http.StatusOK, map[string]int{"removed": 1}, nil
}

var journalFilter = []string{"provider", "operation", "verdict", "contains", "after"}

func filter(w *World, r *http.Request) (journal.Filter, error) {
	q := r.URL.Query()
	f := journal.Filter{Provider: q.Get("provider"), Operation: q.Get("operation"), Verdict: journal.Verdict(q.Get("verdict")), Contains: q.Get("contains")}
	if f.Provider != "" && !slices.ContainsFunc(w.Plan.Providers(), func(p script.Provider) bool { return p.Name == f.Provider }) {
		return f, bad("unknown_provider", "unknown provider %q", f.Provider)
	}
	if f.Verdict != "" && !slices.Contains(journal.Verdicts(), f.Verdict) {
		return f, bad("unknown_verdict", "unknown verdict %q; valid: %v", f.Verdict, journal.Verdicts())
	}
	limit, err := number(r, "limit", 100, 1, maxEntries)
	if err != nil {
		return f, err
	}
	f.Limit = int(limit)
	f.After, err = number(r, "after", 0, 0, 1<<62)
	return f, err
}

func (a *api) listJournal(w *World, r *http.Request) (int, any, error) {
	f, err := filter(w, r)
	if err != nil {
		return 0, nil, err
	}
	last := w.Journal.Last()
	return http.StatusOK, map[string]any{"entries": w.Journal.Entries(f), "last": last}, nil
}

func (a *api) countJournal(w *World, r *http.Request) (int, any, error) {
	f, err := filter(w, r)
	if err != nil {
		return 0, nil, err
	}
	last := w.Journal.Last()
	return http.StatusOK, map[string]any{"count": w.Journal.Count(f), "last": last}, nil
}

func (a *api) waitJournal(w *World, r *http.Request) (int, any, error) {
	f, err := filter(w, r)
	if err != nil {
		return 0, nil, err
	}
	var entries []journal.Entry
	if err := a.poll(w, r, func(ctx context.Context) { entries = w.Journal.Wait(ctx, f) }); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]any{"entries": entries, "timed_out": len(entries) == 0, "last": w.Journal.Last()}, nil
}

// poll runs a wait until the call's timeout, its client or its world ends.
func (a *api) poll(w *World, r *http.Request, wait func(context.Context)) error {
	seconds, err := number(r, "timeout", defaultWait, 0, maxWait)
	if err != nil {
		return err
	}
	release, err := a.hold()
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	go func() {
		select {
		case <-w.Ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	wait(ctx)
	select {
	case <-w.Ended:
		return worldGone(w.ID)
	default:
		return nil
	}
}

// hold takes a place among the long polls and event streams, which its caller releases.
func (a *api) hold() (release func(), err error) {
	select {
	case a.waiting <- struct{}{}:
		return func() { <-a.waiting }, nil
	default:
		return nil, &Error{http.StatusTooManyRequests, "too_many_waiting", fmt.Sprintf("there are %d long polls and event streams already", maxWaiting)}
	}
}

func worldGone(id string) *Error {
	return &Error{http.StatusNotFound, "world_gone", "the world " + id + " ended"}
}

func (a *api) clearJournal(w *World, _ *http.Request) (int, any, error) {
	w.Journal.Clear()
	return http.StatusOK, map[string]bool{"cleared": true}, nil
}

func (a *api) listMessages(w *World, r *http.Request) (int, any, error) {
	messages := w.Inbox.Messages(r.URL.Query().Get("phone"))
	if messages == nil {
		messages = []Message{}
	}
	return http.StatusOK, map[string]any{"messages": messages}, nil
}

func (a *api) nextMessage(w *World, r *http.Request) (int, any, error) {
	phone := r.URL.Query().Get("phone")
	after, err := number(r, "after", 0, 0, 1<<62)
	if err != nil {
		return 0, nil, err
	}
	answer := map[string]any{"message": nil, "timed_out": true}
	err = a.poll(w, r, func(ctx context.Context) {
		if m, ok := w.Inbox.Next(ctx, phone, after); ok {
			answer = map[string]any{"message": m, "timed_out": false}
		}
	})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, answer, nil
}

func (a *api) forgetMessages(w *World, r *http.Request) (int, any, error) {
	return http.StatusOK, map[string]int{"removed": w.Inbox.Forget(r.URL.Query().Get("phone"))}, nil
}

func (a *api) pay(w *World, r *http.Request) (int, any, error) {
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
	if err := w.Payer.Pay(q.PrepayID, q.Outcome); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]string{"prepay_id": q.PrepayID, "outcome": q.Outcome}, nil
}

func (a *api) catalogue(w *World, _ *http.Request) (int, any, error) {
	return http.StatusOK, w.Catalogue(), nil
}

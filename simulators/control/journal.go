package control

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// maxWaiting bounds the long polls and event streams that are open at once.
const maxWaiting = 2000

// polls are the calls that wait: each holds a slot while it is open.
type polls struct{ slots chan struct{} }

// reserve takes a slot, which the caller releases. The error is too_many_waiting.
func (p polls) reserve() (release func(), err error) {
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	default:
		return nil, &Error{
			http.StatusTooManyRequests, "too_many_waiting",
			fmt.Sprintf("there are %d long polls and event streams already", maxWaiting),
		}
	}
}

// wait runs a function with a context that ends with the call's timeout, its client or its world.
func (p polls) wait(w *World, r *request, run func(context.Context)) error {
	release, err := p.reserve()
	if err != nil {
		return err
	}
	defer release()
	defer w.Watched()()
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(r.number("timeout"))*time.Second)
	defer cancel()
	go func() {
		select {
		case <-w.Ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	run(ctx)
	select {
	case <-w.Ended:
		return worldGone(w.ID)
	default:
		return nil
	}
}

func worldGone(id string) *Error {
	return &Error{http.StatusNotFound, "world_gone", "the world " + id + " ended"}
}

// filterOf reads which journal entries a call is about.
func filterOf(w *World, r *request) (journal.Filter, error) {
	f := journal.Filter{
		Provider: r.text("provider"), Operation: r.text("operation"), Verdict: journal.Verdict(r.text("verdict")),
		Contains: r.text("contains"), Limit: int(r.number("limit")), After: r.number("after"),
	}
	var names, operations []string
	for _, p := range w.Plan.Providers() {
		names = append(names, p.Name)
		if f.Provider == "" || p.Name == f.Provider {
			operations = append(operations, p.Operations...)
		}
	}
	if f.Provider != "" && !slices.Contains(names, f.Provider) {
		return f, bad("unknown_provider", "unknown provider %q; valid: %s", f.Provider, strings.Join(names, ", "))
	}
	if f.Operation != "" && !slices.Contains(operations, f.Operation) {
		slices.Sort(operations)
		valid := strings.Join(slices.Compact(operations), ", ")
		return f, bad("unknown_operation", "unknown operation %q; valid: %s", f.Operation, valid)
	}
	return f, nil
}

func listJournal(w *World, r *request) (any, error) {
	f, err := filterOf(w, r)
	if err != nil {
		return nil, err
	}
	last := w.Journal.Last() // before the entries, so that a client that goes on from here misses none
	return map[string]any{"entries": w.Journal.Entries(f), "last": last}, nil
}

func countJournal(w *World, r *request) (any, error) {
	f, err := filterOf(w, r)
	if err != nil {
		return nil, err
	}
	last := w.Journal.Last()
	return map[string]any{"count": w.Journal.Count(f), "last": last}, nil
}

// waitJournal answers the entries of a filter as soon as there is one.
func (p polls) waitJournal(w *World, r *request) (any, error) {
	f, err := filterOf(w, r)
	if err != nil {
		return nil, err
	}
	var entries []journal.Entry
	if err := p.wait(w, r, func(ctx context.Context) { entries = w.Journal.Wait(ctx, f) }); err != nil {
		return nil, err
	}
	return map[string]any{"entries": entries, "timed_out": len(entries) == 0, "last": w.Journal.Last()}, nil
}

func clearJournal(w *World, _ *request) (any, error) {
	w.Journal.Clear()
	return map[string]bool{"cleared": true}, nil
}

func listMessages(w *World, r *request) (any, error) {
	messages := w.Inbox.Messages(r.text("phone"))
	if messages == nil {
		messages = []Message{}
	}
	return map[string]any{"messages": messages}, nil
}

// nextMessage answers the oldest message with a code after an id, as soon as there is one. Notices are in the list.
func (p polls) nextMessage(w *World, r *request) (any, error) {
	answer := map[string]any{"message": nil, "timed_out": true}
	err := p.wait(w, r, func(ctx context.Context) {
		for after := r.number("after"); ; {
			m, ok := w.Inbox.Next(ctx, r.text("phone"), after)
			if !ok {
				return
			}
			if after = m.ID; m.Code != "" {
				answer = map[string]any{"message": m, "timed_out": false}
				return
			}
		}
	})
	return answer, err
}

func forgetMessages(w *World, r *request) (any, error) {
	return map[string]int{"removed": w.Inbox.Forget(r.text("phone"))}, nil
}

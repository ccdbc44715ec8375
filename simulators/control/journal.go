package control

import (
	"context"
	"slices"
	"strings"

	"marquee/simulators/journal"
)

// JournalFilter is part of the input of a call about journal entries. It selects the entries.
type JournalFilter struct {
	InWorld
	// Provider selects the calls of one provider.
	Provider string `query:"provider"`
	// Operation selects the calls of one operation, such as seat.lock.
	Operation string `query:"operation"`
	// Verdict selects the calls with one verdict.
	Verdict journal.Verdict `query:"verdict"`
	// Contains selects the calls with a text in the path, the request, the answer or the reason, in which secrets are
	// already replaced by ***.
	Contains string `query:"contains"`
	// After selects the entries with a larger id.
	After int64 `query:"after" min:"0" max:"4611686018427387904" default:"0"`
}

// in returns the filter for the journal of a world.
func (q JournalFilter) in(w World, limit int) (journal.Filter, error) {
	f := journal.Filter{Provider: q.Provider, Operation: q.Operation, Verdict: q.Verdict, Contains: q.Contains,
		Limit: limit, After: q.After}
	var names, operations []string
	for _, p := range w.Faults().Providers() {
		names = append(names, p.Name)
		if f.Provider == "" || p.Name == f.Provider {
			operations = append(operations, p.Operations...)
		}
	}
	if f.Provider != "" && !slices.Contains(names, f.Provider) {
		return f, errUnknownProvider.With("unknown provider %q; valid: %s", f.Provider, strings.Join(names, ", "))
	}
	if f.Operation != "" && !slices.Contains(operations, f.Operation) {
		slices.Sort(operations)
		valid := strings.Join(slices.Compact(operations), ", ")
		return f, errUnknownOperation.With("unknown operation %q; valid: %s", f.Operation, valid)
	}
	return f, nil
}

// Limited is part of the input of a call that lists journal entries.
type Limited struct {
	// Limit is the maximum number of entries.
	Limit int `query:"limit" min:"1" max:"1000" default:"100"`
}

// ListJournal is the input of listJournal.
type ListJournal struct {
	JournalFilter
	Limited
}

// EntryList is a list of journal entries.
type EntryList struct {
	// Entries are sorted newest first. A call is listed before its answer is sent.
	Entries []journal.Entry `json:"entries"`
	// Last is the id of the newest entry, even if it was cleared.
	Last int64 `json:"last"`
}

// listJournal lists calls that the providers received and sent, newest first.
func listJournal(w World, in ListJournal) (EntryList, error) {
	f, err := in.in(w, in.Limit)
	if err != nil {
		return EntryList{}, err
	}
	last := w.Journal().Last() // read before the entries, so that a client that continues from it does not miss any
	return EntryList{w.Journal().Entries(f), last}, nil
}

// EntryCount is a number of journal entries.
type EntryCount struct {
	// Count is how many of the kept entries match the filter.
	Count int `json:"count"`
	// Last is the id of the newest entry, even if it was cleared.
	Last int64 `json:"last"`
}

// countJournal counts entries.
func countJournal(w World, in JournalFilter) (EntryCount, error) {
	f, err := in.in(w, 0)
	if err != nil {
		return EntryCount{}, err
	}
	last := w.Journal().Last()
	return EntryCount{w.Journal().Count(f), last}, nil
}

// WaitJournal is the input of waitJournal.
type WaitJournal struct {
	ListJournal
	Waiting
}

// EntryWait is the result of a wait for journal entries.
type EntryWait struct {
	// Entries are the entries that match the filter; empty after the time-out.
	Entries []journal.Entry `json:"entries"`
	// TimedOut is true if nothing arrived in time.
	TimedOut bool `json:"timed_out"`
	// Last is the id of the newest entry, even if it was cleared.
	Last int64 `json:"last"`
}

// waitJournal waits for entries, and returns as soon as there is one.
func waitJournal(ctx context.Context, w World, in WaitJournal) (EntryWait, error) {
	f, err := in.in(w, in.Limit)
	if err != nil {
		return EntryWait{}, err
	}
	entries := w.Journal().Wait(ctx, f)
	return EntryWait{entries, len(entries) == 0, w.Journal().Last()}, nil
}

// Cleared is the answer to clearJournal.
type Cleared struct {
	// Cleared is true.
	Cleared bool `json:"cleared"`
}

// clearJournal deletes all entries. Ids continue.
func clearJournal(w World, _ InWorld) (Cleared, error) {
	w.Journal().Clear()
	return Cleared{true}, nil
}

// OfPhone is the input of a call about the messages of a phone.
type OfPhone struct {
	InWorld
	// Phone is a mobile number; missing: every phone.
	Phone string `query:"phone" format:"phone"`
}

// MessageList is a list of text messages.
type MessageList struct {
	// Messages are sorted newest first.
	Messages []Message `json:"messages"`
}

// listMessages lists text messages, newest first.
func listMessages(w World, in OfPhone) (MessageList, error) {
	return MessageList{append([]Message{}, ProviderThat[Inbox](w).Messages(in.Phone)...)}, nil
}

// NextMessage is the input of nextMessage.
type NextMessage struct {
	OfPhone
	// After selects the messages with a larger id.
	After int64 `query:"after" min:"0" max:"4611686018427387904" default:"0"`
	Waiting
}

// MessageWait is the result of a wait for a message.
type MessageWait struct {
	// Message is the message; null after the time-out.
	Message *Message `json:"message"`
	// TimedOut is true if nothing arrived in time.
	TimedOut bool `json:"timed_out"`
}

// nextMessage returns the oldest message that has a verification code and a larger id than after, and waits for one if
// there is none. Messages without a code, such as notices, are only in the list of messages.
func nextMessage(ctx context.Context, w World, in NextMessage) (MessageWait, error) {
	for after := in.After; ; {
		m, ok := ProviderThat[Inbox](w).Next(ctx, in.Phone, after)
		if !ok {
			return MessageWait{TimedOut: true}, nil
		}
		if after = m.ID; m.Code != "" {
			return MessageWait{Message: &m}, nil
		}
	}
}

// forgetMessages deletes messages. They still count for the provider's limits of messages to one phone.
func forgetMessages(w World, in OfPhone) (Removed, error) {
	return Removed{ProviderThat[Inbox](w).Forget(in.Phone)}, nil
}

package control

import (
	"errors"
	"slices"
	"strings"

	"marquee/simulators/journal"
	"marquee/simulators/webhook"
)

// Webhooks is a provider that sends webhooks: pushes, notifications or reports.
type Webhooks interface {
	// Name identifies the provider in the journal.
	Name() string
	// WebhookOperations lists the kinds of its webhooks, by the names that they have as operations in the journal, such
	// as "notify".
	WebhookOperations() []string
	// Resend sends the webhook about a subject, such as the number of a trade, again. The receiver is url. If that is
	// "", the receivers are those of the original webhook and the targets. It returns the journal's entries. If no such
	// webhook was sent, the error is the one that NoWebhook returns.
	Resend(operation, subject, url string) ([]journal.Entry, error)
}

// NoWebhook returns the error for a request to resend a webhook that was never sent.
func NoWebhook(operation, subject string) *Error {
	return errWebhookUnknown.With("there is no %s about %s: it is unknown, or has no outcome yet", operation, subject)
}

// Resend selects the webhook to send again: either by entry, or by operation and subject.
type Resend struct {
	// Entry is the id of the journal entry of a webhook. It is sent again to the entry's address.
	Entry int64 `json:"entry,omitempty" min:"1" code:"wrong_type"`
	// Operation is "notify", "refund-notify", "ticket.push", "report" or "tencent-report"; see GET
	// /sim/v1/webhooks/targets.
	Operation string `json:"operation,omitempty"`
	// Subject is the number of the webhook's trade, refund, order or message.
	Subject string `json:"subject,omitempty"`
	// URL is another address to send the webhook to. If it is missing, the webhook of an entry is sent to the entry's
	// address, and the webhook about a subject to its original receiver and to every target.
	URL string `json:"url,omitempty" format:"url"`
}

// ResendWebhook is the input of resendWebhook.
type ResendWebhook struct {
	InWorld
	Body Resend
}

// Deliveries are the webhooks that were sent.
type Deliveries struct {
	// Deliveries are their journal entries. The verdict failed means that the receiver did not accept the webhook.
	Deliveries []journal.Entry `json:"deliveries"`
}

// resendWebhook sends a webhook again: the one of a journal entry to the entry's address, or the one about a subject to
// its original receiver and every target. A url in the request replaces these receivers. The webhook keeps its id and
// content, gets a new signature, and is not retried.
func resendWebhook(w World, in ResendWebhook) (Deliveries, error) {
	q := in.Body
	if (q.Entry == 0) == (q.Operation == "" || q.Subject == "") {
		return Deliveries{}, errMissingField.With("either entry is required, or operation and subject")
	}
	if q.Entry != 0 {
		entry, kept := w.Journal().Find(q.Entry)
		switch {
		case !kept:
			return Deliveries{}, errEntryUnknown
		case entry.Subject == "":
			return Deliveries{}, errNotAWebhook
		}
		q.Operation, q.Subject = entry.Operation, entry.Subject
		if q.URL == "" {
			q.URL = entry.Path
		}
	}
	for _, p := range w.Providers() {
		if caller, ok := p.(Webhooks); ok && slices.Contains(caller.WebhookOperations(), q.Operation) {
			entries, err := caller.Resend(q.Operation, q.Subject, q.URL)
			for i := range entries {
				entries[i] = entries[i].Redacted()
			}
			return Deliveries{append([]journal.Entry{}, entries...)}, err
		}
	}
	return Deliveries{}, errUnknownOperation.With("unknown webhook %q; valid: %s", q.Operation,
		strings.Join(w.Targets().Operations(), ", "))
}

// TargetList is the list of the additional receivers of webhooks.
type TargetList struct {
	// Targets are the receivers, oldest first.
	Targets []webhook.Target `json:"targets"`
	// Operations are the kinds of webhooks that the providers send, by the names that they have as operations in the
	// journal.
	Operations []string `json:"operations"`
}

// listTargets lists the additional receivers of webhooks, oldest first.
func listTargets(w World, _ InWorld) (TargetList, error) {
	return TargetList{w.Targets().List(), w.Targets().Operations()}, nil
}

// AddTarget is the input of addTarget.
type AddTarget struct {
	InWorld
	Body webhook.Target
}

// addTarget adds a receiver of webhooks. It gets a copy of every later webhook of its operations, with separate retries
// and no planned fault. Whether the target accepts its copy does not matter to the provider; only the delivery to the
// shop's address does.
func addTarget(w World, in AddTarget) (webhook.Target, error) {
	added, err := w.Targets().Add(in.Body)
	switch {
	case errors.Is(err, webhook.ErrUnknownOperation):
		return added, errUnknownOperation.With("%s", err)
	case err != nil:
		return added, errInvalidTarget.With("%s", err)
	}
	return added, nil
}

// removeTargets removes every target.
func removeTargets(w World, _ InWorld) (Removed, error) { return Removed{w.Targets().Remove("")}, nil }

// TargetID is the input of removeTarget.
type TargetID struct {
	InWorld
	// ID is the id of a target.
	ID string `path:"id"`
}

// removeTarget removes one target. Pending deliveries to it are dropped.
func removeTarget(w World, in TargetID) (Removed, error) {
	removed := w.Targets().Remove(in.ID)
	if removed == 0 {
		return Removed{}, errTargetUnknown.With("no target has the id %s", in.ID)
	}
	return Removed{removed}, nil
}

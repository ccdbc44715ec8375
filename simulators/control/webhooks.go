package control

import (
	"net/http"
	"slices"
	"strings"

	"marquee/simulators/journal"
	"marquee/simulators/webhook"
)

// Webhooks is a provider that calls the shop.
type Webhooks interface {
	// Name identifies the provider in the journal.
	Name() string
	// WebhookOperations lists the operations of such calls, as the journal names them.
	WebhookOperations() []string
	// Resend makes the call about a subject once more, to url, or with "" to every receiver of the first one and to the
	// targets. It returns the journal's entries, or the error of NoWebhook.
	Resend(operation, subject, url string) ([]journal.Entry, error)
}

// NoWebhook refuses to send a webhook again that was never sent.
func NoWebhook(operation, subject string) *Error {
	return &Error{
		http.StatusNotFound, "webhook_unknown",
		"there is no " + operation + " about " + subject + ": it is not known, or it has no outcome yet",
	}
}

// webhookOperations lists the operations of all webhooks of a world.
func (w *World) webhookOperations() (operations []string) {
	for _, p := range w.Webhooks {
		operations = append(operations, p.WebhookOperations()...)
	}
	return operations
}

// resendWebhook sends the webhook of a journal entry again to the entry's address, or the one about a subject to all.
func resendWebhook(w *World, r *request) (any, error) {
	var q struct {
		Entry     int64  `json:"entry"`
		Operation string `json:"operation"`
		Subject   string `json:"subject"`
		URL       string `json:"url"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	if (q.Entry == 0) == (q.Operation == "" || q.Subject == "") {
		return nil, bad("missing_field", "either entry is needed, or operation and subject")
	}
	if q.Entry != 0 {
		entry, kept := w.Journal.Find(q.Entry)
		switch {
		case !kept:
			return nil, &Error{http.StatusNotFound, "entry_unknown",
				"the journal has no entry with this id, or no longer"}
		case entry.Subject == "":
			return nil, &Error{
				http.StatusConflict, "not_a_webhook", "the entry is a call of the shop; only webhooks are sent again",
			}
		}
		q.Operation, q.Subject = entry.Operation, entry.Subject
		if q.URL == "" {
			q.URL = entry.Path
		}
	}
	for _, p := range w.Webhooks {
		if slices.Contains(p.WebhookOperations(), q.Operation) {
			entries, err := p.Resend(q.Operation, q.Subject, q.URL)
			for i := range entries {
				entries[i] = entries[i].Redacted()
			}
			return map[string]any{"deliveries": append([]journal.Entry{}, entries...)}, err
		}
	}
	return nil, w.unknownWebhook(q.Operation)
}

func (w *World) unknownWebhook(operation string) *Error {
	return bad("unknown_operation", "unknown webhook %q; valid: %s", operation,
		strings.Join(w.webhookOperations(), ", "))
}

func listTargets(w *World, _ *request) (any, error) {
	return map[string]any{"targets": w.Targets.List(), "operations": w.webhookOperations()}, nil
}

func addTarget(w *World, r *request) (any, error) {
	var target webhook.Target
	if err := r.decode(&target); err != nil {
		return nil, err
	}
	if target.Operation != "" && !slices.Contains(w.webhookOperations(), target.Operation) {
		return nil, w.unknownWebhook(target.Operation)
	}
	added, err := w.Targets.Add(target)
	if err != nil {
		return nil, bad("invalid_target", "%s", err)
	}
	return added, nil
}

// removeTargets removes the target with the id of the path, or without one all targets.
func removeTargets(w *World, r *request) (any, error) {
	id := r.PathValue("id")
	removed := w.Targets.Remove(id)
	if id != "" && removed == 0 {
		return nil, &Error{http.StatusNotFound, "target_unknown", "no target has the id " + id}
	}
	return map[string]int{"removed": removed}, nil
}

// Package control is the simulators' control API under /sim/v1. It serves the console, which is a client of that API.
package control

import (
	"context"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// Message is a text message that the SMS provider accepted.
type Message struct {
	// ID grows from message to message of a world.
	ID int64 `json:"id"`
	// Phone is the receiver.
	Phone string `json:"phone"`
	// Text is the text as the phone shows it.
	Text string `json:"text"`
	// Code is the verification code in the text; empty: none.
	Code string `json:"code"`
	// At is business time.
	At time.Time `json:"at"`
}

// Inbox is the SMS provider's side of the control API.
type Inbox interface {
	// Messages lists what was sent to a phone, newest first; "" means every phone.
	Messages(phone string) []Message
	// Next is the oldest message to a phone with an id above after. It waits for one until ctx ends.
	Next(ctx context.Context, phone string, after int64) (Message, bool)
	// Forget removes the messages of a phone, or with "" all messages, and returns how many they were.
	Forget(phone string) int
}

// Payer is the messaging app's side of the control API.
type Payer interface {
	// Pay ends the payment of a prepay id. It fails with an *Error.
	Pay(prepayID string, outcome Outcome) error
}

// MiniPrograms is the side of a messaging app with mini-programs.
type MiniPrograms interface {
	// MiniProgramCode returns a code as a mini-program on a person's phone receives it.
	MiniProgramCode(openID string, purpose Purpose) string
}

// World is the control API's view of one world. A reset replaces its providers, so a view is good for one call.
type World struct {
	ID           string
	Seed         uint64
	Ended        <-chan struct{} // closed when the world ends
	Clock        *testclock.Clock
	Plan         *faults.Plan
	Journal      *journal.Journal
	Inbox        Inbox
	Payer        Payer
	Payments     Payments
	Merchants    Merchants
	MiniPrograms MiniPrograms
	Webhooks     []Webhooks
	Targets      *webhook.Targets // of the webhooks
	Offices      []Office
	Country      *dataset.Country
	Feed         *Feed
	// Watched counts a call as under way until the returned function is called. Meanwhile the world does not expire.
	Watched   func() func()
	Catalogue func() Catalogue
}

// Worlds manages the worlds. An id "" or "default" is the default world. Errors are *Error.
type Worlds interface {
	// World returns the view of a world. The call counts as a use of the world, which delays its removal.
	World(id string) (*World, error)
	// List returns every world, the default one first, then by age.
	List() []WorldInfo
	// Describe returns a world with the credentials, addresses and environment that a client needs.
	Describe(id string) (WorldDetails, error)
	// Create makes a world with a state of its own.
	Create(NewWorld) (WorldDetails, error)
	// Change changes the addresses that the world's providers call, and the apps that its phone shows.
	Change(id string, c WorldChange) (WorldDetails, error)
	// Delete ends a world. The default world cannot be deleted.
	Delete(id string) error
	// Snapshot returns the world as JSON, without its journal and its credentials.
	Snapshot(id string) ([]byte, error)
	// Restore makes a new world of a snapshot. It uses only the id, the addresses and the apps of q.
	Restore(snapshot []byte, q NewWorld) (WorldDetails, error)
	// RestoreInto puts a world into the state of a snapshot. It keeps the id, the credentials, the journal, the
	// addresses and the apps. A world whose snapshot cannot be restored stays as it is.
	RestoreInto(id string, snapshot []byte) (WorldDetails, error)
	// Fork makes a new world of the present state of a world. It uses only the id, the addresses and the apps of q.
	Fork(id string, q NewWorld) (WorldDetails, error)
	// Reset puts a world into the state in which it began. It keeps the id, the credentials, the addresses and
	// the apps.
	Reset(id string) (WorldDetails, error)
	// CertificatePEM is the certificate that clients of the HTTPS addresses have to trust. It is the same for all
	// worlds.
	CertificatePEM() ([]byte, error)
}

// Package control is the control API of the simulators under /sim/v1, by which tests and people read and change them:
// worlds (isolated sets of simulated providers), clocks, faults, seats and payments. It also serves the console, a
// client of that API.
package control

import (
	"context"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// Message is a text message that the SMS provider accepted.
type Message struct {
	// ID increases with each message of a world.
	ID int64 `json:"id"`
	// Phone is the number of the receiver.
	Phone string `json:"phone"`
	// Text is the text shown on the phone.
	Text string `json:"text"`
	// Code is the verification code in the text; empty: none.
	Code string `json:"code"`
	// At is the business time at which it was sent.
	At time.Time `json:"at"`
}

// Inbox is what the control API needs of the SMS provider.
type Inbox interface {
	// Messages lists the messages sent to a phone, newest first; "" means every phone.
	Messages(phone string) []Message
	// Next returns the oldest message to a phone with an id above after. It waits for one, and returns false if ctx
	// ends before.
	Next(ctx context.Context, phone string, after int64) (Message, bool)
	// Forget removes the messages of a phone, or all messages if it is "", and returns how many it removed.
	Forget(phone string) int
}

// Payer is what the control API needs of the messaging app to end payments.
type Payer interface {
	// Pay pays, cancels or fails the payment of a prepay id. The error is an *Error.
	Pay(prepayID string, outcome Outcome) error
}

// MiniPrograms is what the control API needs of the messaging app for mini-programs.
type MiniPrograms interface {
	// MiniProgramCode returns a code like the one that a mini-program on a person's phone receives.
	MiniProgramCode(openID string, purpose Purpose) string
}

// Provider is a simulated provider of a world. Which calls of the control API apply to it depends on which of the
// interfaces TicketSeller, Inbox, Payer, Payments, Merchants, MiniPrograms and Webhooks it implements.
type Provider interface {
	// Name identifies the provider in faults, in the journal and in snapshots.
	Name() string
}

// TicketSeller is a provider with a box office: the API lists its cinemas, showings, seats and orders.
type TicketSeller interface {
	// Office returns the provider's current box office.
	Office() *boxoffice.Office
}

// World is the API's interface to one world.
type World interface {
	// ID is the world's id, "default" for the default world.
	ID() string
	// Info describes the world in the list.
	Info() WorldInfo
	// Details returns what a client needs to use the world: credentials, addresses and environment.
	Details() WorldDetails
	// Catalogue returns every value that a client needs.
	Catalogue() Catalogue

	// Clock is the business clock.
	Clock() *testclock.Clock
	// Faults is the plan of faults.
	Faults() *faults.Plan
	// Journal holds the calls that the providers received and sent.
	Journal() *journal.Journal
	// Targets are additional receivers of webhooks.
	Targets() *webhook.Targets
	// Feed publishes the changes of the world.
	Feed() *Feed
	// Country is the catalogue of the ticketing providers. A reset replaces it.
	Country() *dataset.Country
	// Providers are the world's providers. A reset replaces them.
	Providers() []Provider

	// Change changes the addresses that the providers call, and the apps that the phone shows.
	Change(WorldChange)
	// Snapshot returns the world as JSON, without its journal and its credentials.
	Snapshot() []byte
	// Restore puts the world into the state of a snapshot. It keeps the id, the credentials, the journal, the addresses
	// and the apps. If the snapshot cannot be restored, the world is unchanged. The error is an *Error.
	Restore(snapshot []byte) error
	// Reset returns the world to its initial state. It keeps the id, the credentials, the addresses and the apps.
	Reset()

	// Use keeps the world from expiring until the returned function is called.
	Use() (done func())
	// Ended is closed when the world is deleted or expires.
	Ended() <-chan struct{}
}

// ProviderThat returns the world's provider that implements T, or nil.
func ProviderThat[T any](w World) (found T) {
	for _, p := range w.Providers() {
		if t, ok := p.(T); ok {
			return t
		}
	}
	return found
}

// Worlds finds, creates and deletes worlds. The id "" or "default" is the default world. Errors are *Error.
type Worlds interface {
	// World returns the world with an id, or false if there is none. It counts as a use of the world, which delays its
	// expiry.
	World(id string) (World, bool)
	// List returns every world, the default one first, then by age.
	List() []World
	// Create creates a world.
	Create(NewWorld) (World, error)
	// Restore creates a world from a snapshot. It uses only the id, the addresses and the apps of q.
	Restore(snapshot []byte, q NewWorld) (World, error)
	// Delete deletes a world other than the default one. It returns false if there is none with the id.
	Delete(id string) bool
	// CertificatePEM is the certificate to trust for the HTTPS addresses. It is the same for all worlds.
	CertificatePEM() ([]byte, error)
}

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
	ID    int64     `json:"id"` // grows from message to message of a world
	Phone string    `json:"phone"`
	Text  string    `json:"text"`
	Code  string    `json:"code"` // the verification code in it, "" when there is none
	At    time.Time `json:"at"`   // business time
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
	// Pay ends the payment of a prepay id with the outcome "pay", "cancel" or "fail". It fails with an *Error.
	Pay(prepayID, outcome string) error
}

// MiniPrograms is the side of a messaging app with mini-programs.
type MiniPrograms interface {
	// MiniProgramCode returns a code as a mini-program on a person's phone receives it. purpose is "login" or "phone".
	MiniProgramCode(openID, purpose string) (string, error)
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
	List() []Info
	// Describe returns a world with the credentials, addresses and environment that a client needs.
	Describe(id string) (Details, error)
	// Create makes a world with a state of its own.
	Create(NewWorld) (Details, error)
	// Change changes the addresses that the world's providers call, and the apps that its phone shows.
	Change(id string, c WorldChange) (Details, error)
	// Delete ends a world. The default world cannot be deleted.
	Delete(id string) error
	// Snapshot returns the world as JSON, without its journal and its credentials.
	Snapshot(id string) ([]byte, error)
	// Restore makes a new world of a snapshot. It uses only the id, the addresses and the apps of q.
	Restore(snapshot []byte, q NewWorld) (Details, error)
	// RestoreInto puts a world into the state of a snapshot. It keeps the id, the credentials, the journal, the
	// addresses and the apps. A world whose snapshot cannot be restored stays as it is.
	RestoreInto(id string, snapshot []byte) (Details, error)
	// Fork makes a new world of the present state of a world. It uses only the id, the addresses and the apps of q.
	Fork(id string, q NewWorld) (Details, error)
	// Reset puts a world into the state in which it began. It keeps the id, the credentials, the addresses and
	// the apps.
	Reset(id string) (Details, error)
	// CertificatePEM is the certificate that clients of the HTTPS addresses have to trust. It is the same for all
	// worlds.
	CertificatePEM() ([]byte, error)
}

// NewWorld is the request for a world. Every field may be missing.
type NewWorld struct {
	ID      string     `json:"id"`     // 3 to 32 of a-z, 0-9 and -; the credentials follow from it and the seed
	Seed    uint64     `json:"seed"`   // 0: the default world's
	Now     *time.Time `json:"now"`    // where its business time begins; nil: real time
	Frozen  bool       `json:"frozen"` // its clock stands until it is advanced or resumed
	AppURL  string     `json:"app_url"`
	PushURL string     `json:"push_url"`
	Apps    []int      `json:"apps"` // ports of this machine whose web apps <port>.inapp.localhost shows too
}

// WorldChange is a change of a world. A field that is nil stays as it is.
type WorldChange struct {
	AppURL  *string `json:"app_url"`
	PushURL *string `json:"push_url"`
	Apps    *[]int  `json:"apps"`
}

// Info is a world in the list.
type Info struct {
	ID      string    `json:"id"`
	Seed    uint64    `json:"seed"`
	Now     time.Time `json:"now"` // business time
	Frozen  bool      `json:"frozen"`
	Created time.Time `json:"created"` // real time
	AppURL  string    `json:"app_url"`
	PushURL string    `json:"push_url"`
	Apps    []int     `json:"apps"`
	// ExpiresIn is the real seconds until the world is removed if nothing calls it. Null means never.
	ExpiresIn *int64 `json:"expires_in_seconds"`
}

// Details is one world with everything that a client needs to use it.
type Details struct {
	Info
	Credentials dataset.Credentials `json:"credentials"`
	Addresses   Addresses           `json:"addresses"`
	Environment map[string]string   `json:"environment"` // what a shop is started with to use this world
}

// Error is a refusal of the control API. The message names what would have been valid.
type Error struct {
	Status  int    `json:"-"` // HTTP status, 4xx
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error is code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

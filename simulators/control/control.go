// Package control is the simulators' control API under /sim/v1 and the console page over it.
package control

import (
	"time"
)

// Message is a text message the SMS provider has taken.
type Message struct {
	Phone string    `json:"phone"`
	Text  string    `json:"text"`
	Code  string    `json:"code"` // the verification code in it, "" when there is none
	At    time.Time `json:"at"`   // business time
}

// Inbox is the SMS provider's side of the control API.
type Inbox interface {
	// Messages lists what was sent to a phone, newest first; "" means every phone.
	Messages(phone string) []Message
}

// Payer is the messaging app's side of the control API.
type Payer interface {
	// Pay ends the payment of a prepay id with the outcome "pay", "cancel" or "fail". It fails with an *Error.
	Pay(prepayID, outcome string) error
}

// Error is a refusal of the control API.
type Error struct {
	Status  int    `json:"-"` // HTTP status, 4xx
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

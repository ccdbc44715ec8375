// Package account holds the buyers: users, sessions, SMS codes, messaging-app identities and payment passwords.
//
// Service logs buyers in and reads sessions. Security changes and removes the phone and the identity of an account.
// Codes sends and checks one-time codes by SMS. Passwords sets and verifies payment passwords. Journal records logins,
// rejected attempts and changes.
package account

import (
	"time"

	"marquee/server/durations"
)

// User is a buyer.
type User struct {
	ID          int64     // of the shop's own table
	Phone       string    // "" after it was removed
	AvatarURL   string    // "" before the first upload
	HasPassword bool      // a payment password is set
	CreatedAt   time.Time // business time

	// PhoneProvenAt is when a code sent to the phone was last entered to log in, or to change or remove the phone, by a
	// buyer who is known to own the account.
	PhoneProvenAt time.Time
	// UnprovenSince is when the present holder of the phone of a dormant account first logged in. The holder is treated
	// as another person after durations.Dormant without a login.
	UnprovenSince time.Time
}

// Dormant reports whether the phone may have been given to another person since it was last proven.
func (u User) Dormant(now time.Time) bool {
	return now.Unix()-u.PhoneProvenAt.Unix() > int64(durations.Dormant/time.Second)
}

// Login is the result of a successful login.
type Login struct {
	Token  string // the session token, opaque; "" if the identity is not bound to a phone yet
	UserID int64  // 0 without a token
	OpenID string // the messaging-app identity; "" after a login by SMS code
	Proof  string // the token (yz_code) of a Proof of OpenID
	Phone  string // of the account; set by a login through a link
	Access Access // what the session may do
}

// Times and limits of the account rules (spec: constants; README.md for those the specification leaves open).
const (
	CodeTries     = 5  // wrong codes before a code is locked
	LinkSessions  = 10 // live sessions by link that stem from one session
	PasswordTries = 5  // wrong payment passwords in a row before the lock
	// PasswordWeekTries is how many wrong payment passwords an account may enter in durations.PasswordWeek, even with
	// right ones in between. After them the password is locked until the week ends or another one is set.
	PasswordWeekTries = 20
	// HolderWeekTries is how many of them the holder of a dormant account's phone may use, who may be another person.
	// They do not lock the password for the owner.
	HolderWeekTries = PasswordTries - 1
)

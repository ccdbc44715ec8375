// Package account holds the buyers: users, sessions, SMS codes, messaging-app identities and payment passwords.
//
// Service logs buyers in and reads sessions. Security changes and removes the phone and the identity of an account.
// Codes sends and checks one-time codes by SMS. Passwords sets and verifies payment passwords. Journal records logins,
// rejected attempts and changes.
//
// An identity is an openid of the messaging app; OAuth yields a Proof of it. A device is a browser with a cookie from
// RememberDevice. An account is dormant (User.Dormant) if its phone was not proven for so long that the number may
// belong to another person.
package account

import (
	"time"

	"marquee/server/durations"
)

// User is a buyer.
type User struct {
	ID          int64     // of the shop's table
	Phone       string    // "" after it was removed
	AvatarURL   string    // "" before the first upload
	HasPassword bool      // a payment password is set
	CreatedAt   time.Time // business time

	// PhoneProvenAt is when a code that was sent to the phone was last entered, to log in or to change or remove the
	// phone, by a buyer who is known to own the account.
	PhoneProvenAt time.Time
	// UnprovenSince is when the present holder of a dormant account's phone first logged in with a code; zero if none
	// has. After durations.Dormant without such a login, the next one counts as that of another holder.
	UnprovenSince time.Time
}

// Dormant reports whether the phone was last proven longer than durations.Dormant ago, so that it may have been given
// to another person since.
func (u User) Dormant(now time.Time) bool {
	return now.Unix()-u.PhoneProvenAt.Unix() > int64(durations.Dormant/time.Second)
}

// Login is the result of a successful login.
type Login struct {
	Token  string // the session token, opaque; "" if the identity is not bound to a buyer yet
	UserID int64  // 0 without a token
	OpenID string // the messaging-app identity; "" after a login by SMS code
	Proof  string // the token of a Proof that the client has this OpenID; yz_code in calls
	Phone  string // of the account; set only by a login through a link
	Access Access // what the session may do
}

// Limits of the account rules (spec: constants; README.md for those that the specification leaves open).
const (
	CodeTries     = 5  // wrong codes before a code is locked
	LinkSessions  = 10 // live sessions that descend from one session through links, see SessionStore.AddSession
	PasswordTries = 5  // wrong payment passwords in a row before the lock
	// PasswordWeekTries is how many wrong payment passwords an account may enter in durations.PasswordWeek, even with
	// right ones in between. After that many, the password is locked until the week ends or a new password is set.
	PasswordWeekTries = 20
	// HolderWeekTries is how many wrong payment passwords the present holder of a dormant account's phone, who is
	// perhaps not the owner, may enter in durations.PasswordWeek. They alone do not lock the password for the owner.
	HolderWeekTries = PasswordTries - 1
)

// Package account holds the buyers: users, sessions, SMS codes, messaging-app identities and payment passwords.
//
// Service logs buyers in and reads sessions. Safety changes and removes the phone and the identity of an account. Codes
// sends and checks one-time codes by SMS. Passwords sets and verifies payment passwords. Journal records logins,
// refusals and changes.
package account

import "time"

// User is a buyer.
type User struct {
	ID          int64     // of the shop's own table
	Phone       string    // "" after it was removed
	AvatarURL   string    // "" before the first upload
	HasPassword bool      // a payment password is set
	CreatedAt   time.Time // business time

	// PhoneProvenAt is when a code sent to the phone was last entered to log in, or to change or remove the phone.
	PhoneProvenAt time.Time
}

// Dormant reports whether the phone may have been given to another person since it was last proven.
func (u User) Dormant(now time.Time) bool { return now.Sub(u.PhoneProvenAt) > DormantAfter }

// Login is the result of a successful login.
type Login struct {
	Token  string // the session token, opaque; "" if the identity is not bound to a phone yet
	UserID int64  // 0 without a token
	OpenID string // the messaging-app identity; "" after a login by SMS code
	Proof  string // the token (yz_code) of a Proof of OpenID, or of the phone if Dormant
	Phone  string // of the account; set by a login through a link

	// Browser is the token for the cookie of the browser, if Proof was made by this login; else "".
	Browser string
	// Dormant tells that the phone is right, but that its account has to be confirmed: see Service.Login.
	Dormant     bool
	HasPassword bool // of the dormant account
}

// Times and limits of the account rules (spec: constants; README of httpapi for those the specification leaves open).
const (
	CodeLife      = 5 * time.Minute     // from sending a code to its end
	CodeTries     = 5                   // wrong codes before a code is locked
	ResendWait    = 60 * time.Second    // between two codes to one phone
	SessionLife   = 30 * 24 * time.Hour // from login to the end of the session
	ProofLife     = 10 * time.Minute    // from the OAuth exchange to the end of its proof
	LinkLife      = 2 * time.Minute     // from making the code of a link to its end
	PasswordTries = 5                   // wrong payment passwords in a row before the lock
	PasswordLock  = 30 * time.Minute
	// PasswordTryLife is how long a payment password may take to be compared.
	PasswordTryLife = time.Minute
	// PasswordTryLost is how much older than a right try a try in progress must be to be forgotten with the wrong ones.
	PasswordTryLost = 3 * time.Second

	// DormantAfter is how long a phone may stay unproven before a code sent to it no longer opens its account. Carriers
	// give a number to another person no earlier than 90 days after it was cancelled.
	DormantAfter = 90 * 24 * time.Hour
)

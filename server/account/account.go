// Package account holds the buyers: users, sessions, SMS codes, messaging-app identities, payment passwords and
// avatars.
//
// Service logs buyers in and reads sessions. Codes sends and checks one-time codes by SMS for Service and for
// Passwords. Passwords sets and verifies payment passwords. Avatars keeps the addresses of uploaded pictures.
package account

import "time"

// User is a buyer.
type User struct {
	ID          int64
	Phone       string
	AvatarURL   string // "" before the first upload
	HasPassword bool   // a payment password is set
	CreatedAt   time.Time
}

// Login is the result of a successful login.
type Login struct {
	Token  string // the session token, opaque; "" if the identity is not bound to a phone yet
	UserID int64  // 0 without a token
	OpenID string // the messaging-app identity; "" after a login by SMS code
	Proof  string // yz_code: a one-use proof that OpenID came out of the shop's own OAuth exchange
}

// Times and limits of the account rules (spec: constants; README of httpapi for those the specification leaves open).
const (
	CodeLife      = 5 * time.Minute     // from sending a code to its end
	CodeTries     = 5                   // wrong codes before a code is locked
	ResendWait    = 60 * time.Second    // between two codes to one phone
	SessionLife   = 30 * 24 * time.Hour // from login to the end of the session
	ProofLife     = 10 * time.Minute    // from the OAuth exchange to the end of its proof
	PasswordTries = 5                   // wrong payment passwords in a row before the lock
	PasswordLock  = 30 * time.Minute
	// PasswordTryLife is how long a payment password may take to be compared.
	PasswordTryLife = time.Minute
)

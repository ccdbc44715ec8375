package account

import (
	"context"
	"time"
)

// User is a buyer.
type User struct {
	ID          int64
	Phone       string
	AvatarURL   string // "" until one is uploaded
	HasPassword bool   // a payment password is set
	CreatedAt   time.Time
}

// Login is what a successful login hands out.
type Login struct {
	Token  string // opaque; "" when the identity has no phone yet
	UserID int64  // 0 without a token
	OpenID string
	Proof  string // one-use proof that OpenID came out of our own OAuth exchange (yz_code)
}

// Purpose says what a code may be used for; a code for one purpose proves nothing for another.
type Purpose string

const (
	ForLogin    Purpose = "login"
	ForPassword Purpose = "password"
)

// Times and limits of the account rules.
const (
	CodeLife      = 5 * time.Minute
	CodeTries     = 5
	ResendWait    = 60 * time.Second
	SessionLife   = 30 * 24 * time.Hour
	ProofLife     = 10 * time.Minute
	PasswordTries = 5
	PasswordLock  = 30 * time.Minute
)

// Limits bound how many codes may be sent.
type Limits struct {
	PhoneHour, PhoneDay int
	IPHour, IPDay       int
}

// DefaultLimits leave room for many buyers behind one address, as mobile carriers put them.
var DefaultLimits = Limits{PhoneHour: 5, PhoneDay: 10, IPHour: 60, IPDay: 300}

// Code is a sent code at rest.
type Code struct {
	Phone   string
	Purpose Purpose
	IP      string
	Hash    []byte
	SentAt  time.Time
	Expires time.Time
}

// Codes keeps the codes sent. Each call is one transaction.
type Codes interface {
	// AddCode counts what was sent to the phone and from the address, and replaces earlier codes of its phone and
	// purpose. It returns ErrSMSLimited when a limit is reached; for the resend wait the fault carries RetryAfter.
	AddCode(ctx context.Context, c Code, limits Limits) (id int64, err error)
	// DropCode makes a code unusable; forget also takes it out of the counts.
	DropCode(ctx context.Context, id int64, forget bool) error
	// UseCode spends one try on the newest usable code and, when the hash matches, the code itself. ErrCodeWrong
	// when there is none or it does not match, ErrCodeLocked when its tries are used up.
	UseCode(ctx context.Context, phone string, purpose Purpose, hash []byte, now time.Time) error
}

// Users keeps buyers.
type Users interface {
	// EnsureUser finds the buyer of a phone or makes one.
	EnsureUser(ctx context.Context, phone string, now time.Time) (User, error)
	// User fails with ErrLoginRequired when there is none.
	User(ctx context.Context, id int64) (User, error)
	// PlanAvatar, SetAvatar and ForgetAvatar keep, besides the address that a buyer shows, those of files that nobody
	// shows: one that is about to be written, and the one that stood there before ("" for none) until it is gone.
	PlanAvatar(ctx context.Context, url string, now time.Time) error
	SetAvatar(ctx context.Context, id int64, url string, now time.Time) (before string, err error)
	ForgetAvatar(ctx context.Context, url string) error
	// IdleAvatars lists the files that nobody has shown since before.
	IdleAvatars(ctx context.Context, before time.Time) ([]string, error)
}

// Passwords keeps payment-password hashes and counts tries.
type Passwords interface {
	// SetPassword also forgets wrong tries and a lock.
	SetPassword(ctx context.Context, userID int64, hash string) error
	// BeginTry counts a try before the password is looked at, so that tries in parallel cannot pass the limit. It
	// returns the stored hash and the tries so far, this one included; ErrPasswordMissing, ErrPasswordLocked.
	BeginTry(ctx context.Context, userID int64, now time.Time) (hash string, tries int, err error)
	// EndTry forgets the tries after a right password; after a wrong one that was the last it locks.
	EndTry(ctx context.Context, userID int64, right bool, now time.Time) error
}

// Sessions keeps hashes of session tokens.
type Sessions interface {
	AddSession(ctx context.Context, hash []byte, userID int64, now, expires time.Time) error
	// SessionUser fails with ErrLoginRequired when the session is unknown, revoked or over.
	SessionUser(ctx context.Context, hash []byte, now time.Time) (User, error)
	RevokeSession(ctx context.Context, hash []byte, now time.Time) error
}

// Identities keeps which messaging-app identity belongs to which buyer, and the proofs handed out.
type Identities interface {
	// BindIdentity fails with ErrIdentityTaken when another buyer has it; binding twice is one binding.
	BindIdentity(ctx context.Context, openID string, userID int64, now time.Time) error
	// IdentityUser is the buyer of an identity, 0 when it is bound to nobody.
	IdentityUser(ctx context.Context, openID string) (userID int64, err error)
	// OpenID is the buyer's most lately bound identity, "" without one.
	OpenID(ctx context.Context, userID int64) (string, error)
}

// Proofs keeps hashes of one-use proofs.
type Proofs interface {
	AddProof(ctx context.Context, hash []byte, openID string, expires time.Time) error
	// CheckProof and UseProof fail with ErrOpenIDUnproven; UseProof spends the proof.
	CheckProof(ctx context.Context, hash []byte, openID string, now time.Time) error
	UseProof(ctx context.Context, hash []byte, openID string, now time.Time) error
}

// Store is everything the service keeps.
type Store interface {
	Codes
	Users
	Passwords
	Sessions
	Identities
	Proofs
}

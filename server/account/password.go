package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"marquee/server/fault"
	"marquee/server/pepper"
)

// PasswordStore keeps the hashes of payment passwords and counts tries.
type PasswordStore interface {
	// User returns ErrLoginRequired if there is no such buyer.
	User(ctx context.Context, id int64) (User, error)
	// SetPassword stores the hash of a new password, resets the counts of wrong tries and the lock, and records the
	// event.
	SetPassword(ctx context.Context, userID int64, hash string, e Event) error
	// ReplaceHash replaces a hash by another one of the same password. It does nothing if another hash than old is
	// stored by now.
	ReplaceHash(ctx context.Context, userID int64, old, hash string) error
	// PasswordHash returns the hash with which a try is compared. It returns ErrLoginRequired if there is no such
	// buyer, ErrPasswordMissing if the buyer has no payment password, or ErrPasswordLocked as CountTry does.
	PasswordHash(ctx context.Context, userID int64, weekTries int, now time.Time) (hash string, err error)
	// CountTry records whether a try matched the hash. A correct try resets the counter of consecutive wrong tries, but
	// not that of the week. The PasswordTries-th consecutive wrong try locks the password. weekTries is how many wrong
	// tries the caller may make in a week. CountTry returns the wrong tries left and, if the password is now locked,
	// when the lock ends. It counts nothing and returns ErrPasswordLocked if either limit was already reached, even if
	// the try is correct, or ErrPasswordBusy if the hash has been replaced since it was compared.
	CountTry(ctx context.Context, userID int64, t Try, weekTries int, now time.Time) (left int, until time.Time, err error)
}

// Try is the result of comparing an entered payment password.
type Try struct {
	Hash  string // the stored hash with which it was compared
	Right bool
}

// Cost is the work of hashing a payment password with argon2id. A stored hash contains its cost. If the configured cost
// changes, older hashes can still be compared, and each is replaced when its password is next entered.
type Cost struct {
	MemoryKiB, Passes uint32
}

// DefaultCost is 8 MiB and one pass, in one lane. The README says why it is below OWASP's 19 MiB and two passes.
var DefaultCost = Cost{MemoryKiB: 8 * 1024, Passes: 1}

const (
	argonLanes  = 1
	argonKeyLen = 32 // bytes
)

// PasswordsConfig is what Passwords needs.
type PasswordsConfig struct {
	Store   PasswordStore
	Codes   *Codes
	Journal *Journal
	Now     func() time.Time // business time
	Pepper  pepper.Ring      // keys what is hashed
	Cost    Cost             // the zero value means DefaultCost
}

// Passwords sets and verifies payment passwords.
type Passwords struct {
	store   PasswordStore
	codes   *Codes
	journal *Journal
	now     func() time.Time
	pepper  pepper.Ring
	cost    Cost
	hashing *hashQueue
}

// NewPasswords makes Passwords.
func NewPasswords(c PasswordsConfig) *Passwords {
	if c.Cost == (Cost{}) {
		c.Cost = DefaultCost
	}
	return &Passwords{
		store: c.Store, codes: c.Codes, journal: c.Journal, now: c.Now, pepper: c.Pepper, cost: c.Cost,
		// One hash takes 8 MiB and a core: more hashes at once than cores would only slow all of them down.
		hashing: newHashQueue(runtime.GOMAXPROCS(0)),
	}
}

// SendPasswordCode sends the code for SetPaymentPassword to the phone of the buyer's account. It returns
// ErrPhoneMissing without a phone, and the errors of SendLoginCode.
func (p *Passwords) SendPasswordCode(ctx context.Context, userID int64, from Origin) error {
	u, err := p.store.User(ctx, userID)
	if err == nil && u.Phone == "" {
		err = ErrPhoneMissing
	}
	if err != nil {
		return err
	}
	return p.codes.send(ctx, u.Phone, from.ofOwner(userID), ForPassword)
}

// SetPaymentPassword sets or changes the six-digit payment password. It returns ErrPasswordFormat, ErrPasswordWeak, or
// the errors of a code that is not valid; the code comes from SendPasswordCode.
func (p *Passwords) SetPaymentPassword(ctx context.Context, userID int64, code, password string) error {
	if !sixDigitShape.MatchString(password) {
		return ErrPasswordFormat
	}
	u, err := p.store.User(ctx, userID)
	if err != nil {
		return err
	}
	if weakPassword(password) || strings.Contains(u.Phone, password) {
		return ErrPasswordWeak
	}
	// Wait for the queue before the code is checked: the wait can fail, and the check uses the code up.
	if err := p.hashing.acquire(ctx, userID); err != nil {
		return fmt.Errorf("wait to hash: %w", err)
	}
	defer p.hashing.release(userID)
	if err := p.codes.use(ctx, EnteredCode{Phone: u.Phone, Code: code, userID: u.ID}, ForPassword); err != nil {
		return err
	}
	hash := p.hash(password)
	kind := PasswordSet
	if u.HasPassword {
		kind = PasswordChanged
	}
	e := p.journal.event(ctx, kind, userID)
	if err := p.store.SetPassword(ctx, userID, hash, e); err != nil {
		return err
	}
	p.journal.Log(ctx, e)
	return nil
}

// VerifyPaymentPassword returns ErrPasswordRequired or ErrPasswordFormat for an unusable password, ErrPasswordMissing
// if the buyer has none, ErrPasswordOutdated if it has to be set again, and ErrPasswordWrong for a wrong one. After
// PasswordTries wrong ones in a row it returns ErrPasswordLocked for durations.PasswordLock, and after
// PasswordWeekTries in a week until the week ends. It returns ErrPasswordBusy if too many passwords wait or the
// password has just been set, and the error of ctx if ctx ends during the wait; the try then does not count.
func (p *Passwords) VerifyPaymentPassword(ctx context.Context, userID int64, password string) error {
	err := p.compare(ctx, userID, password, PasswordWeekTries)
	p.journal.recordRejectedPassword(ctx, userID, err)
	return err
}

// verifyByHolder is VerifyPaymentPassword for the holder of a dormant account's phone, who has at most HolderWeekTries
// wrong tries a week.
func (p *Passwords) verifyByHolder(ctx context.Context, userID int64, password string) error {
	err := p.compare(ctx, userID, password, HolderWeekTries)
	p.journal.recordRejectedPassword(ctx, userID, err)
	if errors.Is(err, ErrPasswordLocked) {
		return fault.Of(err).WithMessage(ErrPasswordLocked.Message + "，请联系客服核实身份")
	}
	return err
}

// compare compares a password with the stored hash and counts the try. The result is returned only after the store has
// counted the try, so that parallel tries cannot exceed the limits.
func (p *Passwords) compare(ctx context.Context, userID int64, password string, weekTries int) error {
	if password == "" {
		return ErrPasswordRequired
	}
	if !sixDigitShape.MatchString(password) {
		return ErrPasswordFormat
	}
	if err := p.hashing.acquire(ctx, userID); err != nil {
		return fmt.Errorf("wait to hash: %w", err)
	}
	defer p.hashing.release(userID)
	hash, err := p.store.PasswordHash(ctx, userID, weekTries, p.now())
	if err != nil {
		return err
	}
	right, stale, err := p.matches(hash, password)
	if err != nil {
		p.journal.logger.ErrorContext(ctx, "compare payment password failed", "account", userID, "error", err)
		return err
	}
	ctx = context.WithoutCancel(ctx)
	now := p.now()
	left, until, err := p.store.CountTry(ctx, userID, Try{hash, right}, weekTries, now)
	switch {
	case err != nil:
		return fmt.Errorf("count the try: %w", err)
	case !right && !until.IsZero():
		return PasswordLockedUntil(until, now)
	case !right:
		return ErrPasswordWrong.WithTriesLeft(left)
	case stale:
		// The old hash stays valid if this fails, and the next use replaces it.
		if err := p.store.ReplaceHash(ctx, userID, hash, p.hash(password)); err != nil {
			p.journal.logger.WarnContext(ctx, "replace password hash failed", "account", userID, "error", err)
		}
	}
	return nil
}

// keypadPatterns are passwords along rows, columns and diagonals of the keypad, and 520131, which sounds in Chinese
// like "I love you for life".
var keypadPatterns = []string{
	"147258", "258369", "369258", "258147", "147369", "147852", "852147", "258963", "963852", "159357", "357159", "159753",
	"753159", "951753", "520131",
}

// weakPassword reports whether six digits are among those that are guessed first: at most two different digits, each
// digit equal to the one before or a step of 1 from it in one direction (123456, 987654, 890123, 112233), a half that
// is repeated or mirrored (123123, 123321), or a pattern of the keypad (147258, 159753). The web app checks all but the
// patterns (payment-password-rules.ts).
func weakPassword(password string) bool {
	digits, steps := map[byte]bool{password[0]: true}, map[int]bool{}
	for i := 1; i < len(password); i++ {
		digits[password[i]] = true
		steps[(10+int(password[i])-int(password[i-1]))%10] = true
	}
	within := func(allowed ...int) bool {
		for step := range steps {
			if !slices.Contains(allowed, step) {
				return false
			}
		}
		return true
	}
	first, second := password[:3], password[3:]
	mirrored := string([]byte{second[2], second[1], second[0]})
	return len(digits) <= 2 || within(0, 1) || within(0, 9) || first == second || first == mirrored ||
		slices.Contains(keypadPatterns, password)
}

// hash returns a new salted hash in the PHC string format, whose parameter keyid identifies the pepper.
func (p *Passwords) hash(password string) string {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never returns an error
	pepper := p.pepper.Current()
	key := argon2.IDKey(peppered(pepper, password), salt, p.cost.Passes, p.cost.MemoryKiB, argonLanes, argonKeyLen)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d,keyid=%s$%s$%s",
		argon2.Version, p.cost.MemoryKiB, p.cost.Passes, argonLanes, pepper.ID(),
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// matches compares a password with a stored hash, with the pepper and at the cost stated in the hash. The hash is stale
// if its pepper is not the current one, or its cost not the configured one. matches fails if the hash is malformed, or
// if its pepper is not configured.
func (p *Passwords) matches(hash, password string) (right, stale bool, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, false, errors.New("account: a stored password hash is not argon2id")
	}
	var memory, passes uint32
	var lanes uint8
	var keyID string
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d,keyid=%s", &memory, &passes, &lanes, &keyID); err != nil {
		return false, false, fmt.Errorf("account: parameters of a stored password hash: %w", err)
	}
	pepper, known := p.pepper.ByID(keyID)
	if !known {
		return false, false,
			fmt.Errorf("account: a stored password hash needs the pepper %s, which is not configured: %w",
				keyID, ErrPasswordOutdated)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, false, fmt.Errorf("account: salt of a stored password hash: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) == 0 {
		return false, false, errors.New("account: key of a stored password hash is unreadable")
	}
	got := argon2.IDKey(peppered(pepper, password), salt, passes, memory, lanes, uint32(len(want)))
	stale = keyID != p.pepper.Current().ID() || Cost{memory, passes} != p.cost
	return subtle.ConstantTimeCompare(got, want) == 1, stale, nil
}

func peppered(key pepper.Key, password string) []byte { return key.MAC("password\x00" + password) }

package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/crypto/argon2"
)

var tokenShape = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// newToken is 256 random bits as 43 characters that need no escaping in a URL.
func newToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // crypto/rand.Read never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// hashToken needs no key: a token has too many bits to be searched for.
func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// codeHash is keyed with the pepper, because six digits are searched through at once.
func (s *Service) codeHash(phone string, purpose Purpose, code string) []byte {
	m := hmac.New(sha256.New, s.pepper)
	fmt.Fprintf(m, "code\x00%s\x00%s\x00%s", purpose, phone, code)
	return m.Sum(nil)
}

// Cost is what hashing a payment password with argon2id takes. A hash carries its own cost, so that another
// one takes effect with the next password that is set.
type Cost struct {
	MemoryKiB, Passes uint32
}

// DefaultCost is OWASP's: 19 MiB, two passes (and one lane).
var DefaultCost = Cost{MemoryKiB: 19 * 1024, Passes: 2}

const (
	argonLanes = 1
	argonKey   = 32
)

func (s *Service) hashPassword(password string) string {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt)
	key := argon2.IDKey(s.peppered(password), salt, s.cost.Passes, s.cost.MemoryKiB, argonLanes, argonKey)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, s.cost.MemoryKiB, s.cost.Passes, argonLanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// checkPassword reads the cost from the hash, so that raising it later leaves old hashes readable.
func (s *Service) checkPassword(hash, password string) (bool, error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("account: a stored password hash is not argon2id")
	}
	var memory, passes uint32
	var lanes uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes); err != nil {
		return false, fmt.Errorf("account: cost of a stored password hash: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("account: salt of a stored password hash: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) == 0 {
		return false, fmt.Errorf("account: key of a stored password hash is unreadable")
	}
	got := argon2.IDKey(s.peppered(password), salt, passes, memory, lanes, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

func (s *Service) peppered(password string) []byte {
	m := hmac.New(sha256.New, s.pepper)
	m.Write([]byte("password\x00" + password))
	return m.Sum(nil)
}

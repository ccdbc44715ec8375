package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
)

// tokenShape matches what newToken returns.
var tokenShape = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// newToken returns 256 random bits as 43 characters that need no escaping in a URL.
func newToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // crypto/rand.Read never returns an error: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// hashToken needs no key: a token has too many bits to be found by search.
func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// pepper is the key of every hash of a short secret: SMS codes and payment passwords.
type pepper []byte

func newPepper(key []byte) (pepper, error) {
	if len(key) < 16 {
		return nil, fmt.Errorf("account: the pepper must have at least 16 bytes, has %d", len(key))
	}
	return key, nil
}

// mac returns the HMAC-SHA256 of text. Each use starts its text with a prefix of its own.
func (p pepper) mac(text string) []byte {
	m := hmac.New(sha256.New, p)
	m.Write([]byte(text))
	return m.Sum(nil)
}

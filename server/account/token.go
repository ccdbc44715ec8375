package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
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

// ensureToken returns the token if it has the right form, and a new one otherwise.
func ensureToken(token string) string {
	if tokenShape.MatchString(token) {
		return token
	}
	return newToken()
}

// hashToken returns the hash of a token. It needs no key, because a token has too many bits to be guessed.
func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

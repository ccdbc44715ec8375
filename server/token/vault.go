package token

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

// Vault makes tokens that replicas share through one store.
type Vault struct {
	store Store
	aead  cipher.AEAD
}

// NewVault makes a Vault. The key that seals tokens is derived from the pepper, which is stored outside the database, so
// that a copy of the database alone does not reveal them. A token that was sealed with another pepper counts as
// missing. NewVault fails only if the key cannot be derived.
func NewVault(store Store, pepper []byte) (*Vault, error) {
	key, err := hkdf.Key(sha256.New, pepper, nil, "marquee provider tokens", 32)
	if err != nil {
		return nil, fmt.Errorf("token: derive the key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("token: cipher: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("token: cipher: %w", err)
	}
	return &Vault{store: store, aead: aead}, nil
}

// Token makes a Token, which reads and fetches nothing before the first Get. With a nil Vault it belongs to this
// process alone.
func (v *Vault) Token(cfg Config) *Token { return &Token{cfg: cfg, vault: v} }

// seal encrypts a token, bound to its name.
func (v *Vault) seal(name, value string) []byte {
	nonce := make([]byte, v.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return v.aead.Seal(nonce, nonce, []byte(value), []byte(name))
}

// open decrypts a token. It returns false for one that was sealed with another key or for another name.
func (v *Vault) open(name string, sealed []byte) (string, bool) {
	size := v.aead.NonceSize()
	if len(sealed) < size {
		return "", false
	}
	value, err := v.aead.Open(nil, sealed[:size], sealed[size:], []byte(name))
	return string(value), err == nil
}

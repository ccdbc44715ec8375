package token

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"marquee/server/pepper"
)

// Vault makes Tokens that replicas share through one store, in which they are encrypted.
type Vault struct {
	store   Store
	peppers pepper.Ring
	aeads   map[string]cipher.AEAD // by the id of the pepper that the key is derived from
}

// NewVault makes a Vault. The encryption keys are derived from the peppers, which are kept outside the database, so
// that a copy of the database does not reveal tokens. Tokens are encrypted with the current pepper and decrypted with
// each accepted one, because replicas may have different current peppers during a rotation. A token that was encrypted
// with any other pepper counts as missing. NewVault fails only if a key cannot be derived.
func NewVault(store Store, peppers pepper.Ring) (*Vault, error) {
	v := &Vault{store: store, peppers: peppers, aeads: map[string]cipher.AEAD{}}
	for _, p := range peppers.Keys() {
		key, err := hkdf.Key(sha256.New, p.Secret(), nil, "marquee provider tokens", 32)
		if err != nil {
			return nil, fmt.Errorf("token: derive the key: %w", err)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("token: cipher: %w", err)
		}
		if v.aeads[p.ID()], err = cipher.NewGCM(block); err != nil {
			return nil, fmt.Errorf("token: cipher: %w", err)
		}
	}
	return v, nil
}

// Token makes a Token. It reads and fetches nothing before the first Get. Without a Vault (v is nil), the Token is not
// shared with other processes.
func (v *Vault) Token(cfg Config) *Token { return &Token{cfg: cfg, vault: v} }

// seal encrypts a token with the current pepper, bound to its name. The result starts with the id of the pepper.
func (v *Vault) seal(name, value string) []byte {
	current := v.peppers.Current()
	aead := v.aeads[current.ID()]
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return current.Prefix(aead.Seal(nonce, nonce, []byte(value), []byte(name)))
}

// open decrypts a token. It returns false for one that was sealed with another pepper or for another name.
func (v *Vault) open(name string, sealed []byte) (string, bool) {
	key, sealed, known := v.peppers.Split(sealed)
	if !known {
		return "", false
	}
	aead := v.aeads[key.ID()]
	size := aead.NonceSize()
	if len(sealed) < size {
		return "", false
	}
	value, err := aead.Open(nil, sealed[:size], sealed[size:], []byte(name))
	return string(value), err == nil
}

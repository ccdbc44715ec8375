// Package pepper makes keyed hashes (HMAC) of short secrets: SMS codes, payment passwords, card passwords and coupon
// codes. The key, called pepper, is kept outside the database, so that a person who has only a copy of the database
// cannot find the secrets by trying all of them. Packages goods and token derive their keys from it.
//
// A Ring holds the current pepper and, during a rotation, a second one that is also accepted. Every hash starts with
// the id of its key, so that it is verified with the key that made it, and can be replaced when it is next used.
package pepper

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// MinBytes is the minimum length of a pepper in bytes.
const MinBytes = 16

// idBytes is the length of a key id in bytes: short enough to reveal nothing about the key, and long enough to
// distinguish two keys.
const idBytes = 4

// Key is one pepper.
type Key struct {
	id     [idBytes]byte
	secret []byte
}

// Ring holds the current pepper and at most one other that is also accepted: the previous or the next one. The zero
// Ring is unusable.
type Ring struct {
	keys []Key // the current one first
}

// New returns a ring. An empty other means that only the current pepper is accepted. New returns an error if a pepper
// has fewer than MinBytes bytes, or if both are equal.
func New(current, other []byte) (Ring, error) {
	r := Ring{}
	for i, secret := range [][]byte{current, other} {
		if i == 1 && len(secret) == 0 {
			break
		}
		if len(secret) < MinBytes {
			return Ring{}, fmt.Errorf("pepper: a pepper must have at least %d bytes, has %d", MinBytes, len(secret))
		}
		r.keys = append(r.keys, newKey(secret))
	}
	if len(r.keys) == 2 && bytes.Equal(current, other) {
		return Ring{}, fmt.Errorf("pepper: the current and the other pepper are equal")
	}
	return r, nil
}

// newKey derives the id from the secret, so that a key has the same id on all servers.
func newKey(secret []byte) Key {
	k := Key{secret: secret}
	m := hmac.New(sha256.New, secret)
	m.Write([]byte("marquee pepper id"))
	copy(k.id[:], m.Sum(nil))
	return k
}

// ID returns the id of the key as hexadecimal digits.
func (k Key) ID() string { return hex.EncodeToString(k.id[:]) }

// Secret returns the pepper itself, to derive further keys from it.
func (k Key) Secret() []byte { return k.secret }

// MAC returns the HMAC-SHA256 of a text, without the id of the key. Each use must start its text with a different
// prefix, so that its hashes never equal those of another use.
func (k Key) MAC(text string) []byte {
	m := hmac.New(sha256.New, k.secret)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// Hash returns the id of the key followed by the MAC.
func (k Key) Hash(text string) []byte { return append(k.id[:], k.MAC(text)...) }

// Current returns the key that makes new hashes.
func (r Ring) Current() Key { return r.keys[0] }

// Keys returns the accepted keys, the current one first.
func (r Ring) Keys() []Key { return r.keys }

// ByID returns the accepted key whose ID is id. It returns false if there is none.
func (r Ring) ByID(id string) (Key, bool) {
	for _, k := range r.keys {
		if k.ID() == id {
			return k, true
		}
	}
	return Key{}, false
}

// Split separates stored bytes that start with a key's id, as Hash and Prefix return them, into the key and the rest.
// It returns false if no accepted key has the id.
func (r Ring) Split(stored []byte) (key Key, rest []byte, known bool) {
	if len(stored) < idBytes {
		return Key{}, nil, false
	}
	key, known = r.ByID(hex.EncodeToString(stored[:idBytes]))
	return key, stored[idBytes:], known
}

// Prefix returns the id of the key followed by content, for Split.
func (k Key) Prefix(content []byte) []byte { return append(k.id[:], content...) }

// Hash returns the hash of a text under the current key.
func (r Ring) Hash(text string) []byte { return r.Current().Hash(text) }

// Hashes returns the hash of a text under each accepted key, the current one first: one of them is the stored hash.
func (r Ring) Hashes(text string) [][]byte {
	list := make([][]byte, len(r.keys))
	for i, k := range r.keys {
		list[i] = k.Hash(text)
	}
	return list
}

// Verify reports, in constant time, whether a stored hash is that of the text under an accepted key. It also reports
// whether the hash is stale, which means made with a key that is not the current one: the caller should then replace
// it.
func (r Ring) Verify(stored []byte, text string) (right, stale bool) {
	key, mac, known := r.Split(stored)
	if !known || !hmac.Equal(mac, key.MAC(text)) {
		return false, false
	}
	return true, key.id != r.Current().id
}

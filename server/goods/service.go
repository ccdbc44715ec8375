package goods

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"marquee/server/audit"
	"marquee/server/pepper"
)

// Filter selects goods on sale.
type Filter struct {
	CategoryID    int64   // 0 selects all categories
	Shelves       []Shelf // empty selects all shelves
	Limit, Offset int     // number of rows on the page, and of rows before it
}

// Tx is one write transaction on goods.
type Tx struct {
	Goods Repository
	Audit audit.Log
}

// Repository reads and writes goods, specifications and codes inside a transaction.
type Repository interface {
	CategoryByCode(code string) (Category, error) // returns ErrCategoryNotFound if it does not exist
	GoodsByCode(code string) (Goods, error)       // returns ErrGoodsNotFound if they do not exist
	SKUByCode(code string) (Offer, error)         // returns ErrGoodsNotFound if it does not exist
	// SaveCategory, SaveGoods and SaveSKU update the row with the same code, or insert it, and return its id. SaveSKU
	// does not change the stock of an existing row.
	SaveCategory(c Category) (int64, error)
	SaveGoods(g Goods) (int64, error)
	SaveSKU(s SKU) (int64, error)
	// SetStock sets how many pieces of a specification can be sold, not counting pieces that orders hold.
	SetStock(skuID int64, stock int) error
	// ReservedPieces counts the pieces that unpaid orders hold and that paid orders wait for.
	ReservedPieces(skuID int64) (int, error)
	// AddCodes adds codes to the stock. If one of them is already stored, under its Hash or one of its OtherHashes, it
	// returns ErrCodeExists and the index of that one in codes. The transaction must then be rolled back.
	AddCodes(skuID int64, codes []SealedCode, now time.Time) (at int, err error)
	// WithdrawCode removes a code. It returns ErrCodeGiven if a buyer has it, and ErrCodeNotFound if it is not stored
	// or was withdrawn before.
	WithdrawCode(hash []byte, now time.Time) error
	// ResealCode replaces only the ciphertext and the hash of a code, in any state.
	ResealCode(id int64, c SealedCode) error
}

// Store reads and writes goods.
type Store interface {
	// Update runs fn in one write transaction and commits it unless fn returns an error.
	Update(ctx context.Context, fn func(Tx) error) error
	// Categories returns all categories, ordered by position.
	Categories(ctx context.Context) ([]Category, error)
	// ListGoods returns one page of the goods on sale, ordered by position, and the total that the filter selects.
	ListGoods(ctx context.Context, f Filter) ([]Goods, int, error)
	// AllGoods returns every specification with its goods, on sale or not.
	AllGoods(ctx context.Context) ([]Offer, error)
	// ImportsOf returns, for those of the hashes under which a code is stored, the Import field of the code.
	ImportsOf(ctx context.Context, hashes [][]byte) (map[string]string, error)
	// Goods returns goods on sale with their specifications on sale. It returns ErrGoodsNotFound otherwise.
	Goods(ctx context.Context, id int64) (Goods, []SKU, error)
	// CodesOf returns the codes that were given to the order, sorted by id, and the specification that they belong to.
	CodesOf(ctx context.Context, orderNo string) (skuID int64, codes []SealedCode, err error)
	// CodesOfPepper returns at most limit codes, in every state and sorted by id, that are sealed with the pepper whose
	// id is prefix. The first one is the code with the next id above after.
	CodesOfPepper(ctx context.Context, prefix []byte, after int64, limit int) ([]StoredCode, error)
	// CodesOfOtherPeppers counts the codes that are sealed with a pepper whose id is none of the prefixes.
	CodesOfOtherPeppers(ctx context.Context, prefixes [][]byte) (int, error)
}

// Service lists goods for buyers and edits them for the back office.
type Service struct {
	store  Store
	pepper pepper.Ring
	keys   map[string]codeKeys // by the id of the pepper that they are derived from
	now    func() time.Time
	policy *bluemonday.Policy
}

// codeKeys are the keys that encrypt and hash the codes under one pepper.
type codeKeys struct {
	seal cipher.AEAD
	hash []byte // key of the HMAC of codes
}

// New returns a service. The keys that encrypt and hash codes are derived from the peppers, which are stored outside
// the database, so that a copy of the database does not reveal codes. It fails only if a key cannot be derived.
func New(store Store, peppers pepper.Ring, now func() time.Time) (*Service, error) {
	s := &Service{
		store: store, pepper: peppers, keys: map[string]codeKeys{}, now: now, policy: bluemonday.UGCPolicy(),
	}
	for _, key := range peppers.Keys() {
		derived, err := deriveKeys(key)
		if err != nil {
			return nil, err
		}
		s.keys[key.ID()] = derived
	}
	return s, nil
}

func deriveKeys(from pepper.Key) (k codeKeys, err error) {
	key, err := hkdf.Key(sha256.New, from.Secret(), nil, "marquee goods codes", 32)
	if err != nil {
		return k, fmt.Errorf("goods: derive the encryption key: %w", err)
	}
	if k.hash, err = hkdf.Key(sha256.New, from.Secret(), nil, "marquee goods code marks", 32); err != nil {
		return k, fmt.Errorf("goods: derive the hash key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return k, fmt.Errorf("goods: cipher: %w", err)
	}
	if k.seal, err = cipher.NewGCM(block); err != nil {
		return k, fmt.Errorf("goods: cipher: %w", err)
	}
	return k, nil
}

// Categories returns all categories, ordered by position.
func (s *Service) Categories(ctx context.Context) ([]Category, error) { return s.store.Categories(ctx) }

// MaxPage is the maximum number of goods of a page.
const MaxPage = 100

// List returns one page of the goods on sale and the total that the filter selects. Pages count from 1. A page or a
// size outside its range is replaced by the nearest allowed value.
func (s *Service) List(ctx context.Context, f Filter, page, size int) ([]Goods, int, error) {
	page, size = min(max(page, 1), 1_000_000), min(max(size, 1), MaxPage)
	f.Limit, f.Offset = size, (page-1)*size
	return s.store.ListGoods(ctx, f)
}

// Goods returns goods with their specifications. It returns ErrGoodsNotFound if they are not on sale.
func (s *Service) Goods(ctx context.Context, id int64) (Goods, []SKU, error) {
	return s.store.Goods(ctx, id)
}

// All returns every specification, on sale or not, for the back office.
func (s *Service) All(ctx context.Context) ([]Offer, error) { return s.store.AllGoods(ctx) }

// CodesOf decrypts the codes that were given to the order. The caller must have checked that the buyer owns the order.
func (s *Service) CodesOf(ctx context.Context, orderNo string) ([]Code, error) {
	sku, sealed, err := s.store.CodesOf(ctx, orderNo)
	if err != nil {
		return nil, err
	}
	out := make([]Code, 0, len(sealed))
	for _, c := range sealed {
		code, err := s.open(sku, c.Sealed)
		if err != nil {
			return nil, fmt.Errorf("code of order %s: %w", orderNo, err)
		}
		out = append(out, code)
	}
	return out, nil
}

// associatedData binds an encrypted code to its specification, so that swapped rows do not decrypt.
func associatedData(skuID int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(skuID)) }

// sealCode encrypts a code with the current pepper. Sealed is the id of the pepper, a random nonce, and the ciphertext
// of: the length of Num in two bytes, Num, Pass.
func (s *Service) sealCode(skuID int64, c Code) SealedCode {
	plain := binary.BigEndian.AppendUint16(nil, uint16(len(c.Num))) // Code.check allows at most longestCode bytes
	plain = append(append(plain, c.Num...), c.Pass...)
	current := s.pepper.Current()
	seal := s.keys[current.ID()].seal
	nonce := make([]byte, seal.NonceSize(), seal.NonceSize()+len(plain)+seal.Overhead())
	_, _ = rand.Read(nonce) // rand.Read never returns an error
	hashes := s.hashes(c)
	return SealedCode{
		Sealed: current.Prefix(seal.Seal(nonce, nonce, plain, associatedData(skuID))),
		Hash:   hashes[0], OtherHashes: hashes[1:],
	}
}

// withdrawCode removes a code that was stored under any accepted pepper.
func (s *Service) withdrawCode(tx Tx, c Code, now time.Time) (err error) {
	for _, hash := range s.hashes(c) {
		if err = tx.Goods.WithdrawCode(hash, now); !errors.Is(err, ErrCodeNotFound) {
			break
		}
	}
	return err
}

// hashes returns the HMAC of a code under each accepted pepper, the current one first. The length of Num is included,
// so that the same characters, divided differently into Num and Pass, have another HMAC.
func (s *Service) hashes(c Code) (list [][]byte) {
	for _, key := range s.pepper.Keys() {
		mac := hmac.New(sha256.New, s.keys[key.ID()].hash)
		fmt.Fprintf(mac, "%d:%s:%s", len(c.Num), c.Num, c.Pass)
		list = append(list, key.Prefix(mac.Sum(nil)))
	}
	return list
}

var errUnreadable = errors.New("goods: code cannot be decrypted: the pepper or the row was changed")

// open decrypts a code that sealCode encrypted for the specification. It returns errUnreadable if that fails.
func (s *Service) open(skuID int64, sealed []byte) (Code, error) {
	key, sealed, known := s.pepper.Split(sealed)
	if !known {
		return Code{}, errUnreadable
	}
	seal := s.keys[key.ID()].seal
	n := seal.NonceSize()
	if len(sealed) < n {
		return Code{}, errUnreadable
	}
	plain, err := seal.Open(nil, sealed[:n], sealed[n:], associatedData(skuID))
	if err != nil || len(plain) < 2 || len(plain) < 2+int(binary.BigEndian.Uint16(plain)) {
		return Code{}, errUnreadable
	}
	split := 2 + int(binary.BigEndian.Uint16(plain))
	return Code{Num: string(plain[2:split]), Pass: string(plain[split:])}, nil
}

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
)

// Filter chooses goods on sale.
type Filter struct {
	CategoryID    int64   // 0: all
	Shelves       []Shelf // none: all
	Limit, Offset int
}

// Tx is one transaction over the goods.
type Tx struct {
	Goods Repository
	Audit AuditLog
}

// AuditLog records who changed what inside a transaction of the store.
type AuditLog interface {
	// Record appends one entry: the actor, the action, its subject, and the subject before and after it.
	Record(at time.Time, actor, action, subject, before, after string) error
}

// Repository reads and writes goods, specifications and codes inside a transaction.
type Repository interface {
	CategoryByCode(code string) (Category, error) // ErrCategoryNotFound
	GoodsByCode(code string) (Goods, error)       // ErrGoodsNotFound
	SKUByCode(code string) (Offer, error)         // ErrGoodsNotFound
	// SaveCategory, SaveGoods and SaveSKU write what has the code, or add it. SaveSKU leaves the stock of one that
	// is there as it is.
	SaveCategory(c Category) (int64, error)
	SaveGoods(g Goods) (int64, error)
	SaveSKU(s SKU) (int64, error)
	SetStock(skuID int64, stock int) error
	// AddCode takes a code into the stock; ErrCodeExists.
	AddCode(skuID int64, c SealedCode, now time.Time) error
	// WithdrawCode takes out a code that nobody was given: ErrCodeGiven when a buyer has it, ErrCodeNotFound when it was
	// never taken in or is out already.
	WithdrawCode(hash []byte, now time.Time) error
}

// Store keeps goods.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	Categories(ctx context.Context) ([]Category, error)
	// ListGoods lists goods on sale in their order and tells how many the filter finds.
	ListGoods(ctx context.Context, f Filter) ([]Goods, int, error)
	// AllGoods lists every specification with its goods, for the back office.
	AllGoods(ctx context.Context) ([]Offer, error)
	// Goods reads goods on sale with their specifications on sale; ErrGoodsNotFound.
	Goods(ctx context.Context, id int64) (Goods, []SKU, error)
	// CodesOf are the codes that the order was given, in the order of their ids, each with its specification.
	CodesOf(ctx context.Context, orderNo string) (skuID int64, codes []SealedCode, err error)
}

// Service shows goods and takes them in.
type Service struct {
	store  Store
	seal   cipher.AEAD
	mark   []byte // keys the hashes of codes
	now    func() time.Time
	policy *bluemonday.Policy
}

// New makes a service. The keys that seal codes are derived from the pepper, which lives outside the database:
// whoever has the database alone cannot read a code.
func New(store Store, pepper []byte, now func() time.Time) (*Service, error) {
	key, err := hkdf.Key(sha256.New, pepper, nil, "marquee goods codes", 32)
	if err != nil {
		return nil, fmt.Errorf("goods: derive the sealing key: %w", err)
	}
	mark, err := hkdf.Key(sha256.New, pepper, nil, "marquee goods code marks", 32)
	if err != nil {
		return nil, fmt.Errorf("goods: derive the marking key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("goods: cipher: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("goods: cipher: %w", err)
	}
	return &Service{store: store, seal: aead, mark: mark, now: now, policy: bluemonday.UGCPolicy()}, nil
}

// Categories lists the categories.
func (s *Service) Categories(ctx context.Context) ([]Category, error) { return s.store.Categories(ctx) }

// maxPage caps the rows of a page.
const maxPage = 100

// List lists goods on sale; pages count from 1, and a size out of range is taken for the nearest that is in it.
func (s *Service) List(ctx context.Context, f Filter, page, size int) ([]Goods, int, error) {
	page, size = min(max(page, 1), 1_000_000), min(max(size, 1), maxPage)
	f.Limit, f.Offset = size, (page-1)*size
	return s.store.ListGoods(ctx, f)
}

// Goods reads one with its specifications; ErrGoodsNotFound when it is not on sale.
func (s *Service) Goods(ctx context.Context, id int64) (Goods, []SKU, error) {
	return s.store.Goods(ctx, id)
}

// All lists everything, on sale or not, for the back office.
func (s *Service) All(ctx context.Context) ([]Offer, error) { return s.store.AllGoods(ctx) }

// CodesOf opens the codes that the order was given. Whose order it is, the caller has made sure of.
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

// place binds a sealed code to its specification, so that rows cannot be swapped.
func place(skuID int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(skuID)) }

func (s *Service) sealCode(skuID int64, c Code) SealedCode {
	plain := binary.BigEndian.AppendUint16(nil, uint16(len(c.Num))) // at most maxCode bytes
	plain = append(append(plain, c.Num...), c.Pass...)
	nonce := make([]byte, s.seal.NonceSize(), s.seal.NonceSize()+len(plain)+s.seal.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return SealedCode{Sealed: s.seal.Seal(nonce, nonce, plain, place(skuID)), Hash: s.hash(c)}
}

func (s *Service) hash(c Code) []byte {
	mac := hmac.New(sha256.New, s.mark)
	fmt.Fprintf(mac, "%d:%s:%s", len(c.Num), c.Num, c.Pass)
	return mac.Sum(nil)
}

var errUnreadable = errors.New("goods: a sealed code cannot be read: another pepper, or a changed row")

func (s *Service) open(skuID int64, sealed []byte) (Code, error) {
	n := s.seal.NonceSize()
	if len(sealed) < n {
		return Code{}, errUnreadable
	}
	plain, err := s.seal.Open(nil, sealed[:n], sealed[n:], place(skuID))
	if err != nil || len(plain) < 2 || len(plain) < 2+int(binary.BigEndian.Uint16(plain)) {
		return Code{}, errUnreadable
	}
	split := 2 + int(binary.BigEndian.Uint16(plain))
	return Code{Num: string(plain[2:split]), Pass: string(plain[split:])}, nil
}

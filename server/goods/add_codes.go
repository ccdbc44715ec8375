package goods

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"marquee/server/batch"
)

const (
	// longestCode is the maximum length of the number and of the password of a code, in bytes each.
	longestCode = 1024
	// ImportBatch is the maximum number of codes that one transaction adds, because purchases wait for it.
	ImportBatch = 100
)

// AddCodes adds a list of codes to the stock of a specification, in transactions of ImportBatch codes, and returns how
// many it added. A list that was interrupted is continued by the same call again, and a list that is complete adds
// nothing. Before the first write the whole list is checked: AddCodes returns a *CodeError with the position of the
// first code that is not allowed (ErrCodeInvalid), or that is given twice or already stored with another list
// (ErrCodeExists). It returns ErrWithoutCodes for goods without codes, and ErrGoodsNotFound.
func (s *Service) AddCodes(ctx context.Context, skuCode string, codes []Code, actor string) (added int, err error) {
	hashes, err := s.checkCodes(codes)
	if err != nil {
		return 0, err
	}
	known := make([]bool, len(codes)) // whether the code at a position is stored, under any accepted pepper
	var lists []string                // the key of this list under each accepted pepper, the current one first
	for _, ofPepper := range hashes {
		lists = append(lists, s.listKey(skuCode, ofPepper))
	}
	for _, ofPepper := range hashes {
		stored, err := s.store.ImportsOf(ctx, ofPepper)
		if err != nil {
			return 0, err
		}
		for i, hash := range ofPepper {
			key, found := stored[string(hash)]
			if found && !slices.Contains(lists, key) { // a code keeps the key of its list when it is sealed anew
				return 0, &CodeError{Line: i + 1, Err: ErrCodeExists}
			}
			known[i] = known[i] || found
		}
	}
	var left []int // positions of the codes that are not stored yet
	for i, stored := range known {
		if !stored {
			left = append(left, i)
		}
	}
	if len(left) == 0 { // the list is complete, but the specification may be wrong
		return 0, s.addBatch(ctx, skuCode, lists[0], codes, nil, actor)
	}
	err = batch.Run(ctx, len(left), ImportBatch, func(from, to int) error {
		err := s.addBatch(ctx, skuCode, lists[0], codes, left[from:to], actor)
		if err == nil {
			added = to
		}
		return err
	})
	return added, err
}

// addBatch adds the codes at the given positions in one transaction.
func (s *Service) addBatch(ctx context.Context, sku, list string, codes []Code, part []int, actor string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		o, err := tx.Goods.SKUByCode(sku)
		if err != nil {
			return fmt.Errorf("specification %q: %w", sku, err)
		}
		if o.Goods.Type != VirtualCode {
			return fmt.Errorf("specification %q: %w", sku, ErrWithoutCodes)
		}
		if len(part) == 0 {
			return nil
		}
		sealed := make([]SealedCode, len(part))
		for n, i := range part {
			sealed[n] = s.sealCode(o.SKU.ID, codes[i])
			sealed[n].Import = list
		}
		now := s.now()
		if n, err := tx.Goods.AddCodes(o.SKU.ID, sealed, now); err != nil {
			return &CodeError{Line: part[n] + 1, Err: err}
		}
		return tx.Audit.Record(now, actor, "codes.added", fmt.Sprintf("sku:%d", o.SKU.ID), fmt.Sprint(o.SKU.Stock),
			fmt.Sprint(o.SKU.Stock+len(part)))
	})
}

// checkCodes checks the codes of a list and returns the hash of each under each accepted pepper, the current one first.
func (s *Service) checkCodes(codes []Code) ([][][]byte, error) {
	hashes := make([][][]byte, len(s.pepper.Keys()))
	seen := make(map[string]bool, len(codes))
	for i, c := range codes {
		if err := c.check(); err != nil {
			return nil, &CodeError{Line: i + 1, Err: err}
		}
		ofCode := s.hashes(c)
		for key, hash := range ofCode {
			hashes[key] = append(hashes[key], hash)
		}
		if seen[string(ofCode[0])] {
			return nil, &CodeError{Line: i + 1, Err: ErrCodeExists}
		}
		seen[string(ofCode[0])] = true
	}
	return hashes, nil
}

// listKey returns the key of a list of codes for a specification. It reveals nothing of the codes, because it is made
// of their keyed hashes.
func (s *Service) listKey(sku string, hashes [][]byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00", sku)
	for _, hash := range hashes {
		sum.Write(hash)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// check returns ErrCodeInvalid, wrapped with the cause, if the code must not be given to a buyer.
func (c Code) check() error {
	if c.Num == "" {
		return fmt.Errorf("the number is missing: %w", ErrCodeInvalid)
	}
	for _, half := range [...]struct{ name, text string }{{"number", c.Num}, {"password or link", c.Pass}} {
		if len(half.text) > longestCode {
			return fmt.Errorf("the %s is longer than %d bytes: %w", half.name, longestCode, ErrCodeInvalid)
		}
		if !utf8.ValidString(half.text) || strings.ContainsFunc(half.text,
			func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("the %s contains a control character or invalid UTF-8: %w", half.name, ErrCodeInvalid)
		}
	}
	return nil
}

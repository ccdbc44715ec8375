package goods

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"marquee/server/batch"
	"marquee/server/wording"
)

const (
	// longestCode is the maximum length of the number and of the password of a code, in bytes each.
	longestCode = 1024
	// ImportBatch is the maximum number of codes that one transaction adds. It is small, because purchases wait while
	// the transaction runs.
	ImportBatch = 100
)

// AddCodes adds a list of codes to the stock of a specification, in transactions of ImportBatch codes, and returns how
// many it added. If a call is interrupted, repeat it to continue; repeating a complete one adds nothing. The complete
// list is checked before the first write: AddCodes returns a *CodeError with the position of the first code that is not
// allowed (errCodeInvalid), that occurs twice, or that was stored before as part of another list (both ErrCodeExists).
// It returns errWithoutCodes for goods without codes, and ErrGoodsNotFound for an unknown specification.
func (s *Service) AddCodes(ctx context.Context, skuCode string, codes []Code, actor string) (added int, err error) {
	hashes, err := s.checkCodes(codes)
	if err != nil {
		return 0, err
	}
	known := make([]bool, len(codes)) // whether the code at a position is stored, under any accepted pepper
	var lists []string                // the keys of this list, one for each accepted pepper, the current one first
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
			if found && !slices.Contains(lists, key) { // resealed codes keep this key
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
	if len(left) == 0 { // all codes are stored; only check the specification
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
			return fmt.Errorf("specification %q: %w", sku, errWithoutCodes)
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

// listKey returns a key that identifies a list of codes for a specification, so that an interrupted import can be
// repeated. It is derived from the keyed hashes of the codes and reveals nothing about them.
func (s *Service) listKey(sku string, hashes [][]byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00", sku)
	for _, hash := range hashes {
		sum.Write(hash)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// check returns errCodeInvalid, wrapped with the cause, if a buyer could not use the code.
func (c Code) check() error {
	err := checkNumber(c.Num)
	for _, half := range [...]struct{ name, text string }{{"number", c.Num}, {"password or link", c.Pass}} {
		if err != nil {
			break
		}
		if err = checkHalf(half.text); err != nil {
			err = fmt.Errorf("the %s %w", half.name, err)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", err, errCodeInvalid)
	}
	return nil
}

// headings are usual column headings in spreadsheets with codes, in lower case without spaces and punctuation.
var headings = []string{
	"num", "number", "no", "code", "codes", "card", "cards", "cardno", "cardnum", "cardnumber", "cardcode", "vouchercode",
	"voucher", "couponcode", "coupon", "serial", "serialno", "serialnumber", "sn", "id", "account", "key", "cdkey",
	"giftcode", "redeemcode", "pin", "pass", "password", "link", "url", "nan", "na", "null", "none",
}

// checkNumber returns an error if the number of a code is missing or is a column heading.
func checkNumber(num string) error {
	word := strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, num))
	switch {
	case num == "":
		return errors.New("the number is missing")
	case strings.ContainsFunc(num, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsPrint(r) }):
		return errors.New("the number contains characters that are neither Latin letters nor digits: is it a heading?")
	case slices.Contains(headings, word):
		return errors.New("the number is the heading of a column")
	}
	return nil
}

// spreadsheetDebris are patterns of texts into which a spreadsheet program may have converted a code, each with an
// explanation for the operator.
var spreadsheetDebris = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`^[+-]?\d+(?:[.,]\d+[eE][+-]?|[eE][+-])\d+$`),
		"is in scientific notation: its digits are lost, format the column as text"},
	{regexp.MustCompile(`^\d{4,}[.,]0+$`), "is a number with decimals: format the column as text"},
	{regexp.MustCompile(`^[='‘’＇]`), "begins with = or ', by which a spreadsheet marks text: write only the code"},
	{regexp.MustCompile(`^#(?:N/A|NAME\?|REF!|VALUE!|NUM!|NULL!|DIV/0!|#+)$`), "is an error of a spreadsheet"},
}

// checkHalf returns an error for a number or a password that a buyer could not use. The error text begins with a verb,
// because its subject is added by the caller.
func checkHalf(text string) error {
	if len(text) > longestCode {
		return fmt.Errorf("is longer than %d bytes", longestCode)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return errors.New("contains a control character or invalid UTF-8")
	}
	if i := strings.IndexFunc(text, wording.Invisible); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		return fmt.Errorf("contains %U, which is invisible", r)
	}
	for _, debris := range spreadsheetDebris {
		if debris.pattern.MatchString(text) {
			return errors.New(debris.what)
		}
	}
	return nil
}

package goods

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/batch"
)

const (
	// resealBatch is the maximum number of codes that one transaction reseals. It is small, because purchases wait
	// while the transaction runs.
	resealBatch = 100
	// ResealRun is the maximum number of codes that one call of ResealCodes reseals.
	ResealRun = 1000
)

// StoredCode is a row of the store's codes.
type StoredCode struct {
	ID    int64
	SKUID int64
	SealedCode
}

// ResealCodes encrypts and hashes with the current pepper at most ResealRun codes that were stored under another
// accepted pepper, and returns how many. They include codes that buyers have bought and may still read, and withdrawn
// codes, which are recognized by their hashes if they are imported again. ResealCodes can be interrupted and repeated
// at any time. It skips codes that cannot be decrypted, and returns an error with their ids after the others are done.
func (s *Service) ResealCodes(ctx context.Context) (resealed int, err error) {
	for _, key := range s.pepper.Keys()[1:] {
		var after int64
		for resealed < ResealRun {
			began := time.Now()
			list, readErr := s.store.CodesOfPepper(ctx, key.Prefix(nil), after, resealBatch)
			if readErr != nil || len(list) == 0 {
				err = errors.Join(err, readErr)
				break
			}
			after = list[len(list)-1].ID
			done, batchErr := s.resealBatch(ctx, list)
			resealed += done
			if err = errors.Join(err, batchErr); batchErr != nil && !errors.Is(batchErr, errUnreadable) {
				break
			}
			if waitErr := batch.Pause(ctx, time.Since(began)); waitErr != nil {
				return resealed, waitErr
			}
		}
	}
	return resealed, err
}

// resealBatch reseals the codes of the list in one transaction.
func (s *Service) resealBatch(ctx context.Context, list []StoredCode) (resealed int, err error) {
	var fresh []StoredCode
	for _, stored := range list {
		code, openErr := s.open(stored.SKUID, stored.Sealed)
		if openErr != nil {
			err = errors.Join(err, fmt.Errorf("reseal code %d: %w", stored.ID, openErr))
			continue
		}
		fresh = append(fresh, StoredCode{ID: stored.ID, SKUID: stored.SKUID,
			SealedCode: s.sealCode(stored.SKUID, code)})
	}
	updateErr := s.store.Update(ctx, func(tx Tx) error {
		for _, c := range fresh {
			if err := tx.Goods.ResealCode(c.ID, c.SealedCode); err != nil {
				return fmt.Errorf("reseal code %d: %w", c.ID, err)
			}
		}
		return nil
	})
	if updateErr != nil {
		return 0, errors.Join(err, updateErr)
	}
	return len(fresh), err
}

// CheckPeppers returns an error if stored codes are sealed with a pepper that is not accepted. Orders with such codes
// could not be shown, and the codes could be imported and sold again.
func (s *Service) CheckPeppers(ctx context.Context) error {
	prefixes := make([][]byte, 0, len(s.pepper.Keys()))
	for _, key := range s.pepper.Keys() {
		prefixes = append(prefixes, key.Prefix(nil))
	}
	n, err := s.store.CodesOfOtherPeppers(ctx, prefixes)
	if err != nil {
		return fmt.Errorf("goods: count the codes of other peppers: %w", err)
	}
	if n > 0 {
		return fmt.Errorf("%d voucher codes are sealed with a pepper that is neither MARQUEE_PEPPER nor "+
			"MARQUEE_PEPPER_PREVIOUS: set MARQUEE_PEPPER_PREVIOUS to that pepper until `shop admin pepper` counts "+
			"none", n)
	}
	return nil
}

package cards

import (
	"context"
	"crypto/hmac"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/pepper"
)

// cardOfBuyer reads a card of the buyer. It fails with ErrCardNotFound for another buyer's card, as for one that does
// not exist.
func cardOfBuyer(tx Tx, userID, cardID int64, now time.Time) (Card, error) {
	card, err := tx.Cards.Get(cardID, now)
	if err == nil && (card.UserID != userID || card.Deleted) {
		err = ErrCardNotFound
	}
	if isNotFound(err) {
		return Card{}, errNoSuchCard
	}
	return card, err
}

// errNoSuchCard is ErrCardNotFound with the message for a card that was selected, not typed.
var errNoSuchCard = ErrCardNotFound.WithMessage("未找到这张卡")

// Card returns one of the buyer's cards. It fails with ErrCardNotFound.
func (s *Service) Card(ctx context.Context, userID, cardID int64) (Card, error) {
	list, err := s.store.CardsOf(ctx, userID, s.now())
	if err != nil {
		return Card{}, fmt.Errorf("read card: %w", err)
	}
	for _, c := range list {
		if c.ID == cardID {
			return c, nil
		}
	}
	return Card{}, errNoSuchCard
}

// Delete removes a card from its owner's list. It fails with ErrCardHasBalance while the card has points that can be
// spent or that a payment holds. A frozen card stays frozen, even if returned points put it back on the list later.
func (s *Service) Delete(ctx context.Context, userID, cardID int64) error {
	err := s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		card, err := cardOfBuyer(tx, userID, cardID, now)
		if err != nil {
			return err
		}
		if card.Balance+card.Held != 0 {
			return ErrCardHasBalance
		}
		if err := expireLotsOf(tx, cardID, now); err != nil {
			return err
		}
		card.Deleted = true
		if err := tx.Cards.Save(card); err != nil {
			return err
		}
		return tx.Audit.Record(now, audit.User(userID), "card.deleted", audit.Card(cardID), string(card.Status),
			"deleted")
	})
	if err != nil {
		return fmt.Errorf("delete card: %w", err)
	}
	return nil
}

// expireLotsOf removes the points of a card's expired lots and books them as expired.
func expireLotsOf(tx Tx, cardID int64, now time.Time) error {
	lots, err := tx.Ledger.Lots([]int64{cardID})
	if err != nil {
		return err
	}
	for _, lot := range lots {
		if lot.Avail > 0 && !now.Before(lot.ExpiresAt) {
			if err := expireLot(tx, lot, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// Record is one line of a card's history.
type Record struct {
	Event  Event
	Points money.Points // change of the card's points; negative for a deduction
	Remark string       // shown to the buyer
	At     time.Time    // business time
	// Order is the order that the points paid; zero if there is none.
	Order RecordOrder
}

// RecordOrder is an order in a card's history.
type RecordOrder struct {
	No    string
	Kind  string // ticket or goods
	Title string // what was bought
}

// Consumption and Recharges are the events that the two record lists of a card's page show.
var (
	Consumption = []Event{EventCommit, EventDeduct}
	Recharges   = []Event{EventRecharge, EventCredit, EventRefund}
)

// maxRecords is the maximum number of records of a page.
const maxRecords = 100

// Records lists the records of the events of a buyer's card, newest first, and returns the number of records on all
// pages. Pages count from 1; page and size are clamped to their valid ranges.
func (s *Service) Records(ctx context.Context, userID, cardID int64, events []Event, page, size int) ([]Record, int,
	error) {
	if _, err := s.Card(ctx, userID, cardID); err != nil {
		return nil, 0, err
	}
	page, size = min(max(page, 1), 1_000_000), min(max(size, 1), maxRecords)
	return s.store.Records(ctx, cardID, events, size, (page-1)*size)
}

// codeBytes is the length of the card's id, the expiry and the signature in a code.
const codeBytes = 8 + 4 + 8

// maxCodeDigits is the number of digits of the largest code: 2^160 has 49, and a code has an even number.
const maxCodeDigits = 50

// Code returns the code that a card's page shows, as digits for a bar code: the card's id and an expiry, signed with
// the pepper. It is valid for durations.CardCode and does not reveal the password. CardOfCode returns the card of a
// code.
func (s *Service) Code(cardID int64) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(cardID))
	plain = binary.BigEndian.AppendUint32(plain, uint32(s.now().Add(durations.CardCode).Unix()))
	return codeDigits(new(big.Int).SetBytes(append(plain, codeMAC(s.pepper.Current(), plain)...)))
}

// codeDigits returns the digits of a number, with a leading 0 if their count is odd, because a bar code encodes digits
// in pairs. The card's id is in the highest bytes of the number, so that small ids make short codes.
func codeDigits(n *big.Int) string {
	digits := n.String()
	return strings.Repeat("0", len(digits)%2) + digits
}

func codeMAC(key pepper.Key, plain []byte) []byte { return key.MAC("card code" + string(plain))[:8] }

// CardOfCode returns the id of the card whose page shows the code. It fails with ErrCardNotFound if the code is forged
// or expired.
func (s *Service) CardOfCode(code string) (int64, error) {
	// Reject a long text before parsing it, which takes time that grows with the square of the length.
	if len(code) > maxCodeDigits {
		return 0, errNoSuchCard
	}
	n, isNumber := new(big.Int).SetString(code, 10)
	if !isNumber || n.Sign() < 0 || n.BitLen() > codeBytes*8 || codeDigits(n) != code {
		return 0, errNoSuchCard
	}
	raw := n.FillBytes(make([]byte, codeBytes))
	signed := func(key pepper.Key) bool { return hmac.Equal(raw[12:], codeMAC(key, raw[:12])) }
	if !slices.ContainsFunc(s.pepper.Keys(), signed) {
		return 0, errNoSuchCard
	}
	if s.now().Unix() > int64(binary.BigEndian.Uint32(raw[8:12])) {
		return 0, errNoSuchCard
	}
	return int64(binary.BigEndian.Uint64(raw[:8])), nil // Code made these bytes from an int64: no overflow
}

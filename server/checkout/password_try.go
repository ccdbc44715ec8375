package checkout

import (
	"context"

	"marquee/server/order"
)

// passwordTry is a right try of the payment password. It goes on until the payment is written, so that counting it
// needs no transaction of its own. The zero value, of a payment without cards, is no try.
type passwordTry struct {
	payer  *Payer
	userID int64
	number int64 // 0: there is nothing to end
}

func (s *Payer) beginTry(ctx context.Context, userID int64, password string) (passwordTry, error) {
	number, err := s.passwords.BeginPayment(ctx, userID, password)
	return passwordTry{s, userID, number}, err
}

// update writes a payment in one transaction, in which the try ends. If the payment is not written, the try ends alone:
// the password was right. Either way it has ended; a second payment with the same try ends nothing.
func (t *passwordTry) update(ctx context.Context, store order.Updater, fn func(tx order.Tx) error) error {
	number := t.number
	if number == 0 {
		return store.Update(ctx, fn)
	}
	t.number = 0
	err := store.Update(ctx, func(tx order.Tx) error {
		if err := tx.PasswordTries.EndRight(t.userID, number); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		t.endAlone(ctx, number)
	}
	return err
}

// end ends a try that allowed something without a transaction.
func (t *passwordTry) end(ctx context.Context) {
	if t.number != 0 {
		t.endAlone(ctx, t.number)
		t.number = 0
	}
}

func (t *passwordTry) endAlone(ctx context.Context, number int64) {
	if err := t.payer.passwords.EndRightTry(ctx, t.userID, number); err != nil {
		t.payer.logger.WarnContext(ctx, "right password try not ended; it will count as wrong",
			"user", t.userID, "error", err)
	}
}

package checkout

import (
	"context"

	"marquee/server/order"
)

// passwordTry is a correct attempt at the payment password. The transaction that writes the payment ends it, so that
// counting it needs no transaction of its own. The zero value belongs to a payment without cards and ends nothing.
type passwordTry struct {
	payer  *Payer
	userID int64
	number int64 // 0: there is nothing to end
}

func (s *Payer) beginTry(ctx context.Context, userID int64, password string) (passwordTry, error) {
	number, err := s.passwords.BeginPayment(ctx, userID, password)
	return passwordTry{s, userID, number}, err
}

// update writes a payment in one transaction, in which the attempt ends. If the payment is not written, the attempt
// ends in a transaction of its own, because the password was correct. A second call ends nothing.
func (t *passwordTry) update(ctx context.Context, store order.Updater, fn func(tx order.Tx) error) error {
	number := t.number
	if number == 0 {
		return store.Update(ctx, fn)
	}
	t.number = 0
	err := store.Update(ctx, func(tx order.Tx) error {
		if err := tx.PasswordTries.EndCorrect(t.userID, number); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		t.endInOwnTransaction(ctx, number)
	}
	return err
}

// end ends an attempt whose caller writes no payment.
func (t *passwordTry) end(ctx context.Context) {
	if t.number != 0 {
		t.endInOwnTransaction(ctx, t.number)
		t.number = 0
	}
}

func (t *passwordTry) endInOwnTransaction(ctx context.Context, number int64) {
	if err := t.payer.passwords.EndCorrectTry(ctx, t.userID, number); err != nil {
		t.payer.logger.WarnContext(ctx, "correct password attempt could not be ended",
			"user", t.userID, "error", err)
	}
}

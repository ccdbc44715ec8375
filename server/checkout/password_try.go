package checkout

import (
	"context"

	"marquee/server/order"
)

// passwordTry is a correct attempt at the payment password. The transaction that writes the payment ends it, which
// saves a separate transaction. The zero value is for payments without cards and does nothing.
type passwordTry struct {
	payer  *Payer
	userID int64
	number int64 // 0: there is nothing to end
}

func (s *Payer) beginTry(ctx context.Context, userID int64, password string) (passwordTry, error) {
	number, err := s.passwords.BeginPayment(ctx, userID, password)
	return passwordTry{s, userID, number}, err
}

// update writes a payment and ends the attempt in one transaction. If that fails, it ends the attempt in a separate
// transaction, because the password was correct. A second call only writes the payment.
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
		t.endInSeparateTransaction(ctx, number)
	}
	return err
}

// end ends an attempt without writing a payment.
func (t *passwordTry) end(ctx context.Context) {
	if t.number != 0 {
		t.endInSeparateTransaction(ctx, t.number)
		t.number = 0
	}
}

func (t *passwordTry) endInSeparateTransaction(ctx context.Context, number int64) {
	if err := t.payer.passwords.EndCorrectTry(ctx, t.userID, number); err != nil {
		t.payer.logger.WarnContext(ctx, "ending the correct password attempt failed",
			"user", t.userID, "error", err)
	}
}

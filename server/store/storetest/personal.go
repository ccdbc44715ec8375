package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/order"
	"marquee/server/personal"
)

// closedAccounts tests that a closed account gets neither an order nor a card: both return account.ErrLoginRequired.
// Closing it once more does so, too.
func closedAccounts(t *testing.T, e Engine) {
	u, err := e.Accounts.EnsureUser(t.Context(), "13800000001", noon)
	require.NoError(t, err)
	cardID, _ := e.card(t, 0, 1, 0)
	bind := func() error {
		return e.Cards.Update(t.Context(), func(tx cards.Tx) error {
			c, err := tx.Cards.Get(cardID, noon)
			if err != nil {
				return err
			}
			c.UserID = u.ID
			return tx.Cards.Save(c)
		})
	}
	shut := func() error {
		return e.Personal.Update(t.Context(), func(tx personal.Tx) error {
			return tx.Accounts.Close(u.ID, account.Event{At: noon, Kind: account.AccountClosed, UserID: u.ID,
				Actor: "buyer"})
		})
	}
	require.NoError(t, shut())
	require.ErrorIs(t, shut(), account.ErrLoginRequired)
	require.ErrorIs(t, bind(), account.ErrLoginRequired)
	o := newOrder("1", u.ID, "1-1")
	require.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&o) }), account.ErrLoginRequired)
}

// erasedAccounts tests that closing removes phone, picture, password, identities, sessions and proofs of an account and
// of no other one, keeps the journal, and leaves the phone to a new account that inherits nothing.
func erasedAccounts(t *testing.T, s AccountStores) {
	ctx := t.Context()
	proofOf := func(phone string) account.StoredProof {
		return account.StoredProof{
			Hash: hashOf("proof" + phone), Kind: account.ProofOfIdentity, Subject: "o" + phone, Browser: hashOf("browser"),
		}
	}
	login := func(phone string) account.User {
		u, err := s.EnsureUser(ctx, phone, noon)
		require.NoError(t, err)
		_, err = s.BindIdentity(ctx, account.Binding{OpenID: "o" + phone, UserID: u.ID},
			account.Event{At: noon, Kind: account.IdentityBound, UserID: u.ID})
		require.NoError(t, err)
		require.NoError(t, s.AddProof(ctx, proofOf(phone), noon.Add(durations.Proof)))
		require.NoError(t, s.AddSession(ctx, hourLong("s"+phone, u.ID), loggedIn(u.ID)))
		require.NoError(t, s.SetAvatar(ctx, u.ID, "/avatars/"+phone, []byte("picture")))
		return u
	}
	holds := func(u account.User, phone string) (found []string) {
		if ids, err := s.Personal.OpenIDs(ctx, u.ID); assert.NoError(t, err) {
			found = append(found, ids...)
		}
		live, err := s.Personal.LiveSessions(ctx, u.ID, noon)
		require.NoError(t, err)
		for _, session := range live {
			found = append(found, string(session.Method))
		}
		if s.CheckProof(ctx, proofOf(phone), noon) == nil {
			found = append(found, "proof")
		}
		if _, shown, err := s.Avatar(ctx, "/avatars/"+phone); assert.NoError(t, err) && shown {
			found = append(found, "picture")
		}
		return found
	}
	const phone, otherPhone = "13800000001", "13800000002"
	closed, other := login(phone), login(otherPhone)
	everything := func(phone string) []string {
		return []string{"o" + phone, string(account.ByApp), "proof", "picture"}
	}
	require.Equal(t, everything(phone), holds(closed, phone))
	later, err := s.Personal.LiveSessions(ctx, closed.ID, noon.Add(time.Hour))
	require.NoError(t, err)
	require.Empty(t, later, "a session that has ended")

	require.NoError(t, s.Personal.Update(ctx, func(tx personal.Tx) error {
		return tx.Accounts.Close(closed.ID, account.Event{At: noon, Kind: account.AccountClosed, UserID: closed.ID})
	}))
	require.Empty(t, holds(closed, phone))
	require.Equal(t, everything(otherPhone), holds(other, otherPhone))
	_, err = s.Session(ctx, hashOf("s"+phone), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	events, err := s.Events(ctx, account.EventFilter{UserID: closed.ID})
	require.NoError(t, err)
	require.Equal(t, account.AccountClosed, events[0].Kind)
	require.Len(t, events, 3)

	again, err := s.EnsureUser(ctx, phone, noon.Add(time.Hour))
	require.NoError(t, err)
	require.NotEqual(t, closed.ID, again.ID)
	require.Empty(t, again.AvatarURL)
	require.False(t, again.HasPassword)
	require.Empty(t, holds(again, phone))
}

// closing reads what the buyer loses by closing the account at a time.
func (e Engine) closing(t *testing.T, user int64, at time.Time) (c personal.Closing) {
	t.Helper()
	require.NoError(t, e.Personal.Update(t.Context(), func(tx personal.Tx) (err error) {
		c = personal.Closing{}
		if c.Unfinished, err = tx.Orders.Unfinished(user, at); err != nil {
			return err
		}
		if c.Vouchers, err = tx.Orders.CountVouchers(user, at); err != nil {
			return err
		}
		held, err := tx.Accounts.CardsOf(user, at)
		for _, card := range held {
			c.Cards++
			c.Points += card.Balance
		}
		return err
	}))
	return c
}

// unfinishedOrders tests that orders, payments and refunds that have not ended are listed with what they wait for,
// newest first, and those of other buyers are not.
func unfinishedOrders(t *testing.T, e Engine) {
	e.pending(t, "other", 9, "other")
	e.insert(t, newOrder("locking", 1, "1-1"))
	issued := func(o *order.Order) error {
		return errors.Join(o.MarkPaid(noon), o.MarkIssued(order.ProviderOrder{}, noon))
	}
	failed := func(o *order.Order) error { return errors.Join(o.MarkPaid(noon), o.MarkIssueFailed("x", noon)) }
	for i, mark := range []func(*order.Order) error{
		func(o *order.Order) error { return o.MarkPaid(noon) },
		func(o *order.Order) error { return errors.Join(o.MarkPaid(noon), o.MarkIssuing(noon)) },
		issued,
		failed,
		func(o *order.Order) error { return errors.Join(failed(o), o.MarkRefunded(noon)) },
		func(o *order.Order) error { return o.MarkCancelled(noon) },
	} {
		o := e.pending(t, fmt.Sprint(i), 2, fmt.Sprint(i))
		require.NoError(t, mark(&o))
		e.save(t, &o)
	}
	assert.Equal(t, []personal.Unfinished{{OrderNo: "locking", Kind: "ticket", Reason: personal.AwaitsPayment}},
		e.closing(t, 1, noon).Unfinished)
	waiting := func(no string, reason personal.UnfinishedReason) personal.Unfinished {
		return personal.Unfinished{OrderNo: no, Kind: "ticket", Reason: reason}
	}
	assert.Equal(t, []personal.Unfinished{
		waiting("3", personal.AwaitsRefund), waiting("2", personal.AwaitsShow),
		waiting("1", personal.AwaitsDelivery), waiting("0", personal.AwaitsDelivery),
	}, e.closing(t, 2, noon).Unfinished)
	assert.NotContains(t, e.closing(t, 2, noon.Add(6*time.Hour)).Unfinished, waiting("2", personal.AwaitsShow))
	assert.Empty(t, e.closing(t, 3, noon).Unfinished)
}

// unfinishedMoney tests that an ended order is unfinished while one of its payments or refunds is.
func unfinishedMoney(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7)
	p := openPayment(o, 1)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) })
	require.NoError(t, o.MarkCancelled(noon))
	e.save(t, &o)
	reason := func() (reasons []personal.UnfinishedReason) {
		for _, u := range e.closing(t, 7, noon).Unfinished {
			reasons = append(reasons, u.Reason)
		}
		return reasons
	}
	refunding := []personal.UnfinishedReason{personal.AwaitsRefund}
	assert.Equal(t, refunding, reason(), "its payment is open")
	move := func(from, to order.PaymentState) {
		e.update(t, func(tx order.Tx) error { return tx.Payments.Move(p.ID, from, to) })
	}
	move(order.PaymentOpen, order.PaymentUnknown)
	assert.Equal(t, refunding, reason(), "its payment is unknown")
	move(order.PaymentUnknown, order.PaymentClosed)
	assert.Empty(t, reason())

	move(order.PaymentClosed, order.PaymentLate)
	leg := p.Legs[0]
	e.update(t, func(tx order.Tx) error { return tx.Payments.CaptureLeg(leg, "tx", noon) })
	leg.Captured = leg.Amount
	refund := order.NewRefund(leg, 1, "late", noon)
	e.update(t, func(tx order.Tx) error { return tx.Refunds.Insert(&refund) })
	assert.Equal(t, refunding, reason(), "its money is on the way back")
	back := refund
	back.State, back.SentAt, back.RefundID = order.RefundSettled, noon, "R1"
	e.update(t, func(tx order.Tx) error { return tx.Refunds.Save(back, order.RefundReady) })
	assert.Empty(t, reason())
}

// lostBelongings tests that closing counts the cards with their points, and the vouchers that are still valid.
func lostBelongings(t *testing.T, e Engine) {
	e.card(t, 7, 1, 500)
	e.card(t, 7, 2, 0)
	e.card(t, 8, 1, 900)
	sku := e.addGoods(t, "x", goods.VirtualCode, 2)
	deliver := func(no string, endsAt time.Time) {
		o := goodsOrder(no)
		o.Snapshot.Goods.Type, o.Snapshot.Goods.EndsAt = goods.VirtualCode, endsAt
		e.update(t, func(tx order.Tx) error { return holdOne(tx, &o, sku) })
		assert.Len(t, e.closing(t, 7, noon).Unfinished, 1, "not delivered")
		require.NoError(t, errors.Join(o.MarkPaid(noon), o.MarkIssued(order.ProviderOrder{}, noon)))
		e.save(t, &o)
		e.update(t, func(tx order.Tx) error {
			if _, err := tx.Stock.Sell(o.No, noon); err != nil {
				return err
			}
			_, err := tx.Stock.GiveCodes(o.No, noon)
			return err
		})
	}
	deliver("endless", time.Time{})
	deliver("a day", noon.Add(24*time.Hour))
	lost := e.closing(t, 7, noon)
	assert.Equal(t, personal.Closing{Unfinished: []personal.Unfinished{}, Cards: 2, Points: 500, Vouchers: 2}, lost)
	assert.Equal(t, 1, e.closing(t, 7, noon.Add(24*time.Hour)).Vouchers, "one has ended")
	other := e.closing(t, 8, noon)
	assert.Equal(t, personal.Closing{Unfinished: []personal.Unfinished{}, Cards: 1, Points: 900}, other)
}

// anonymisedOrders tests that phone, recharged account, identity and message are removed from the orders of a buyer.
// Amounts, seats and tickets stay, and the orders of other buyers do not change.
func anonymisedOrders(t *testing.T, e Engine) {
	for user := range int64(2) {
		o := e.pending(t, fmt.Sprint("t", user), user+1, fmt.Sprint(user))
		p := openPayment(o, 1)
		e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) })
		require.NoError(t, errors.Join(o.MarkPaid(noon), o.MarkIssued(order.ProviderOrder{
			SMS: "凭 123 取票", Tickets: []order.TicketCode{{Name: "序列号", Code: "123"}},
		}, noon)))
		e.save(t, &o)
	}
	g := goodsOrder("g")
	g.UserID, g.Snapshot.Mobile, g.Snapshot.Goods.Account = 1, "13900000001", "13900000001"
	e.insert(t, g)
	read := func(no string) (order.Order, order.Leg) {
		t.Helper()
		o, err := e.Reader.Order(t.Context(), no)
		require.NoError(t, err)
		payments, err := e.Reader.Payments(t.Context(), no)
		require.NoError(t, err)
		if len(payments) == 0 {
			return o, order.Leg{}
		}
		return o, payments[0].Legs[0]
	}
	kept, keptLeg := read("t1")
	before, beforeLeg := read("t0")
	require.Equal(t, "openid", beforeLeg.OpenID)
	for range 2 { // a second time changes nothing
		require.NoError(t, e.Personal.Update(t.Context(), func(tx personal.Tx) error { return tx.Orders.Anonymise(1) }))
	}
	after, afterLeg := read("t0")
	before.Snapshot.Mobile, before.SMS, beforeLeg.OpenID = "", "", ""
	assert.Equal(t, before, after)
	assert.Equal(t, beforeLeg, afterLeg)
	bought, _ := read("g")
	assert.Empty(t, bought.Snapshot.Mobile+bought.Snapshot.Goods.Account)
	assert.Equal(t, "会员", bought.Snapshot.Goods.Title)
	still, stillLeg := read("t1")
	assert.Equal(t, kept, still)
	assert.Equal(t, keptLeg, stillLeg)
}

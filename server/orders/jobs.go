package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/goods"
	"marquee/server/payment"
)

// lookEvery is how often, in real time, the jobs look for due work when nobody wakes them.
const lookEvery = 500 * time.Millisecond

// backoff is 5 s, doubled for every try, an hour at most.
func backoff(tries int) time.Duration { return min(time.Hour, 5*time.Second<<min(tries, 20)) }

// tradeDelays are the distances between queries of an open trade; the last one repeats.
var tradeDelays = []time.Duration{15 * time.Second, time.Minute}

// Wake makes the jobs look for due work at once; after a commit, or when the clock was moved.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // woken already
	}
}

// Run does due work until ctx ends, and then what it has begun. Any number of servers may run it on one database.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	complain := func(err error) { s.Logger.ErrorContext(ctx, "jobs", "error", err) }
	sh := newShift(complain)
	defer sh.group.Wait()
	for {
		err := s.keepHouse(ctx)
		if err == nil {
			_, err = s.startDue(ctx, sh)
		}
		if err != nil && ctx.Err() == nil {
			complain(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-sh.ended:
		case <-tick.C:
		}
	}
}

// RunDue does everything that is due now, and what becomes due by doing it, then returns.
func (s *Service) RunDue(ctx context.Context) error {
	if err := s.keepHouse(ctx); err != nil {
		return err
	}
	failed := make(chan error, 1)
	sh := newShift(func(err error) {
		select {
		case failed <- err:
		default: // the first one is reported
		}
	})
	defer sh.group.Wait()
	for range maxRounds {
		idle := sh.active.Load() == 0
		n, err := s.startDue(ctx, sh)
		if err != nil {
			return err
		}
		if n == 0 && idle {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-sh.ended:
		}
	}
	return errors.New("orders: due work does not come to an end")
}

// maxRounds bounds how much work one RunDue does; a task that is due again at once would never let it return.
const maxRounds = 100_000

// runTask does one claimed task. A failure puts it off; only a store that cannot even do that is an error.
func (s *Service) runTask(ctx context.Context, t Task) error {
	ctx = saga(ctx)
	err := s.do(ctx, t)
	if err == nil {
		return nil
	}
	s.Logger.WarnContext(ctx, "task put off", "task", string(t.Kind), "subject", t.Subject, "tries", t.Tries, "error", err)
	return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Reschedule(t, s.Now().Add(backoff(t.Tries))) })
}

func (s *Service) do(ctx context.Context, t Task) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("task %s %s panicked: %v", t.Kind, t.Subject, p)
		}
	}()
	switch t.Kind {
	case TaskOrder:
		return s.moveOrder(ctx, t)
	case TaskUnlock:
		return s.unlock(ctx, t)
	case TaskTrade:
		return s.queryTrade(ctx, t)
	case TaskReconcile:
		return s.reconcile(ctx, t)
	case TaskRefund:
		return s.refund(ctx, t)
	case TaskHouse:
		return s.housework(ctx, t)
	}
	return fmt.Errorf("no job for task %s", t.Kind)
}

// moveOrder does what an order is due for.
func (s *Service) moveOrder(ctx context.Context, t Task) error {
	o, err := s.Store.Order(ctx, t.Subject)
	if err != nil {
		return err
	}
	switch o.State {
	case Locking:
		return s.sweep(ctx, o)
	case Pending:
		return s.expire(ctx, t, o)
	case Paid, Issuing:
		return s.deliver(ctx, t, o)
	}
	return s.finish(ctx, t)
}

// deliver asks for what was paid, or what became of having asked.
func (s *Service) deliver(ctx context.Context, t Task, o Order) error {
	if o.Kind == Goods && o.Snapshot.Goods.Type == goods.VirtualCode {
		return s.deliverCodes(ctx, o.No)
	}
	d, err := s.deliverer(o)
	if err != nil {
		return err
	}
	if o.State == Paid {
		return s.issue(ctx, t, o, d)
	}
	return s.poll(ctx, t, o, d)
}

// expireRetry is how soon an order is looked at again whose payment nobody can tell about.
const expireRetry = 5 * time.Second

// expire ends an order that was not paid in time, once it is certain that it was not paid.
func (s *Service) expire(ctx context.Context, t Task, o Order) error {
	now := s.Now()
	if now.Before(o.ExpiresAt) {
		return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Reschedule(t, o.ExpiresAt) })
	}
	if t.Lane != LaneGateway {
		_, found, err := s.openPaymentOf(ctx, o.No)
		if err != nil {
			return err
		}
		if found { // that is for the gateway to say, and not for others to wait for
			return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Schedule(TaskOrder, o.No, LaneGateway, now) })
		}
	}
	err := s.end(ctx, o, Expire)
	if errors.Is(err, ErrPaymentPending) {
		return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Reschedule(t, now.Add(expireRetry)) })
	}
	if errors.Is(err, errAlreadyPaid) {
		return nil // captured just now, and scheduled for its tickets
	}
	return err
}

// queryTrade asks about an open trade until it is paid or closed.
func (s *Service) queryTrade(ctx context.Context, t Task) error {
	p, err := s.paymentByTrade(ctx, t.Subject)
	if err != nil {
		return err
	}
	if p.State != payment.Open {
		return s.finish(ctx, t)
	}
	state, err := s.look(ctx, p)
	if err == nil && state == payment.TradeClosed {
		return s.closePayment(ctx, p, payment.Closed)
	}
	if err == nil && state == payment.TradePaid {
		return nil
	}
	delay := tradeDelays[min(t.Tries, len(tradeDelays)-1)]
	return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Reschedule(t, s.Now().Add(delay)) })
}

func (s *Service) paymentByTrade(ctx context.Context, no string) (p payment.Payment, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		p, err = tx.Payments.ByTrade(no)
		return err
	})
	return p, err
}

// reconcile asks a last time about a trade that was closed: money that came after all is recorded and sent back.
func (s *Service) reconcile(ctx context.Context, t Task) error {
	trade, err := s.askTrade(ctx, t.Subject)
	switch {
	case errors.Is(err, payment.ErrTradeNotFound):
	case err != nil:
		return err
	case trade.State == payment.TradeUnpaid:
		if err := s.askClose(ctx, t.Subject); err != nil {
			return err
		}
	case trade.State != payment.TradeClosed:
		if err := s.Capture(ctx, trade); err != nil && !errors.Is(err, payment.ErrNotifyRefused) {
			return err
		}
	}
	return s.finish(ctx, t)
}

func (s *Service) finish(ctx context.Context, t Task) error {
	return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Finish(t) })
}

// runOne does one task now, unless another server is at it. A failure leaves it to the jobs.
func (s *Service) runOne(ctx context.Context, kind TaskKind, subject string) {
	now := s.Now()
	t, found, err := s.Store.ClaimOne(ctx, kind, subject, now, now.Add(s.Lease))
	if err == nil && found {
		err = s.runTask(ctx, t)
	}
	if err != nil {
		s.Logger.WarnContext(ctx, "task left to the jobs", "task", string(kind), "subject", subject, "error", err)
	}
	s.Wake()
}

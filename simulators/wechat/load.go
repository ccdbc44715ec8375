package wechat

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Load fills a new messaging app with what another saved. Trades become this account's and this merchant's; tokens
// come along only if they are of the same account. An error says what does not fit.
func (s *Simulator) Load(saved State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial = saved.Serial
	maps.Copy(s.nonces, saved.Nonces)
	s.rotations.Store(max(0, saved.Rotations))
	s.loadAccount(saved)
	for _, t := range saved.Trades {
		if err := s.loadTrade(t); err != nil {
			return fmt.Errorf("wechat: trade: %w", err)
		}
	}
	for _, r := range saved.Refunds {
		if err := s.loadRefund(r); err != nil {
			return fmt.Errorf("wechat: refund: %w", err)
		}
	}
	for _, n := range saved.Notifies {
		if err := s.loadNotify(n); err != nil {
			return fmt.Errorf("wechat: notify: %w", err)
		}
	}
	return nil
}

func (s *Simulator) loadAccount(saved State) {
	a := &s.account
	a.holder = or(saved.Holder, BoundOpenID)
	for text, g := range saved.Codes {
		a.codes[text] = &code{grant{g.OpenID, g.Scope, g.End}, g.Used}
	}
	own := TokenKey(s.Credentials.AppID)
	load := func(to map[string]grant, from map[string]GrantState) {
		for text, g := range from {
			if KeyOf(text) == own {
				to[text] = grant{g.OpenID, g.Scope, g.End}
			}
		}
	}
	load(a.users, saved.Users)
	load(a.refresh, saved.Refresh)
	for text, end := range saved.Tokens {
		if KeyOf(text) == own {
			a.tokens[text] = end
			a.ticket, a.ticketEnd = saved.Ticket, saved.TicketEnd
		}
	}
	if KeyOf(saved.Stable) == own {
		a.stable = saved.Stable
	}
}

func (s *Simulator) loadTrade(saved TradeState) error {
	t := &trade{
		state: saved.State, prepaidAt: saved.PrepaidAt, payableUntil: saved.PayableUntil, transactionID: saved.TransactionID,
		paidAt: saved.PaidAt, refunded: saved.Refunded, closedAt: saved.ClosedAt, number: s.announced,
	}
	if err := json.Unmarshal(saved.Order, &t.order); err != nil || !outTradeNo.MatchString(t.OutTradeNo) {
		return errors.New("its order cannot be read")
	}
	if stateTexts[t.state] == "" || len(saved.PrepayIDs) == 0 {
		return fmt.Errorf("%s has no state %q, or no prepay_id", t.OutTradeNo, t.state)
	}
	t.AppID, t.MchID = s.Credentials.AppID, s.Credentials.MchID
	s.announced++
	s.trades[t.OutTradeNo] = t
	for _, id := range saved.PrepayIDs {
		t.prepayID = id
		s.prepaid[id] = t
	}
	if t.transactionID != "" {
		s.paid[t.transactionID] = t
	}
	return nil
}

func (s *Simulator) loadRefund(saved RefundState) error {
	t, known := s.trades[saved.OutTradeNo]
	r := &refund{
		trade: t, refundID: saved.RefundID, state: saved.State, createdAt: saved.CreatedAt, endedAt: saved.EndedAt, settles: saved.Settles, outcome: saved.Outcome,
	}
	ends := []string{refundSuccess, refundClosed, refundAbnormal}
	switch err := json.Unmarshal(saved.Call, &r.refundCall); {
	case err != nil || !refundNo.MatchString(r.OutRefundNo):
		return errors.New("its call cannot be read")
	case !known:
		return fmt.Errorf("%s is of a trade %q that is not there", r.OutRefundNo, saved.OutTradeNo)
	case !slices.Contains(ends, r.outcome) || r.state != refundProcessing && !slices.Contains(ends, r.state):
		return fmt.Errorf("%s has no state %q that becomes %q", r.OutRefundNo, r.state, r.outcome)
	}
	s.refunds[r.OutRefundNo] = r
	if r.state == refundProcessing {
		s.Clock.AfterFunc(max(0, r.settles.Sub(s.Clock.Now())), func() { s.settle(r) })
	}
	return nil
}

func (s *Simulator) loadNotify(saved NotifyState) error {
	if saved.Operation != opNotify && saved.Operation != opRefundNotify || saved.Attempts < 0 || saved.Attempts > len(ladder) || !strings.HasPrefix(saved.URL, "http") {
		return fmt.Errorf("%s cannot be sent", saved.ID)
	}
	content, err := s.own(saved.Operation, saved.Content)
	wrong, alsoErr := s.own(saved.Operation, saved.Wrong)
	if err = errors.Join(err, alsoErr); err != nil {
		return fmt.Errorf("%s: %w", saved.ID, err)
	}
	n := &notification{
		operation: saved.Operation, url: saved.URL, event: saved.Event, summary: saved.Summary, originalType: saved.Type, id: saved.ID,
		createdAt: saved.CreatedAt, content: content, wrongContent: wrong, attempt: saved.Attempts, due: saved.Due, fault: saved.Fault,
	}
	s.outbox.mu.Lock()
	defer s.outbox.mu.Unlock()
	s.outbox.pending[n] = struct{}{}
	if saved.Aside {
		s.setAside(n)
	} else {
		s.later(n)
	}
	return nil
}

// own is a notify's content with this account and merchant in it.
func (s *Simulator) own(operation string, content json.RawMessage) ([]byte, error) {
	if operation == opRefundNotify {
		var c refundContent
		err := json.Unmarshal(content, &c)
		c.MchID = s.Credentials.MchID
		return encode(c), err
	}
	var c transaction
	err := json.Unmarshal(content, &c)
	c.AppID, c.MchID = s.Credentials.AppID, s.Credentials.MchID
	return encode(c), err
}

package wechat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// State is the messaging app's part of a snapshot. Times are business times, except those of account tokens, tickets
// and nonces, which are real.
type State struct {
	Serial       uint64        `json:"serial"`
	Certificates []certificate `json:"certificates"`         // of the platform, the oldest first
	SignsWith    string        `json:"signs_with,omitempty"` // Certificates if it is missing

	Trades   []trade        `json:"trades"` // in the order of creation
	Refunds  []refund       `json:"refunds"`
	Notifies []notification `json:"notifies"` // not yet accepted by the merchant

	Holder  string               `json:"holder"` // the openid for which a phone was started last
	Codes   map[string]grant     `json:"codes"`
	Users   map[string]grant     `json:"user_tokens"`
	Refresh map[string]grant     `json:"refresh_tokens"`
	Tokens  map[string]time.Time `json:"account_tokens"`
	Stable  string               `json:"stable_token"`
	Tickets map[string]ticket    `json:"tickets"` // by their type

	Nonces map[string]time.Time `json:"nonces"` // of calls, with the time they were seen
}

// Save returns the current state of the messaging app.
func (s *Simulator) Save() State {
	saved := State{
		SignsWith: s.platform.signsWith(), Nonces: map[string]time.Time{},
		Trades: []trade{}, Refunds: []refund{}, Notifies: []notification{},
	}
	s.platform.mu.Lock()
	saved.Certificates = s.platform.certificates.save()
	s.platform.mu.Unlock()
	s.merchant.save(&saved)
	s.login.save(&saved)
	s.appTokens.save(&saved)
	s.payments.save(&saved)
	return saved
}

// Load fills a new messaging app from the saved state of another. Trades get the ids of this world's account and
// merchant; tokens are loaded only if they belong to the same account. The error describes the inconsistent part.
func (s *Simulator) Load(saved State) error {
	switch saved.SignsWith {
	case "", Certificates, Moving, PublicKey:
		s.platform.mode.Store(cmp.Or(saved.SignsWith, Certificates))
	default:
		return fmt.Errorf("wechat: signs_with %q is unknown", saved.SignsWith)
	}
	s.platform.mu.Lock()
	err := s.platform.certificates.load(saved.Certificates)
	s.platform.mu.Unlock()
	if err != nil {
		return err
	}
	s.merchant.load(saved)
	s.login.load(saved)
	s.appTokens.load(saved)
	return s.payments.load(saved)
}

// save keeps the nonces whose timestamps can still be valid.
func (m *merchant) save(to *State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for nonce, at := range m.nonces {
		if time.Since(at) <= 2*timeWindow {
			to.Nonces[nonce] = at
		}
	}
}

// load restores all nonces.
func (m *merchant) load(saved State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.nonces, saved.Nonces)
}

// save keeps codes and tokens, and the openid for which a phone was started last.
func (l *login) save(to *State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	to.Serial = l.serial
	to.Codes, to.Users, to.Refresh = maps.Clone(l.codes), maps.Clone(l.users), maps.Clone(l.refresh)
	l.people.mu.Lock()
	defer l.people.mu.Unlock()
	to.Holder = l.people.last
}

// load restores all codes, and the tokens of the same account.
func (l *login) load(saved State) {
	l.people.setLast(cmp.Or(saved.Holder, BoundOpenID))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial = saved.Serial
	maps.Copy(l.codes, saved.Codes)
	maps.Copy(l.users, saved.Users)
	maps.Copy(l.refresh, saved.Refresh)
	own := TokenKey(l.credentials.AppID)
	for _, tokens := range []map[string]grant{l.users, l.refresh} {
		maps.DeleteFunc(tokens, func(text string, _ grant) bool { return keyOf(text) != own })
	}
}

// save keeps the account's tokens and its tickets.
func (a *appTokens) save(to *State) {
	a.mu.Lock()
	defer a.mu.Unlock()
	to.Tokens, to.Stable, to.Tickets = maps.Clone(a.tokens), a.stable, maps.Clone(a.tickets)
}

// load restores the tokens of the same account and, if there is such a token, the tickets.
func (a *appTokens) load(saved State) {
	a.mu.Lock()
	defer a.mu.Unlock()
	own := TokenKey(a.credentials.AppID)
	for text, end := range saved.Tokens {
		if keyOf(text) == own {
			a.tokens[text] = end
			maps.Copy(a.tickets, saved.Tickets)
		}
	}
	if keyOf(saved.Stable) == own {
		a.stable = saved.Stable
	}
}

// save keeps trades in the order of their creation. It saves the notifications under the same lock, so that they agree
// with the trades.
func (p *payments) save(to *State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range slices.SortedFunc(maps.Values(p.trades), func(a, b *trade) int { return a.number - b.number }) {
		to.Trades = append(to.Trades, *t)
	}
	for _, no := range slices.Sorted(maps.Keys(p.refunds)) {
		to.Refunds = append(to.Refunds, *p.refunds[no])
	}
	p.notifier.save(to)
}

// load restores trades, refunds and notifications, in this order, because a refund refers to its trade.
func (p *payments) load(saved State) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range saved.Trades {
		if err := p.loadTrade(t); err != nil {
			return fmt.Errorf("wechat: trade: %w", err)
		}
	}
	for _, r := range saved.Refunds {
		if err := p.loadRefund(r); err != nil {
			return fmt.Errorf("wechat: refund: %w", err)
		}
	}
	if err := p.checkBooks(); err != nil {
		return fmt.Errorf("wechat: %w", err)
	}
	for _, n := range saved.Notifies {
		if err := p.loadNotification(n); err != nil {
			return fmt.Errorf("wechat: notify: %w", err)
		}
	}
	return nil
}

// checkBooks returns an error if the money of a trade does not add up: its refunded amount must be the sum of its
// refunds, without the CLOSED ones, and at most its total. The caller holds the lock.
func (p *payments) checkBooks() error {
	sums := map[string]int64{}
	for _, r := range p.refunds {
		if r.State != refundClosed {
			sums[r.OutTradeNo] += r.Call.Amount.Refund
		}
	}
	for no, t := range p.trades {
		switch total := t.Order.Amount.Total; {
		case t.Refunded != sums[no]:
			return fmt.Errorf("trade: %s has %d fen refunded, and refunds of %d fen", no, t.Refunded, sums[no])
		case t.Refunded > total:
			return fmt.Errorf("trade: %s of %d fen has %d fen refunded", no, total, t.Refunded)
		}
	}
	return nil
}

// loadTrade adds a saved trade, with the ids of this world's account and merchant. It returns an error for an
// inconsistent trade.
func (p *payments) loadTrade(t trade) error {
	if !outTradeNo.MatchString(t.Order.OutTradeNo) {
		return fmt.Errorf("%q is not an out_trade_no", t.Order.OutTradeNo)
	}
	if stateTexts[t.State] == "" || len(t.PrepayIDs) == 0 {
		return fmt.Errorf("%s has an unknown state %q, or no prepay_id", t.Order.OutTradeNo, t.State)
	}
	paid := t.State == stateSuccess || t.State == stateRefunded
	switch {
	case t.Order.Amount.Total < 1:
		return fmt.Errorf("trade %s has a total of %d fen, at least 1 is needed", t.Order.OutTradeNo, t.Order.Amount.Total)
	case p.trades[t.Order.OutTradeNo] != nil:
		return fmt.Errorf("%s appears twice", t.Order.OutTradeNo)
	case paid != (t.TransactionID != "") || paid == t.PaidAt.IsZero():
		return fmt.Errorf("%s is %s, which does not fit its transaction_id or paid_at", t.Order.OutTradeNo, t.State)
	}
	if t.CreatedAt.IsZero() {
		t.CreatedAt = t.PrepaidAt
	}
	t.Order.AppID, t.Order.MchID, t.number = p.appID, p.mchID, p.created
	p.created++
	p.trades[t.Order.OutTradeNo] = &t
	for _, id := range t.PrepayIDs {
		if other := p.prepaid[id]; other != nil {
			return fmt.Errorf("%s has the prepay_id %s of %s", t.Order.OutTradeNo, id, other.Order.OutTradeNo)
		}
		p.prepaid[id] = &t
	}
	if other := p.paid[t.TransactionID]; other != nil {
		return fmt.Errorf("%s has the transaction_id of %s", t.Order.OutTradeNo, other.Order.OutTradeNo)
	}
	if t.TransactionID != "" {
		p.paid[t.TransactionID] = &t
	}
	return nil
}

// loadRefund adds a saved refund of a loaded trade. If it is still PROCESSING, its settlement is scheduled. It returns
// an error for an inconsistent refund.
func (p *payments) loadRefund(r refund) error {
	ends := []string{refundSuccess, refundClosed, refundAbnormal}
	switch r.trade = p.trades[r.OutTradeNo]; {
	case !refundNo.MatchString(r.Call.OutRefundNo):
		return fmt.Errorf("%q is not an out_refund_no", r.Call.OutRefundNo)
	case p.refunds[r.Call.OutRefundNo] != nil:
		return fmt.Errorf("%s appears twice", r.Call.OutRefundNo)
	case r.Call.Amount.Refund < 1:
		return fmt.Errorf("%s has an amount of %d fen", r.Call.OutRefundNo, r.Call.Amount.Refund)
	case r.trade != nil && (r.trade.TransactionID == "" || r.Call.Amount.Total != r.trade.Order.Amount.Total):
		return fmt.Errorf("%s does not fit its trade %s, which is unpaid or has another total", r.Call.OutRefundNo,
			r.OutTradeNo)
	case r.trade == nil:
		return fmt.Errorf("%s is of an unknown trade %q", r.Call.OutRefundNo, r.OutTradeNo)
	case !slices.Contains(ends, r.Outcome) || r.State != refundProcessing && !slices.Contains(ends, r.State):
		return fmt.Errorf("%s has an unknown state %q or outcome %q", r.Call.OutRefundNo, r.State, r.Outcome)
	}
	p.refunds[r.Call.OutRefundNo] = &r
	if r.State == refundProcessing {
		p.clock.AfterFunc(max(0, r.SettlesAt.Sub(p.clock.Now())), func() { p.settle(&r) })
	}
	return nil
}

// loadNotification adds a saved notification, with this world's account and merchant in its content, and schedules its
// next attempt.
func (p *payments) loadNotification(n notification) error {
	if !slices.Contains(notifyOperations, n.Operation) || n.Attempts < 0 || n.Attempts > len(retryDelays) ||
		!strings.HasPrefix(n.URL, "http") {
		return fmt.Errorf("%s cannot be sent", n.ID)
	}
	var err, wrongErr error
	n.Content, err = p.readdress(n.Operation, n.Content)
	n.Wrong, wrongErr = p.readdress(n.Operation, n.Wrong)
	if err = errors.Join(err, wrongErr); err != nil {
		return fmt.Errorf("%s: %w", n.ID, err)
	}
	p.notifier.load(&n)
	return nil
}

// readdress returns a notification's content with the ids of this world's account and merchant in it.
func (p *payments) readdress(operation string, content json.RawMessage) ([]byte, error) {
	if operation == opRefundNotify {
		var c refundContent
		err := json.Unmarshal(content, &c)
		if c.SubMchID != "" {
			c.SpMchID = p.mchID
		} else {
			c.MchID = p.mchID
		}
		return encode(c), err
	}
	var c transaction
	err := json.Unmarshal(content, &c)
	if c.SubMchID != "" {
		c.SpAppID, c.SpMchID = p.appID, p.mchID
	} else {
		c.AppID, c.MchID = p.appID, p.mchID
	}
	return encode(c), err
}

// save keeps the pending notifications by the time of their next attempt.
func (d *notifier) save(to *State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := range d.pending {
		to.Notifies = append(to.Notifies, *n)
	}
	slices.SortFunc(to.Notifies, func(a, b notification) int { return a.Due.Compare(b.Due) })
}

// load schedules a pending notification.
func (d *notifier) load(n *notification) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending[n] = struct{}{}
	if n.Reordered {
		d.holdBack(n)
	} else {
		d.scheduleAttempt(n)
	}
}

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

// State is what a snapshot keeps of the messaging app. Times are business times, except those of account tokens, of the
// ticket and of nonces, which are real.
type State struct {
	Serial    uint64        `json:"serial"`
	Rotations int64         `json:"certificate_rotations"`
	Trades    []TradeState  `json:"trades"` // in the order of creation
	Refunds   []RefundState `json:"refunds"`
	Notifies  []NotifyState `json:"notifies"` // that the merchant does not have yet

	Holder  string                `json:"holder"` // the openid for which a phone was started last
	Codes   map[string]GrantState `json:"codes"`
	Users   map[string]GrantState `json:"user_tokens"`
	Refresh map[string]GrantState `json:"refresh_tokens"`
	Tokens  map[string]time.Time  `json:"account_tokens"`
	Stable  string                `json:"stable_token"`
	Ticket  string                `json:"ticket"`

	TicketEnd time.Time `json:"ticket_end,omitzero"`

	Nonces map[string]time.Time `json:"nonces"` // of calls that may not be repeated, with the time they were seen
}

// TradeState is a trade in a snapshot.
type TradeState struct {
	Order         json.RawMessage `json:"order"` // as it was created
	State         string          `json:"state"`
	PrepayIDs     []string        `json:"prepay_ids"` // the last one is alive
	PrepaidAt     time.Time       `json:"prepaid_at"`
	PayableUntil  time.Time       `json:"payable_until,omitzero"`
	TransactionID string          `json:"transaction_id,omitempty"`
	PaidAt        time.Time       `json:"paid_at,omitzero"`
	Refunded      int64           `json:"refunded"` // fen
	ClosedAt      time.Time       `json:"closed_at,omitzero"`
}

// RefundState is a refund in a snapshot.
type RefundState struct {
	Call       json.RawMessage `json:"call"` // the body of the refund call
	OutTradeNo string          `json:"out_trade_no"`
	RefundID   string          `json:"refund_id"`
	State      string          `json:"state"`
	CreatedAt  time.Time       `json:"created_at"`
	EndedAt    time.Time       `json:"ended_at,omitzero"`
	Settles    time.Time       `json:"settles"`
	Outcome    string          `json:"outcome"`
}

// NotifyState is a notification in a snapshot.
type NotifyState struct {
	Operation string          `json:"operation"`
	URL       string          `json:"url"`
	Event     string          `json:"event"`
	Summary   string          `json:"summary"`
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CreatedAt time.Time       `json:"created_at"`
	Content   json.RawMessage `json:"content"`
	Wrong     json.RawMessage `json:"wrong_content"`
	Attempts  int             `json:"attempts"`
	Due       time.Time       `json:"due"`
	Fault     string          `json:"fault,omitempty"`
	Aside     bool            `json:"aside,omitempty"` // it waits for the next notification
}

// GrantState is what a person allowed.
type GrantState struct {
	OpenID string    `json:"openid"`
	Scope  string    `json:"scope"`
	End    time.Time `json:"end"`
	Used   bool      `json:"used,omitempty"`
}

// Save returns the present state of the messaging app.
func (s *Simulator) Save() State {
	saved := State{
		Rotations: s.platform.rotations.Load(), Nonces: map[string]time.Time{}, Codes: map[string]GrantState{},
		Trades: []TradeState{}, Refunds: []RefundState{}, Notifies: []NotifyState{},
	}
	s.merchant.save(&saved)
	s.login.save(&saved)
	s.appTokens.save(&saved)
	s.payments.save(&saved)
	return saved
}

// Load fills a new messaging app with what another saved. Trades become this account's and this merchant's; tokens are
// taken over only if they are of the same account. The error names the part that is not consistent.
func (s *Simulator) Load(saved State) error {
	s.platform.rotations.Store(max(0, saved.Rotations))
	s.merchant.load(saved)
	s.login.load(saved)
	s.appTokens.load(saved)
	return s.payments.load(saved)
}

func (m *merchant) save(to *State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for nonce, at := range m.nonces {
		if time.Since(at) <= 2*timeWindow {
			to.Nonces[nonce] = at
		}
	}
}

func (m *merchant) load(saved State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.nonces, saved.Nonces)
}

func (l *login) save(to *State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	grants := func(from map[string]grant) map[string]GrantState {
		states := map[string]GrantState{}
		for text, g := range from {
			states[text] = GrantState{OpenID: g.openID, Scope: g.scope, End: g.end}
		}
		return states
	}
	to.Serial, to.Users, to.Refresh = l.serial, grants(l.users), grants(l.refresh)
	for text, c := range l.codes {
		to.Codes[text] = GrantState{c.openID, c.scope, c.end, c.used}
	}
	l.people.mu.Lock()
	defer l.people.mu.Unlock()
	to.Holder = l.people.last
}

func (l *login) load(saved State) {
	l.people.setLast(cmp.Or(saved.Holder, BoundOpenID))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial = saved.Serial
	for text, g := range saved.Codes {
		l.codes[text] = &code{grant{g.OpenID, g.Scope, g.End}, g.Used}
	}
	own := TokenKey(l.credentials.AppID)
	load := func(to map[string]grant, from map[string]GrantState) {
		for text, g := range from {
			if KeyOf(text) == own {
				to[text] = grant{g.OpenID, g.Scope, g.End}
			}
		}
	}
	load(l.users, saved.Users)
	load(l.refresh, saved.Refresh)
}

func (a *appTokens) save(to *State) {
	a.mu.Lock()
	defer a.mu.Unlock()
	to.Tokens, to.Stable, to.Ticket, to.TicketEnd = maps.Clone(a.tokens), a.stable, a.ticket, a.ticketEnd
}

func (a *appTokens) load(saved State) {
	a.mu.Lock()
	defer a.mu.Unlock()
	own := TokenKey(a.credentials.AppID)
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

func (p *payments) save(to *State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := map[*trade][]string{}
	for _, id := range slices.Sorted(maps.Keys(p.prepaid)) {
		if t := p.prepaid[id]; id != t.prepayID {
			ids[t] = append(ids[t], id)
		}
	}
	for _, t := range slices.SortedFunc(maps.Values(p.trades), func(a, b *trade) int { return a.number - b.number }) {
		to.Trades = append(to.Trades, TradeState{
			encode(t.order), t.state, append(ids[t], t.prepayID), t.prepaidAt, t.payableUntil, t.transactionID, t.paidAt, t.refunded, t.closedAt,
		})
	}
	for _, no := range slices.Sorted(maps.Keys(p.refunds)) {
		r := p.refunds[no]
		to.Refunds = append(to.Refunds, RefundState{
			encode(r.refundRequest), r.trade.OutTradeNo, r.refundID, r.state, r.createdAt, r.endedAt, r.settlesAt, r.outcome,
		})
	}
	p.notifier.save(to)
}

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
	for _, n := range saved.Notifies {
		if err := p.loadNotification(n); err != nil {
			return fmt.Errorf("wechat: notify: %w", err)
		}
	}
	return nil
}

func (p *payments) loadTrade(saved TradeState) error {
	t := &trade{
		state: saved.State, prepaidAt: saved.PrepaidAt, payableUntil: saved.PayableUntil, transactionID: saved.TransactionID,
		paidAt: saved.PaidAt, refunded: saved.Refunded, closedAt: saved.ClosedAt, number: p.created,
	}
	if err := json.Unmarshal(saved.Order, &t.order); err != nil || !outTradeNo.MatchString(t.OutTradeNo) {
		return errors.New("its order cannot be read")
	}
	if stateTexts[t.state] == "" || len(saved.PrepayIDs) == 0 {
		return fmt.Errorf("%s has an unknown state %q, or no prepay_id", t.OutTradeNo, t.state)
	}
	t.AppID, t.MchID = p.appID, p.mchID
	p.created++
	p.trades[t.OutTradeNo] = t
	for _, id := range saved.PrepayIDs {
		t.prepayID = id
		p.prepaid[id] = t
	}
	if t.transactionID != "" {
		p.paid[t.transactionID] = t
	}
	return nil
}

func (p *payments) loadRefund(saved RefundState) error {
	t, known := p.trades[saved.OutTradeNo]
	r := &refund{
		trade: t, refundID: saved.RefundID, state: saved.State, createdAt: saved.CreatedAt, endedAt: saved.EndedAt,
		settlesAt: saved.Settles, outcome: saved.Outcome,
	}
	ends := []string{refundSuccess, refundClosed, refundAbnormal}
	switch err := json.Unmarshal(saved.Call, &r.refundRequest); {
	case err != nil || !refundNo.MatchString(r.OutRefundNo):
		return errors.New("its call cannot be read")
	case !known:
		return fmt.Errorf("%s is of an unknown trade %q", r.OutRefundNo, saved.OutTradeNo)
	case !slices.Contains(ends, r.outcome) || r.state != refundProcessing && !slices.Contains(ends, r.state):
		return fmt.Errorf("%s has an unknown state %q or outcome %q", r.OutRefundNo, r.state, r.outcome)
	}
	p.refunds[r.OutRefundNo] = r
	if r.state == refundProcessing {
		p.clock.AfterFunc(max(0, r.settlesAt.Sub(p.clock.Now())), func() { p.settle(r) })
	}
	return nil
}

func (p *payments) loadNotification(saved NotifyState) error {
	if !slices.Contains(notifyOperations, saved.Operation) || saved.Attempts < 0 || saved.Attempts > len(retryDelays) ||
		!strings.HasPrefix(saved.URL, "http") {
		return fmt.Errorf("%s cannot be sent", saved.ID)
	}
	content, err := p.readdress(saved.Operation, saved.Content)
	wrong, wrongErr := p.readdress(saved.Operation, saved.Wrong)
	if err = errors.Join(err, wrongErr); err != nil {
		return fmt.Errorf("%s: %w", saved.ID, err)
	}
	p.notifier.load(&notification{
		operation: saved.Operation, url: saved.URL, event: saved.Event, summary: saved.Summary, originalType: saved.Type, id: saved.ID,
		createdAt: saved.CreatedAt, content: content, wrongContent: wrong, attempt: saved.Attempts, due: saved.Due, fault: saved.Fault,
	}, saved.Aside)
	return nil
}

// readdress returns a notification's content with this account and merchant in it.
func (p *payments) readdress(operation string, content json.RawMessage) ([]byte, error) {
	if operation == opRefundNotify {
		var c refundContent
		err := json.Unmarshal(content, &c)
		c.MchID = p.mchID
		return encode(c), err
	}
	var c transaction
	err := json.Unmarshal(content, &c)
	c.AppID, c.MchID = p.appID, p.mchID
	return encode(c), err
}

func (d *notifier) save(to *State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := range d.pending {
		to.Notifies = append(to.Notifies, NotifyState{
			n.operation, n.url, n.event, n.summary, n.originalType, n.id, n.createdAt, n.content, n.wrongContent, n.attempt, n.due, n.fault,
			slices.Contains(d.reordered, n),
		})
	}
	slices.SortFunc(to.Notifies, func(a, b NotifyState) int { return a.Due.Compare(b.Due) })
}

func (d *notifier) load(n *notification, reordered bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending[n] = struct{}{}
	if reordered {
		d.holdBack(n)
	} else {
		d.scheduleAttempt(n)
	}
}

package wechat

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// State is what a snapshot keeps of the messaging app. Times are business times, except those of account tokens and of
// the ticket, which are real.
type State struct {
	Serial    uint64        `json:"serial"`
	Rotations int64         `json:"certificate_rotations"`
	Trades    []TradeState  `json:"trades"` // in the order of announcement
	Refunds   []RefundState `json:"refunds"`
	Notifies  []NotifyState `json:"notifies"` // that the merchant does not have yet

	Holder  string                `json:"holder"` // who picked up the phone last
	Codes   map[string]GrantState `json:"codes"`
	Users   map[string]GrantState `json:"user_tokens"`
	Refresh map[string]GrantState `json:"refresh_tokens"`
	Tokens  map[string]time.Time  `json:"account_tokens"`
	Stable  string                `json:"stable_token"`
	Ticket  string                `json:"ticket"`

	TicketEnd time.Time `json:"ticket_end,omitzero"`

	Nonces map[string]time.Time `json:"nonces"` // of calls that may not be made again, with the real time they were seen
}

// TradeState is a trade in a snapshot.
type TradeState struct {
	Order         json.RawMessage `json:"order"` // as it was announced
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
	Call       json.RawMessage `json:"call"` // as it was asked for
	OutTradeNo string          `json:"out_trade_no"`
	RefundID   string          `json:"refund_id"`
	State      string          `json:"state"`
	CreatedAt  time.Time       `json:"created_at"`
	EndedAt    time.Time       `json:"ended_at,omitzero"`
	Settles    time.Time       `json:"settles"`
	Outcome    string          `json:"outcome"`
}

// NotifyState is a notify in a snapshot.
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
	Aside     bool            `json:"aside,omitempty"` // it waits for another to overtake it
}

// GrantState is what a person allowed.
type GrantState struct {
	OpenID string    `json:"openid"`
	Scope  string    `json:"scope"`
	End    time.Time `json:"end"`
	Used   bool      `json:"used,omitempty"`
}

// Save is the messaging app as it is now.
func (s *Simulator) Save() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &s.account
	saved := State{
		Serial: s.serial, Rotations: s.rotations.Load(), Holder: a.holder, Tokens: maps.Clone(a.tokens), Stable: a.stable, Ticket: a.ticket, TicketEnd: a.ticketEnd,
		Nonces: map[string]time.Time{}, Trades: []TradeState{}, Refunds: []RefundState{}, Codes: map[string]GrantState{}, Users: saveGrants(a.users), Refresh: saveGrants(a.refresh),
	}
	for nonce, at := range s.nonces {
		if s.wireNow().Sub(at) <= 2*timeWindow {
			saved.Nonces[nonce] = at
		}
	}
	for text, c := range a.codes {
		saved.Codes[text] = GrantState{c.openID, c.scope, c.end, c.used}
	}
	ids := map[*trade][]string{}
	for _, id := range slices.Sorted(maps.Keys(s.prepaid)) {
		if t := s.prepaid[id]; id != t.prepayID {
			ids[t] = append(ids[t], id)
		}
	}
	for _, t := range slices.SortedFunc(maps.Values(s.trades), func(a, b *trade) int { return a.number - b.number }) {
		saved.Trades = append(saved.Trades, TradeState{
			encode(t.order), t.state, append(ids[t], t.prepayID), t.prepaidAt, t.payableUntil, t.transactionID, t.paidAt, t.refunded, t.closedAt,
		})
	}
	for _, no := range slices.Sorted(maps.Keys(s.refunds)) {
		r := s.refunds[no]
		saved.Refunds = append(saved.Refunds, RefundState{
			encode(r.refundCall), r.trade.OutTradeNo, r.refundID, r.state, r.createdAt, r.endedAt, r.settles, r.outcome,
		})
	}
	saved.Notifies = s.outbox.save()
	return saved
}

func saveGrants(grants map[string]grant) map[string]GrantState {
	saved := map[string]GrantState{}
	for text, g := range grants {
		saved[text] = GrantState{OpenID: g.openID, Scope: g.scope, End: g.end}
	}
	return saved
}

func (o *outbox) save() []NotifyState {
	o.mu.Lock()
	defer o.mu.Unlock()
	saved := []NotifyState{}
	for n := range o.pending {
		saved = append(saved, NotifyState{
			n.operation, n.url, n.event, n.summary, n.originalType, n.id, n.createdAt, n.content, n.wrongContent, n.attempt, n.due, n.fault,
			slices.Contains(o.aside, n),
		})
	}
	slices.SortFunc(saved, func(a, b NotifyState) int { return a.Due.Compare(b.Due) })
	return saved
}

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

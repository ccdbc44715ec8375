package wechat

import (
	"encoding/json"
	"maps"
	"slices"
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

package personal

import (
	"context"
	"fmt"
	"time"

	"marquee/server/account"
	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/order"
)

// Copy is a copy of what the shop holds about a buyer, made for the buyer. A recharge of a card is in the records of
// the card, not among the orders. Times are in Beijing time, amounts in yuan, points with two decimals.
type Copy struct {
	MadeAt   string        `json:"made_at"`  // when the copy was made
	Account  AccountCopy   `json:"account"`  // the account itself
	Sessions []SessionCopy `json:"sessions"` // logins that have not ended
	Cards    []CardCopy    `json:"cards"`    // that are not deleted
	Orders   []OrderCopy   `json:"orders"`   // of tickets and goods, the newest first
	Events   []EventCopy   `json:"events"`   // of the journal of accounts
}

// AccountCopy is the account itself.
type AccountCopy struct {
	ID          int64    `json:"id"`                   // the buyer's id
	Phone       string   `json:"phone"`                // in full; "" after it was removed
	CreatedAt   string   `json:"created_at"`           // when the buyer logged in first
	AvatarURL   string   `json:"avatar_url"`           // "" without a picture
	HasPassword bool     `json:"has_payment_password"` // whether the buyer has set one
	OpenIDs     []string `json:"wechat_openids"`       // of the messaging app
}

// SessionCopy is a login that has not ended.
type SessionCopy struct {
	Method    string `json:"method"`     // code, app, link or device
	CreatedAt string `json:"created_at"` // when the buyer logged in
	ExpiresAt string `json:"expires_at"` // when the session ends by itself
	Device    string `json:"device"`     // device and browser, from the User-Agent of the client
	Network   string `json:"network"`    // a part of the client's address
}

// CardCopy is a welfare card with the movements of its points.
type CardCopy struct {
	Number  string       `json:"number"`   // in full
	Type    string       `json:"type"`     // in Chinese, as on the card's page
	Status  string       `json:"status"`   // active, or frozen by an operator
	Points  string       `json:"points"`   // the balance when the copy was made
	EndsAt  string       `json:"ends_at"`  // when the first points expire
	BoundAt string       `json:"bound_at"` // when the buyer bound it
	Records []RecordCopy `json:"records"`  // the newest first
}

// RecordCopy is a movement of points.
type RecordCopy struct {
	At     string `json:"at"`     // when it happened
	Event  string `json:"event"`  // what happened
	Points string `json:"points"` // negative if they were taken away
	Remark string `json:"remark"` // as on the card's page
}

// OrderCopy is an order with its payment.
type OrderCopy struct {
	No        string      `json:"no"`                          // the order's number
	Kind      string      `json:"kind"`                        // ticket or goods
	Title     string      `json:"title"`                       // of the film or the goods
	State     string      `json:"state"`                       // of the order
	Total     string      `json:"total"`                       // the price for the buyer
	CreatedAt string      `json:"created_at"`                  // when it was ordered
	Phone     string      `json:"phone,omitempty"`             // the phone for the tickets, or the account to recharge
	Account   string      `json:"recharged_account,omitempty"` // that the goods recharge
	Cinema    string      `json:"cinema,omitempty"`            // its name
	Starts    string      `json:"starts_at,omitempty"`         // of the show
	Seats     []string    `json:"seats,omitempty"`             // their names
	Tickets   []CodeCopy  `json:"tickets,omitempty"`           // codes for the cinema's ticket machine
	Codes     []CodeCopy  `json:"codes,omitempty"`             // of delivered vouchers
	Message   string      `json:"message,omitempty"`           // the provider's text for the buyer
	Payments  []MoneyCopy `json:"payments"`                    // one for each leg: paid by a card or the messaging app
	Refunds   []MoneyCopy `json:"refunds"`                     // one for each leg that was, or is being, refunded
}

// CodeCopy is a ticket code or a voucher code.
type CodeCopy struct {
	Name string `json:"name"` // what the provider calls the code, or the number of a voucher
	Code string `json:"code"` // the code itself, in full
}

// MoneyCopy is a leg of a payment, or a refund.
type MoneyCopy struct {
	Title  string `json:"title"`           // of the card, or the messaging app
	Amount string `json:"amount"`          // yuan
	State  string `json:"state,omitempty"` // of a refund; "" for a part of a payment
}

// EventCopy is an entry of the journal.
type EventCopy struct {
	At      string `json:"at"`      // when it happened
	Kind    string `json:"kind"`    // what happened
	Address string `json:"address"` // of the client; "" where it may be that of another person
	By      string `json:"by"`      // "buyer", or the operator as "admin:<name>"
}

// Profile reads what the account store holds of a buyer.
type Profile interface {
	// OpenIDs lists the buyer's identities.
	OpenIDs(ctx context.Context, userID int64) ([]string, error)
	// LiveSessions lists the buyer's sessions that have not ended.
	LiveSessions(ctx context.Context, userID int64, now time.Time) ([]account.NewSession, error)
}

// OrderBook reads the buyer's orders.
type OrderBook interface {
	// List returns one page of the buyer's orders on a tab, newest first. Pages count from 1.
	List(ctx context.Context, userID int64, tab order.Tab, page, size int) (order.Page, error)
	// Order returns order.ErrOrderNotFound also for the order of another buyer.
	Order(ctx context.Context, userID int64, no string) (order.Details, error)
}

// CardBook reads the buyer's cards.
type CardBook interface {
	// CardsOf lists the buyer's cards that are not deleted, with the balances at the time now.
	CardsOf(ctx context.Context, userID int64, now time.Time) ([]cards.Card, error)
	// Records lists the records of the events of a card, newest first, and returns their number on all pages.
	Records(ctx context.Context, cardID int64, events []cards.Event, limit, offset int) ([]cards.Record, int, error)
}

// CodeBook reads the voucher codes of an order.
type CodeBook interface {
	// CodesOf returns the codes in clear. It does not check to which buyer the order belongs.
	CodesOf(ctx context.Context, orderNo string) ([]goods.Code, error)
}

// ExporterConfig is what an Exporter needs.
type ExporterConfig struct {
	Profile Profile
	Orders  OrderBook
	Cards   CardBook
	Codes   CodeBook
	Reauth  Reauthenticator
	Journal *account.Journal
	Now     func() time.Time
}

// Exporter makes the copies of personal information that buyers can request.
type Exporter struct {
	profile Profile
	orders  OrderBook
	cards   CardBook
	codes   CodeBook
	reauth  Reauthenticator
	journal *account.Journal
	now     func() time.Time
}

// NewExporter makes an Exporter.
func NewExporter(c ExporterConfig) *Exporter {
	return &Exporter{
		profile: c.Profile, orders: c.Orders, cards: c.Cards, codes: c.Codes, reauth: c.Reauth, journal: c.Journal,
		now: c.Now,
	}
}

// Export returns the copy for the buyer, after checking the proof. It returns the errors of the proof.
func (x *Exporter) Export(ctx context.Context, u account.User, proof account.Reauth) (Copy, error) {
	if err := x.reauth.Reauthenticate(ctx, u, account.ForSecurity, proof); err != nil {
		return Copy{}, err
	}
	return x.ExportOnRequest(ctx, u, "")
}

// ExportOnRequest returns the copy for an operator who has identified the buyer. The reason is recorded with the event.
func (x *Exporter) ExportOnRequest(ctx context.Context, u account.User, reason string) (c Copy, err error) {
	c = Copy{
		MadeAt: clock(x.now()),
		Account: AccountCopy{
			ID: u.ID, Phone: u.Phone, CreatedAt: clock(u.CreatedAt), AvatarURL: u.AvatarURL, HasPassword: u.HasPassword,
		},
		Sessions: []SessionCopy{}, Cards: []CardCopy{}, Orders: []OrderCopy{}, Events: []EventCopy{},
	}
	if c.Account.OpenIDs, err = x.profile.OpenIDs(ctx, u.ID); err != nil {
		return c, fmt.Errorf("list identities: %w", err)
	}
	live, err := x.profile.LiveSessions(ctx, u.ID, x.now())
	if err != nil {
		return c, fmt.Errorf("list sessions: %w", err)
	}
	for _, s := range live {
		c.Sessions = append(c.Sessions, SessionCopy{string(s.Method), clock(s.Created), clock(s.Expires), s.Device, s.Network})
	}
	if err := x.addCards(ctx, &c, u.ID); err != nil {
		return c, err
	}
	if err := x.addOrders(ctx, &c, u.ID); err != nil {
		return c, err
	}
	events, err := x.journal.Events(ctx, account.EventFilter{UserID: u.ID, Most: maxEvents})
	if err != nil {
		return c, fmt.Errorf("list events: %w", err)
	}
	for _, e := range events {
		if e.Kind.Rejected() {
			e.Address = "" // it may be another person's
		}
		c.Events = append(c.Events, EventCopy{clock(e.At), string(e.Kind), e.Address, e.Actor})
	}
	x.journal.Record(ctx, x.journal.NewEvent(ctx, account.DataExported, u, reason))
	return c, nil
}

// Maximum sizes of one read: a page of orders, the records of a card, and the events of an account.
const (
	pageSize   = 100
	maxRecords = 100_000
	maxEvents  = 100_000
)

func (x *Exporter) addCards(ctx context.Context, c *Copy, userID int64) error {
	list, err := x.cards.CardsOf(ctx, userID, x.now())
	if err != nil {
		return fmt.Errorf("list cards: %w", err)
	}
	events := append(append([]cards.Event{cards.EventExpire}, cards.Consumption...), cards.Recharges...)
	for _, card := range list {
		records, _, err := x.cards.Records(ctx, card.ID, events, maxRecords, 0)
		if err != nil {
			return fmt.Errorf("list records of card %d: %w", card.ID, err)
		}
		kept := CardCopy{
			Number: card.Number, Type: card.PID.Name(), Status: string(card.Status), Points: card.Balance.String(),
			EndsAt: clock(card.EndTime), BoundAt: clock(card.BoundAt), Records: []RecordCopy{},
		}
		for _, r := range records {
			kept.Records = append(kept.Records, RecordCopy{clock(r.At), string(r.Event), r.Points.String(), r.Remark})
		}
		c.Cards = append(c.Cards, kept)
	}
	return nil
}

func (x *Exporter) addOrders(ctx context.Context, c *Copy, userID int64) error {
	for page := 1; ; page++ {
		found, err := x.orders.List(ctx, userID, order.TabAll, page, pageSize)
		if err != nil {
			return fmt.Errorf("list orders: %w", err)
		}
		for _, o := range found.Orders {
			d, err := x.orders.Order(ctx, userID, o.No)
			if err != nil {
				return fmt.Errorf("read order %s: %w", o.No, err)
			}
			kept, err := x.orderCopy(ctx, d)
			if err != nil {
				return err
			}
			c.Orders = append(c.Orders, kept)
		}
		if len(found.Orders) < pageSize {
			return nil
		}
	}
}

func (x *Exporter) orderCopy(ctx context.Context, d order.Details) (OrderCopy, error) {
	o := d.Order
	kept := OrderCopy{
		No: o.No, Kind: string(o.Kind), Title: o.Title(), State: string(o.State), Total: o.Total.String(),
		CreatedAt: clock(o.CreatedAt), Phone: o.Snapshot.Mobile, Message: o.SMS,
		Payments: []MoneyCopy{}, Refunds: []MoneyCopy{},
	}
	switch o.Kind {
	case order.Ticket:
		kept.Cinema, kept.Starts = o.Snapshot.CinemaName, clock(o.Snapshot.Show.Starts)
		for _, seat := range o.Snapshot.Seats {
			kept.Seats = append(kept.Seats, seat.Name)
		}
		for _, ticket := range o.Tickets {
			kept.Tickets = append(kept.Tickets, CodeCopy{ticket.Name, ticket.Code})
		}
	case order.Goods:
		kept.Account = o.Snapshot.Goods.Account
		codes, err := x.codes.CodesOf(ctx, o.No)
		if err != nil {
			return kept, fmt.Errorf("read the codes of order %s: %w", o.No, err)
		}
		for _, code := range codes {
			kept.Codes = append(kept.Codes, CodeCopy{code.Num, code.Pass})
		}
	}
	for _, leg := range d.Legs {
		kept.Payments = append(kept.Payments, MoneyCopy{Title: leg.Title, Amount: leg.Amount.String()})
	}
	for _, refund := range d.Refunds {
		kept.Refunds = append(kept.Refunds,
			MoneyCopy{Title: refund.Title, Amount: refund.Amount.String(), State: string(refund.State)})
	}
	return kept, nil
}

// clock formats a time in Beijing time. It returns "" for the zero time.
func clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(beijing.Time).Format(time.DateTime)
}

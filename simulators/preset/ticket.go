package preset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/newmovie"
	"marquee/simulators/ticketing"
)

// ticket is an order of tickets in a given state. With an openid the order also has a payment, whose out_trade_no is
// the number of the order.
type ticket struct {
	Provider string `yaml:"provider"` // gateway or newmovie
	Number   string `yaml:"number"`   // the shop's number of the order
	State    string `yaml:"state"`    // held, issued, issue-refused or refunded
	Showing  string `yaml:"showing"`  // none: the first one of tomorrow in Beijing that is on sale and has the seats
	Seats    int    `yaml:"seats"`    // the number of single seats, from 1 to 4; none: 1
	Mobile   string `yaml:"mobile"`   // none: 13900000007
	Reason   string `yaml:"reason"`   // why the issue was rejected; none: the provider's usual text

	OpenID    string `yaml:"openid"`     // who pays or has to pay
	NotifyURL string `yaml:"notify_url"` // of the payment

	line int
}

// stateTicketsRefunded is the state of a ticket whose issue was rejected and whose payment is being refunded. To the
// box office it is issue-refused.
const stateTicketsRefunded = "refunded"

// paymentStates are the states of a ticket's payment, by the state of the ticket.
var paymentStates = map[string]string{
	boxoffice.Held.String(): stateNotPaid, boxoffice.Issued.String(): stateSuccess,
	boxoffice.IssueRejected.String(): stateSuccess, stateTicketsRefunded: stateRefunded,
}

// ticketStates lists the valid states of a ticket, in the order in which an order reaches them.
var ticketStates = []string{
	boxoffice.Held.String(), boxoffice.Issued.String(), boxoffice.IssueRejected.String(), stateTicketsRefunded,
}

// lockLife is how long the ticketing providers keep seats locked, in business time.
var lockLife = map[string]time.Duration{
	legacygateway.Name: legacygateway.LockLife, newmovie.Name: newmovie.LockLife,
}

// pusher is a ticketing provider that reports to the shop when tickets were issued or rejected.
type pusher interface{ PushTickets(number string) }

// ticket creates an order at a box office, brings it into its state, and creates its payment. Planned faults and magic
// values have no effect.
func (a applier) ticket(t ticket) error {
	t.Mobile, t.Seats = cmp.Or(t.Mobile, "13900000007"), cmp.Or(t.Seats, 1)
	i := slices.IndexFunc(a.world.Providers(), func(p control.Provider) bool { return p.Name() == t.Provider })
	rejected := t.State == boxoffice.IssueRejected.String() || t.State == stateTicketsRefunded
	switch {
	case lockLife[t.Provider] == 0:
		return fmt.Errorf("provider is %q; valid: %s, %s", t.Provider, legacygateway.Name, newmovie.Name)
	case !slices.Contains(ticketStates, t.State):
		return fmt.Errorf("state is %q; valid: %s", t.State, strings.Join(ticketStates, ", "))
	case !ticketing.IsOrderNumber(t.Number):
		return fmt.Errorf("number is %q and must be 1 to 64 letters, digits, _ and -", t.Number)
	case !ticketing.IsMobile(t.Mobile):
		return fmt.Errorf("mobile is %q and must be a mainland mobile number of 11 digits", t.Mobile)
	case t.Seats < 1 || t.Seats > boxoffice.MaxSeats:
		return fmt.Errorf("seats is %d and must be from 1 to %d", t.Seats, boxoffice.MaxSeats)
	case t.State == stateTicketsRefunded && t.OpenID == "":
		return errors.New("refunded needs openid: without one there is no payment")
	case t.Reason != "" && !rejected:
		return fmt.Errorf("reason would not change %s; it belongs to issue-refused and refunded", t.State)
	case rejected:
		t.Reason = cmp.Or(t.Reason, ticketing.IssueFailure)
	}
	provider := a.world.Providers()[i]
	office := provider.(control.TicketSeller).Office()
	show, seats, err := a.freeSeats(office, t)
	if err != nil {
		return err
	}
	order, err := office.Hold(boxoffice.HoldRequest{
		No: t.Number, ShowID: show, SeatIDs: seats, Mobile: t.Mobile, Life: lockLife[t.Provider],
	})
	if err != nil {
		return err
	}
	if t.State != boxoffice.Held.String() {
		if _, err := office.Confirm(t.Number, order.Amount, false); err != nil {
			return err
		}
		if _, _, err := office.Issue(t.Number, 0, t.Reason); err != nil {
			return err
		}
		if p, ok := provider.(pusher); ok {
			p.PushTickets(t.Number)
		}
	}
	if t.OpenID == "" {
		return nil
	}
	return a.payment(payment{
		OutTradeNo: t.Number, Description: "电影票", Total: order.Amount, OpenID: t.OpenID, NotifyURL: t.NotifyURL,
		State: paymentStates[t.State],
	})
}

// freeSeats returns the showing of a ticket, and free single seats of one price area in it.
func (a applier) freeSeats(office *boxoffice.Office, t ticket) (showing string, seats []string, err error) {
	if t.Showing != "" {
		_, places, err := office.Places(t.Showing)
		if err != nil {
			return "", nil, fmt.Errorf("no showing %s of %s; GET /sim/v1/showings lists them", t.Showing, t.Provider)
		}
		if seats = freeSeatsOf(places, t.Seats); seats == nil {
			return "", nil, fmt.Errorf("showing %s does not have %d free single seats of one price", t.Showing, t.Seats)
		}
		return t.Showing, seats, nil
	}
	country := a.world.Country()
	beijing, _ := country.City("110100")
	tomorrow := dataset.Days(country.Now())[1]
	for _, cinema := range country.Cinemas(office.Source(), beijing) {
		for _, show := range country.ShowsOn(cinema, "", tomorrow) {
			if !show.Sellable(country.Now()) { // blocked, or closed because it starts minutes from now, after midnight
				continue
			}
			if _, places, err := office.Places(show.ID); err != nil {
				return "", nil, err
			} else if seats = freeSeatsOf(places, t.Seats); seats != nil {
				return show.ID, seats, nil
			}
		}
	}
	return "", nil, errors.New("no showing of tomorrow that is on sale has the seats; set showing")
}

// freeSeatsOf returns the ids of n free single seats of one price area, or nil if there are not as many.
func freeSeatsOf(places []boxoffice.Place, n int) []string {
	free := map[string][]string{} // by price area
	for _, p := range places {
		if p.Taken != boxoffice.TakenFree || p.Pair != dataset.Single {
			continue
		}
		free[p.Area] = append(free[p.Area], p.ID)
		if len(free[p.Area]) == n {
			return free[p.Area]
		}
	}
	return nil
}

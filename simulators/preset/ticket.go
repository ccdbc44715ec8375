package preset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"

	"marquee/simulators"
	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
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
	Reason   string `yaml:"reason"`   // why the issue was rejected; none: the provider's own text

	OpenID    string `yaml:"openid"`     // who pays or has to pay
	NotifyURL string `yaml:"notify_url"` // of the payment

	line int
}

// stateTicketsRefunded is issue-refused with a payment that was refunded. The box office itself has no such state.
const stateTicketsRefunded = "refunded"

// paymentStates are the states of a ticket with the state that its payment then has.
var paymentStates = map[string]string{
	boxoffice.Held.String(): stateNotPaid, boxoffice.Issued.String(): stateSuccess,
	boxoffice.IssueRefused.String(): stateSuccess, stateTicketsRefunded: stateRefunded,
}

// ticketStates lists the states of a ticket in the order of their course.
var ticketStates = []string{
	boxoffice.Held.String(), boxoffice.Issued.String(), boxoffice.IssueRefused.String(), stateTicketsRefunded,
}

// seller makes the calls of a shop at one of the ticketing providers.
type seller struct {
	issue    string // the operation that requests tickets, at which a failed issue is planned
	lock     func(a applier, w *simulators.World, t ticket, showing dataset.Show, seats []string) error
	askIssue func(a applier, w *simulators.World, t ticket, amount int64) error
}

var sellers = map[string]seller{
	legacygateway.Name: {"ticket.issue", lockAtGateway, issueAtGateway},
	newmovie.Name:      {"order/submit", lockAtNewMovie, issueAtNewMovie},
}

const (
	lockSeconds  = 1 // of business time, after which a lock of newmovie is decided
	issueSeconds = 3 // of business time, after which tickets are issued or the issue has failed
)

// ticket makes an order by the calls that a shop makes, until it is in its state.
func (a applier) ticket(t ticket) error {
	t.Mobile, t.Seats = cmp.Or(t.Mobile, "13900000007"), cmp.Or(t.Seats, 1)
	sells, known := sellers[t.Provider]
	switch {
	case !known:
		return fmt.Errorf("provider is %q; valid: %s, %s", t.Provider, legacygateway.Name, newmovie.Name)
	case !slices.Contains(ticketStates, t.State):
		return fmt.Errorf("state is %q; valid: %s", t.State, strings.Join(ticketStates, ", "))
	case t.Seats < 1 || t.Seats > boxoffice.MaxSeats:
		return fmt.Errorf("seats is %d and must be from 1 to %d", t.Seats, boxoffice.MaxSeats)
	case t.State == stateTicketsRefunded && t.OpenID == "":
		return errors.New("refunded needs openid: without one there is no payment")
	case t.Reason != "" && t.State != boxoffice.IssueRefused.String() && t.State != stateTicketsRefunded:
		return fmt.Errorf("reason would not change %s; it belongs to issue-refused and refunded", t.State)
	}
	w := a.sims.ByID(a.id)
	show, seats, err := a.freeSeats(w, t)
	if err != nil {
		return err
	}
	if err := sells.lock(a, w, t, show, seats); err != nil {
		return err
	}
	held, err := a.reached(t, boxoffice.Held.String(), lockSeconds)
	if err != nil {
		return err
	}
	if t.State != boxoffice.Held.String() {
		if err := a.issue(w, t, sells, held.Amount); err != nil {
			return err
		}
	}
	if t.OpenID == "" {
		return nil
	}
	return a.payment(payment{
		OutTradeNo: t.Number, Description: "电影票", Total: held.Amount, OpenID: t.OpenID, NotifyURL: t.NotifyURL,
		State: paymentStates[t.State],
	})
}

// issue requests the tickets of a held order and waits until they are issued, or until the issue fails by a planned
// fault.
func (a applier) issue(w *simulators.World, t ticket, sells seller, amount int64) error {
	want := t.State
	if want == stateTicketsRefunded {
		want = boxoffice.IssueRefused.String()
	}
	if want == boxoffice.IssueRefused.String() {
		fault, err := w.Faults().Add(faults.Fault{
			Provider: t.Provider, Operation: sells.issue, Do: ticketing.DoIssueRefused, Message: t.Reason, Times: 1,
		})
		if err != nil {
			return err
		}
		defer w.Faults().Remove(fault.ID)
	}
	if err := sells.askIssue(a, w, t, amount); err != nil {
		return err
	}
	_, err := a.reached(t, want, issueSeconds)
	return err
}

// orderAtProvider is the part of an order of GET /sim/v1/orders that a preset reads.
type orderAtProvider struct {
	Number string `json:"no"`
	State  string `json:"state"`
	Amount int64  `json:"amount_fen"`
}

// reached returns the order of a ticket once it is in a state. If it is not, business time advances by seconds first.
func (a applier) reached(t ticket, state string, seconds int) (orderAtProvider, error) {
	var order orderAtProvider
	for range 2 {
		var answer struct {
			Orders []orderAtProvider `json:"orders"`
		}
		path := "/orders?kind=ticket&world=" + a.id + "&provider=" + t.Provider + "&contains=" +
			url.QueryEscape(t.Number)
		if err := a.control(http.MethodGet, path, nil, &answer); err != nil {
			return order, err
		}
		i := slices.IndexFunc(answer.Orders, func(o orderAtProvider) bool { return o.Number == t.Number })
		if i < 0 {
			return order, errors.New("the provider does not have the order")
		}
		if order = answer.Orders[i]; order.State == state {
			return order, nil
		}
		step := fmt.Appendf(nil, `{"seconds":%d}`, seconds)
		if err := a.control(http.MethodPost, "/clock/advance?world="+a.id, step, nil); err != nil {
			return order, err
		}
	}
	return order, fmt.Errorf("the order is %s and not %s; is its mobile a magic value for a fault?", order.State, state)
}

// freeSeats returns the showing of a ticket and free single seats of one price area in it.
func (a applier) freeSeats(w *simulators.World, t ticket) (dataset.Show, []string, error) {
	source := map[string]dataset.Source{legacygateway.Name: dataset.Gateway,
		newmovie.Name: dataset.NewMovie}[t.Provider]
	if t.Showing != "" {
		show, ok := w.Country().Show(source, t.Showing)
		if !ok {
			return show, nil, fmt.Errorf("no showing %s of %s; GET /sim/v1/showings lists them", t.Showing,
				t.Provider)
		}
		seats, err := a.freeSeatsOf(t.Showing, t.Seats)
		if err == nil && seats == nil {
			err = fmt.Errorf("showing %s does not have %d free single seats of one price", t.Showing, t.Seats)
		}
		return show, seats, err
	}
	beijing, _ := w.Country().City("110100")
	tomorrow := dataset.Days(w.Country().Now())[1]
	for _, cinema := range w.Country().Cinemas(source, beijing) {
		for _, show := range w.Country().ShowsOn(cinema, "", tomorrow) {
			if !show.Sellable(w.Country().Now()) { // one shortly after midnight
				continue
			}
			if seats, err := a.freeSeatsOf(show.ID, t.Seats); err != nil || seats != nil {
				return show, seats, err
			}
		}
	}
	return dataset.Show{}, nil, errors.New("no showing of tomorrow that is on sale has the seats; set showing")
}

// freeSeatsOf returns the ids of n free single seats of one price area, or nil if a showing does not have as many.
func (a applier) freeSeatsOf(showing string, n int) ([]string, error) {
	var hall struct {
		Seats []struct {
			ID    string          `json:"id"`
			Area  string          `json:"area"`
			Pair  string          `json:"pair"`
			State boxoffice.Taken `json:"state"`
		} `json:"seats"`
	}
	if err := a.control(http.MethodGet, "/showings/"+showing+"/seats?world="+a.id, nil, &hall); err != nil {
		return nil, err
	}
	free := map[string][]string{} // by price area
	for _, seat := range hall.Seats {
		if seat.State != boxoffice.TakenFree || seat.Pair != "" {
			continue
		}
		free[seat.Area] = append(free[seat.Area], seat.ID)
		if len(free[seat.Area]) == n {
			return free[seat.Area], nil
		}
	}
	return nil, nil
}

func lockAtGateway(a applier, w *simulators.World, t ticket, show dataset.Show, seats []string) error {
	return a.gatewayCall(w, url.Values{
		"method": {"seat.lock"}, "orderno": {t.Number}, "opiid": {show.ID}, "seatids": {strings.Join(seats, "|")},
		"mobile": {t.Mobile},
	})
}

// issueAtGateway confirms the sale and asks for the tickets, which are two calls there.
func issueAtGateway(a applier, w *simulators.World, t ticket, amount int64) error {
	err := a.gatewayCall(w, url.Values{
		"method": {"order.create"}, "orderno": {t.Number}, "amount": {fmt.Sprint(amount)}, "mobile": {t.Mobile},
	})
	if err != nil {
		return err
	}
	return a.gatewayCall(w, url.Values{"method": {"ticket.issue"}, "orderno": {t.Number}})
}

// gatewayCall makes a signed call of the legacy gateway. The error is that of the gateway.
func (a applier) gatewayCall(w *simulators.World, form url.Values) error {
	keys := w.Credentials().Gateway
	form.Set("appkey", keys.AppKey)
	form.Set("v", "2.0")
	form.Set("timestamp", time.Now().In(dataset.Zone).Format(ticketing.TimeLayout))
	sign, err := legacygateway.Sign(form, keys.Secret, legacygateway.Dialect{})
	if err != nil {
		return err
	}
	form.Set("sign", sign)
	request := httptest.NewRequest(http.MethodPost, "/gateway", strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
	_, answer := a.send(request)
	var result struct {
		Success bool `json:"success"`
	}
	if json.Unmarshal(answer, &result) != nil || !result.Success {
		return errors.New(string(answer))
	}
	return nil
}

func lockAtNewMovie(a applier, w *simulators.World, t ticket, show dataset.Show, seats []string) error {
	list := []map[string]string{}
	for _, id := range seats {
		list = append(list, map[string]string{"originSeatID": id})
	}
	return a.newMovieCall(w, "order/lock", map[string]any{
		"outOrderNo": t.Number, "sessionId": show.ID, "cinemaCode": show.Cinema.Code, "seats": list, "mobile": t.Mobile,
	})
}

func issueAtNewMovie(a applier, w *simulators.World, t ticket, amount int64) error {
	return a.newMovieCall(w, "order/submit", map[string]any{
		"outOrderNo": t.Number, "amount": fmt.Sprintf("%d.%02d", amount/100, amount%100), "mobile": t.Mobile,
	})
}

// newMovieCall makes a call of newmovie with a new bearer token. The error is that of the provider.
func (a applier) newMovieCall(w *simulators.World, operation string, body map[string]any) error {
	keys := w.Credentials().NewMovie
	var token struct {
		Data struct {
			AccessToken string `json:"access_token"`
		} `json:"data"`
	}
	account := map[string]any{"entId": keys.EntID, "appSecret": keys.AppSecret}
	if err := a.newMoviePost("oauth/token", "", account, &token); err != nil {
		return err
	}
	return a.newMoviePost(operation, "Bearer "+token.Data.AccessToken, body, nil)
}

func (a applier) newMoviePost(operation, authorization string, body map[string]any, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request := httptest.NewRequest(http.MethodPost, "/newmovie/api/"+operation, bytes.NewReader(encoded))
	request.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	_, answer := a.send(request)
	var result struct {
		Code *int `json:"code"`
	}
	if json.Unmarshal(answer, &result) != nil || result.Code == nil || *result.Code != 0 {
		return errors.New(string(answer))
	}
	return decode(answer, into)
}

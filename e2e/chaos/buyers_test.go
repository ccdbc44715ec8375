package chaos

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"marquee/e2e/harness"
	"marquee/server/httpapi"
)

// The load: buyers that purchase without pause, one kind after the other. A request without an answer is repeated with
// the same idempotency key, as in the web app.
const (
	loadBuyers = 24
	// showingsEach is the number of showings in which a buyer locks seats.
	showingsEach = 2
	cardPoints   = 5_000_000_00 // hundredths of a point on each buyer's card: more than a run spends
	// One of answersToLose answers is lost after the shop has processed the request.
	answersToLose = 10
	// Codes of the goods that the load buys. A run that has bought them all continues with tickets.
	goodsTitle, goodsSKU, goodsCodes = "晨光咖啡中杯券", "coffee-1", 4000
)

// kind is what a buyer purchases and how it is paid.
type kind string

const (
	ticketsByCard kind = "tickets, card"
	goodsByCard   kind = "goods, card"
	ticketsInApp  kind = "tickets, app"
	goodsInApp    kind = "goods, app"
)

// allKinds is the order in which a buyer purchases.
var allKinds = []kind{ticketsByCard, goodsByCard, ticketsByCard, ticketsInApp, ticketsByCard, goodsInApp}

// buyer is one client of the load.
type buyer struct {
	token, card, openID string
	sku                 string // of the goods that it buys
	seats               []seat // that it has not tried yet
	client              *http.Client
	shop, sims          string // addresses of the balancer and of the simulators
	channel             string

	tried int             // purchases
	acked map[string]kind // by order: purchases whose payment was acknowledged
}

type seat struct{ opiid, id, price string }

// retried are the error codes after which a client tries again: they occur if an earlier answer was lost, or if the
// shop could not answer. payment_password_busy occurs because a password that a killed replica was checking counts as a
// running try for a minute.
var retried = map[string]bool{
	"internal": true, "lock_unanswered": true, "lock_in_progress": true, "payment_changed": true,
	"payment_password_busy": true,
}

// pause waits for a moment before a client repeats a request.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}

// shopError is the stable code of an error of the shop.
type shopError string

// Error returns the code.
func (e shopError) Error() string { return string(e) }

// errLost is the error of a request without an answer, or with one of the balancer.
var errLost = errors.New("no answer")

// post posts a form, without repeating it.
func (b *buyer) post(ctx context.Context, path string, form url.Values, into any) error {
	form.Set("channel_no", b.channel)
	form.Set("token", b.token)
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.shop+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := b.client.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	if resp.StatusCode == http.StatusBadGateway || resp.StatusCode == http.StatusServiceUnavailable {
		return fmt.Errorf("%w: %s", errLost, resp.Status)
	}
	var answer struct {
		Error string
		Data  json.RawMessage
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s: %s: %s", path, resp.Status, text)
	}
	if answer.Error != "" {
		return shopError(answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

// repeat posts a form until it is answered with anything but the error "internal". It counts the repetitions.
func (b *buyer) repeat(ctx context.Context, l *load, path string, form url.Values, into any) error {
	for {
		err := b.post(ctx, path, form, into)
		if mathrand.IntN(answersToLose) == 0 {
			err = fmt.Errorf("%w: it was lost on its way", errLost)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err() // also if the last answer was lost
		}
		var code shopError
		switch {
		case errors.Is(err, errLost):
			l.count("no answer")
		case errors.As(err, &code) && code == "internal":
			l.count("internal")
		default:
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// load is the buyers and their results.
type load struct {
	buyers []*buyer
	kinds  []kind // what they purchase in turn

	mu      sync.Mutex
	retries map[string]int // by what was retried
	paid    int
}

func (l *load) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retries[what]++
}

// purchases returns how many payments were acknowledged.
func (l *load) purchases() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paid
}

// run lets the buyers purchase until stop is closed. Each completes its last purchase. It returns the first answer that
// a client cannot retry.
func (l *load) run(ctx context.Context, stop <-chan struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, b := range l.buyers {
		group.Go(func() error {
			for {
				select {
				case <-stop:
					return nil
				default:
				}
				if err := b.purchase(ctx, l); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// purchase makes one purchase, of the next kind.
func (b *buyer) purchase(ctx context.Context, l *load) error {
	of := l.kinds[b.tried%len(l.kinds)]
	b.tried++
	make := map[kind]func(context.Context, *load) (string, error){
		ticketsByCard: b.buyTicketsByCard, goodsByCard: b.buyGoodsByCard,
		ticketsInApp: b.buyTicketsInApp, goodsInApp: b.buyGoodsInApp,
	}
	order, err := make[of](ctx, l)
	if err != nil || order == "" {
		return err
	}
	if _, acked := b.acked[order]; acked {
		return fmt.Errorf("order %s was acknowledged twice", order)
	}
	b.acked[order] = of
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paid++
	return nil
}

// The following methods make one purchase each. They return the number of the paid order, or "" if the seat could not
// be locked or the goods are sold out.

func (b *buyer) buyTicketsByCard(ctx context.Context, l *load) (string, error) {
	order, err := b.lock(ctx, l)
	if err != nil || order == "" {
		return "", err
	}
	err = b.pay(ctx, l, "/Film/flkpay", url.Values{
		"oid": {order}, "ka_ids": {b.card}, "pass": {harness.PaymentPassword},
	}, new(struct{}))
	return order, notPaidBefore(err)
}

func (b *buyer) buyTicketsInApp(ctx context.Context, l *load) (string, error) {
	order, err := b.lock(ctx, l)
	if err != nil || order == "" {
		return "", err
	}
	return order, b.payInApp(ctx, l, "/Film/wxpay", url.Values{"oid": {order}, "openid": {b.openID}}, new(string))
}

func (b *buyer) buyGoodsByCard(ctx context.Context, l *load) (string, error) {
	form := b.goods()
	form.Set("ka_ids", b.card)
	form.Set("pass", harness.PaymentPassword)
	var paid httpapi.PaidGoods
	err := b.pay(ctx, l, "/Film/flkpay", form, &paid)
	return paid.OrderNo, soldOut(err)
}

func (b *buyer) buyGoodsInApp(ctx context.Context, l *load) (string, error) {
	form := b.goods()
	form.Set("openid", b.openID)
	var order string
	err := b.payInApp(ctx, l, "/Film/wxpay", form, &order)
	return order, soldOut(err)
}

// goods returns the form of a purchase of goods, with an idempotency key.
func (b *buyer) goods() url.Values {
	return url.Values{"ggid": {b.sku}, "number": {"1"}, "position": {"1"}, "key": {rand.Text()}}
}

func notPaidBefore(err error) error { return unless(err, "already_paid") }
func soldOut(err error) error       { return unless(err, "sold_out") }

// unless returns err, or nil if it is the shop's error with the code.
func unless(err error, code shopError) error {
	var got shopError
	if errors.As(err, &got) && got == code {
		return nil
	}
	return err
}

// pay posts a payment until it is answered, and again after a fault that a client can retry.
func (b *buyer) pay(ctx context.Context, l *load, path string, form url.Values, into any) error {
	for {
		err := b.repeat(ctx, l, path, form, into)
		var code shopError
		if errors.As(err, &code) && retried[string(code)] {
			l.count(string(code))
			err = pause(ctx)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("pay %s: %w", path, err)
		}
		return nil
	}
}

// payInApp opens the payment in the messaging app, pays there, and waits until the shop has seen the payment. If the
// shop has closed the trade by then, it is opened again. The number of the order is stored in order.
func (b *buyer) payInApp(ctx context.Context, l *load, path string, form url.Values, order *string) error {
	for paid := false; !paid; {
		var opened httpapi.Prepaid
		err := b.pay(ctx, l, path, form, &opened)
		if err != nil {
			return err
		}
		*order = opened.OrderNo
		if paid, err = b.payOnPhone(ctx, strings.TrimPrefix(opened.Bridge.Package, "prepay_id=")); err != nil {
			return err
		}
		if !paid {
			l.count("trade closed")
		}
	}
	for {
		var shown struct{ Orderstatus any }
		err := b.pay(ctx, l, "/Film/pay_success", url.Values{"order_no": {*order}}, &shown)
		if err != nil {
			return err
		}
		if state := fmt.Sprint(shown.Orderstatus); state != "N" && state != "0" {
			return nil
		}
		l.count("payment not captured yet")
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// payOnPhone pays a trade, as a person does in the messaging app. It returns false if the trade can no longer be paid.
func (b *buyer) payOnPhone(ctx context.Context, prepayID string) (paid bool, err error) {
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":"pay"}`, prepayID)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.sims+"/sim/v1/wechat/pay", strings.NewReader(body))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := b.client.Do(req)
	if err != nil {
		return false, err
	}
	return resp.StatusCode == http.StatusOK, resp.Body.Close()
}

// lock locks the buyer's next seat and returns the number of the order. It returns "" if the seat is taken, or after an
// error code in retried: then the buyer continues with another seat.
func (b *buyer) lock(ctx context.Context, l *load) (string, error) {
	if len(b.seats) == 0 {
		return "", errors.New("the buyer has no seats left")
	}
	s := b.seats[0]
	b.seats = b.seats[1:]
	form := url.Values{
		"opiid": {s.opiid}, "seatids": {s.id}, "totalSettleAmount": {s.price}, "key": {rand.Text()},
	}
	var locked struct{ Orderid string }
	err := b.repeat(ctx, l, "/Film/lockseat", form, &locked)
	var code shopError
	switch {
	case err == nil:
		return locked.Orderid, nil
	case !errors.As(err, &code):
		return "", err
	case code == "seat_taken": // the simulators' visitors buy seats, too
		return "", nil
	case code == "unpaid_order": // of a lock whose answer was lost
		l.count(string(code))
		err := b.repeat(ctx, l, "/Film/unpayorder", url.Values{}, &locked)
		return locked.Orderid, err
	case retried[string(code)]:
		l.count(string(code))
		return "", nil
	}
	return "", fmt.Errorf("lock: %w", err)
}

// orderStates maps the states of orders of goods to the letters of ticket orders.
var orderStates = map[int]string{0: "N", 1: "P", 11: "T", 4: "S"}

// orders returns the states of all orders of the buyer as letters: P is paid, T issuing, S issued.
func (b *buyer) orders(ctx context.Context, l *load) (states map[string]string, err error) {
	states = map[string]string{}
	for page := 1; ; page++ {
		var list struct {
			List []struct {
				ID          string
				Orderstatus string // of tickets
				State       int    // of goods
			}
		}
		form := url.Values{"type": {"0"}, "pageno": {strconv.Itoa(page)}, "pagesize": {"100"}}
		if err := b.repeat(ctx, l, "/Dyorder/order", form, &list); err != nil {
			return nil, err
		}
		for _, o := range list.List {
			states[o.ID] = cmp.Or(o.Orderstatus, orderStates[o.State])
		}
		if len(list.List) < 100 {
			return states, nil
		}
	}
}

// requirePurchases waits until every purchase of the load is complete, and compares the shop's orders with the answers
// that the buyers got: every acknowledged purchase is issued, and nothing else is. The messaging app has charged
// exactly the purchases in the app.
func (l *load) requirePurchases(t *testing.T) {
	t.Helper()
	inApp := 0
	for n, b := range l.buyers {
		states := b.ended(t, l)
		total.buyer(b.acked, states)
		for order, of := range b.acked {
			require.Equal(t, "S", states[order], "buyer %d paid for order %s (%s)", n, order, of)
			if of == ticketsInApp || of == goodsInApp {
				inApp++
			}
		}
		require.Empty(t, b.doubled(states), "buyer %d got what it did not pay for", n)
	}
	require.Equal(t, inApp, l.buyers[0].tradesInApp(t, "SUCCESS"), "trades that were paid in the messaging app")
	require.Zero(t, l.buyers[0].tradesInApp(t, "REFUND"), "payments that were refunded")
}

// ended waits until no order of the buyer is in progress, and returns the states of all orders.
func (b *buyer) ended(t *testing.T, l *load) (states map[string]string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var err error
		states, err = b.orders(t.Context(), l)
		require.NoError(t, err)
		return !slices.ContainsFunc(slices.Collect(maps.Values(states)), func(state string) bool {
			return state == "P" || state == "T" // paid or issuing
		})
	}, time.Minute, 50*time.Millisecond)
	return states
}

// doubled returns the orders that were issued although their payment was not acknowledged.
func (b *buyer) doubled(states map[string]string) (orders []string) {
	for order, state := range states {
		if _, acked := b.acked[order]; state == "S" && !acked {
			orders = append(orders, order)
		}
	}
	return orders
}

// tradesInApp counts the trades of the messaging app in a state.
func (b *buyer) tradesInApp(t *testing.T, state string) int {
	t.Helper()
	resp, err := b.client.Get(b.sims + "/sim/v1/orders?provider=wechat&kind=payment&state=" + state)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	var list struct{ Total int }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&list))
	return list.Total
}

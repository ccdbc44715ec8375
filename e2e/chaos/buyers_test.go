package chaos

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
)

// The load: buyers that lock a seat and pay for it with points, without pause. A request that gets no answer is repeated
// with the same idempotency key, as the web app does.
const (
	loadBuyers = 24
	// showingsEach is how many showings a buyer takes seats of.
	showingsEach = 2
	cardPoints   = 5_000_000_00 // hundredths of a point on each buyer's card: more than a run spends
)

// buyer is one client of the load.
type buyer struct {
	token, card string
	seats       []seat // that it has not tried yet
	client      *http.Client
	shop        string // address of the balancer
	channel     string

	acked []string // orders whose payment was acknowledged
}

type seat struct{ opiid, id, price string }

// retried are the codes that a client meets if an earlier answer was lost, or the shop could not answer: it tries again.
var retried = map[string]bool{
	"internal": true, "lock_unanswered": true, "lock_in_progress": true, "payment_changed": true,
}

// refusal is the stable code of a fault.
type refusal string

// Error returns the code.
func (r refusal) Error() string { return string(r) }

// errLost says that a request got no answer, or one of the balancer.
var errLost = errors.New("no answer")

// post posts a form once.
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
		return refusal(answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

// repeat posts a form until there is an answer, and counts what was lost.
func (b *buyer) repeat(ctx context.Context, l *load, path string, form url.Values, into any) error {
	for {
		err := b.post(ctx, path, form, into)
		if err == nil || ctx.Err() != nil {
			return err
		}
		var code refusal
		switch {
		case errors.Is(err, errLost):
			l.count("no answer")
		case errors.As(err, &code) && code == "internal":
			l.count("internal")
		default:
			return err
		}
		select { // a client waits a moment before it asks again
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// load is the buyers and what happened to them.
type load struct {
	buyers []*buyer

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

// purchase locks a seat and pays for it.
func (b *buyer) purchase(ctx context.Context, l *load) error {
	order, err := b.lock(ctx, l)
	if err != nil || order == "" {
		return err
	}
	for {
		var paid struct{}
		err := b.repeat(ctx, l, "/Film/flkpay", url.Values{
			"oid": {order}, "ka_ids": {b.card}, "pass": {harness.PaymentPassword},
		}, &paid)
		var code refusal
		switch {
		case err == nil, errors.As(err, &code) && code == "already_paid":
			b.acked = append(b.acked, order)
			l.mu.Lock()
			l.paid++
			l.mu.Unlock()
			return nil
		case errors.As(err, &code) && retried[string(code)]:
			l.count(string(code))
		default:
			return fmt.Errorf("pay order %s: %w", order, err)
		}
	}
}

// lock locks the buyer's next seat and returns the number of the order, or "" if the seat is taken.
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
	var code refusal
	switch {
	case err == nil:
		return locked.Orderid, nil
	case !errors.As(err, &code):
		return "", err
	case code == "seat_taken": // the simulators' own visitors buy seats too
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

// orders returns the states of all ticket orders of the buyer, and the total of those that were paid, in hundredths.
func (b *buyer) orders(ctx context.Context, l *load) (states map[string]string, err error) {
	states = map[string]string{}
	for page := 1; ; page++ {
		var list struct {
			List []struct {
				ID          string
				Orderstatus string
			}
		}
		form := url.Values{"pageno": {strconv.Itoa(page)}, "pagesize": {"100"}}
		if err := b.repeat(ctx, l, "/Dyorder/order", form, &list); err != nil {
			return nil, err
		}
		for _, o := range list.List {
			states[o.ID] = o.Orderstatus
		}
		if len(list.List) < 100 {
			return states, nil
		}
	}
}

// requirePurchases waits until every purchase of the load has come to its end, and compares what the shop knows with
// what the buyers were told: every acknowledged purchase is issued, and no seat was issued that a buyer did not pay.
func (l *load) requirePurchases(t *testing.T) {
	t.Helper()
	for n, b := range l.buyers {
		var states map[string]string
		require.Eventually(t, func() bool {
			var err error
			states, err = b.orders(t.Context(), l)
			require.NoError(t, err)
			return !slices.ContainsFunc(slices.Collect(maps.Values(states)), func(state string) bool {
				return state == "P" || state == "T" // paid or issuing
			})
		}, time.Minute, 50*time.Millisecond, "buyer %d", n)
		total.buyer(b.acked, states)
		require.Len(t, b.acked, len(unique(b.acked)), "buyer %d was told twice", n)
		for _, order := range b.acked {
			require.Equal(t, "S", states[order], "buyer %d paid for order %s", n, order)
		}
		for order, state := range states {
			if state == "S" {
				require.Contains(t, b.acked, order, "buyer %d got a ticket that it did not pay for", n)
			}
		}
	}
}

func unique(list []string) map[string]bool {
	set := map[string]bool{}
	for _, one := range list {
		set[one] = true
	}
	return set
}

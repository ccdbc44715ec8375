package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/reconcile"
	"marquee/server/store/postgres/pgtest"
	"marquee/simulators"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// Stack is a running shop for one test.
type Stack struct {
	*Running
	*Client // the client of all its buyers
	T       *testing.T

	Catalog    Catalog    // films, cinemas, showings and seats
	Backoffice Backoffice // what the operator does

	last atomic.Int64 // the last number used for a phone, a card or a key
}

// NewDatabase returns the path or the URL of a new database of the engine that MARQUEE_TEST_ENGINE names: sqlite, the
// default, or postgres.
func NewDatabase(t *testing.T) string {
	t.Helper()
	if pgtest.Chosen() {
		return pgtest.Shop(t)
	}
	return filepath.Join(t.TempDir(), "shop.db")
}

// New starts a stack for the test, by default on a NewDatabase. When the test ends, the shop's books are verified and
// everything is closed.
func New(t *testing.T, opts Options) *Stack {
	t.Helper()
	if opts.DB == "" {
		opts.DB = NewDatabase(t)
	}
	var mu sync.Mutex
	var undeclared []string
	opts.undeclared = func(path, code string) {
		mu.Lock()
		defer mu.Unlock()
		undeclared = append(undeclared, path+" "+code)
	}
	running, err := Start(t.Context(), opts)
	require.NoError(t, err)
	s := newStack(t, running)
	t.Cleanup(func() {
		if s.running() { // the test may have closed it
			s.Verify()
			if opts.Reconcile {
				s.Reconcile(opts.Begin)
			}
			assert.NoError(t, s.Close())
		}
		mu.Lock()
		defer mu.Unlock()
		assert.Empty(t, undeclared, "answers with errors that server/httpapi/routes.go does not declare")
	})
	return s
}

// At returns the stack of a shop that another process serves. Methods that need the shop in this process, such as those
// of Backoffice, do not work.
func At(t *testing.T, sims *simulators.Simulators, url string) *Stack {
	return newStack(t, &Running{Sims: sims, URL: url})
}

func newStack(t *testing.T, running *Running) *Stack {
	s := &Stack{Running: running, T: t}
	s.Catalog, s.Backoffice = Catalog{s}, Backoffice{s}
	s.Client = s.NewClient()
	return s
}

// Morning is the business time at which browser tests start. The data set is derived from its seed and this day, so
// that a test finds the same films, halls and seats on every run. In the morning some showings of the day are over and
// many are not. MARQUEE_START sets another time.
func Morning(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, cmp.Or(os.Getenv("MARQUEE_START"), "2030-06-01T10:00:00+08:00"))
	require.NoError(t, err, "MARQUEE_START is not a time like 2030-06-01T10:00:00+08:00")
	return at
}

// daysReconciled is the maximum number of days that are reconciled at the end of a test: its last ones.
const daysReconciled = 3

var shanghai = time.FixedZone("CST", 8*60*60)

// Verify cross-checks ledger, seats, payments and orders, and fails the test if they contradict each other.
func (s *Stack) Verify() {
	found, err := s.Shop.Verify(context.Background())
	assert.NoError(s.T, err)
	for _, d := range found {
		s.T.Errorf("the books contradict: %s: %s: %s", d.Check, d.Subject, d.Detail)
	}
}

// Reconcile moves the clock to the next morning, when the other parties' books of the day are ready. It fails the test
// if their books differ from the shop's on one of the last daysReconciled days. Days before begin are left out.
func (s *Stack) Reconcile(begin time.Time) {
	s.Sims.Default().Faults().Clear()
	last := reconcile.DayOf(s.Now())
	first := max(reconcile.DayOf(begin), last.Add(1-daysReconciled))
	s.AdvanceClock(last.Add(1).Start().Add(11 * time.Hour).Sub(s.Now()))
	for day := first; day <= last; day = day.Add(1) {
		open, err := s.Shop.Reconcile(context.Background(), day)
		assert.NoError(s.T, err)
		for _, d := range open {
			s.T.Errorf("the books differ on %s: %+v", day, d)
		}
	}
}

// AdvanceClock moves the business time of shop and simulators forward.
func (s *Stack) AdvanceClock(by time.Duration) { s.Sims.Default().Clock().Advance(by) }

// FreezeClock stops business time. After it, only AdvanceClock moves the clock.
func (s *Stack) FreezeClock() { s.Sims.Default().Clock().Freeze() }

// Now is the business time.
func (s *Stack) Now() time.Time { return s.Sims.Default().Clock().Now() }

// PlanFault plans a fault for the next call of an operation of a provider. The parameter do is the kind of fault.
func (s *Stack) PlanFault(provider, operation, do string) {
	s.PlanFaults(faults.Fault{Provider: provider, Operation: operation, Do: do, Times: 1})
}

// PlanFaults plans faults of the providers.
func (s *Stack) PlanFaults(faults ...faults.Fault) {
	for _, f := range faults {
		_, err := s.Sims.Default().Faults().Add(f)
		require.NoError(s.T, err)
	}
}

// FaultHits counts the hits of planned faults of the kind.
func (s *Stack) FaultHits(do string) (hits int) {
	for _, f := range s.Sims.Default().Faults().Faults() {
		if f.Do == do {
			hits += f.Hits
		}
	}
	return hits
}

// Calls lists the calls of an operation that a provider received, newest first.
func (s *Stack) Calls(provider, operation string) []journal.Entry {
	return s.Sims.Default().Journal().Entries(journal.Filter{Provider: provider, Operation: operation})
}

// Message is a text message that a phone has received.
type Message struct {
	Text string `json:"text"`
	Code string `json:"code"` // "" in a notice
}

// Messages lists the text messages to a phone, newest first.
func (s *Stack) Messages(phone string) []Message {
	resp, err := s.HTTP.Get(s.Sims.URL() + "/sim/v1/sms/messages?phone=" + phone)
	require.NoError(s.T, err)
	defer resp.Body.Close()
	var inbox struct {
		Messages []Message `json:"messages"`
	}
	require.NoError(s.T, json.NewDecoder(resp.Body).Decode(&inbox))
	return inbox.Messages
}

// Code is the newest code that was sent to a phone by SMS.
func (s *Stack) Code(phone string) string {
	for _, m := range s.Messages(phone) {
		if m.Code != "" {
			return m.Code
		}
	}
	require.Fail(s.T, "no code was sent to "+phone)
	return ""
}

// PayInApp completes the payment of a prepay id as its payer does on the phone: pay, cancel or fail. The id may have
// the prefix "prepay_id=" of the bridge's parameters.
func (s *Stack) PayInApp(prepayID, outcome string) {
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":%q}`, strings.TrimPrefix(prepayID, "prepay_id="), outcome)
	resp, err := s.HTTP.Post(s.Sims.URL()+"/sim/v1/wechat/pay", "application/json", strings.NewReader(body))
	require.NoError(s.T, err)
	require.NoError(s.T, resp.Body.Close())
	require.Less(s.T, resp.StatusCode, 300)
}

// patience bounds every wait. It is generous because a loaded machine may take many times as long as an idle one.
const patience = 2 * time.Minute

// Eventually polls until the condition holds, in real time.
func (s *Stack) Eventually(what string, condition func() bool) {
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); !condition(); <-poll.C {
		require.Less(s.T, time.Now(), deadline, "not within %s: %s", patience, what)
	}
}

// InAppURL is the address of the shop inside the messaging app: a separate host name on the simulators' port.
func (s *Stack) InAppURL() string {
	_, port, _ := strings.Cut(strings.TrimPrefix(s.Sims.URL(), "http://"), ":")
	return "http://inapp.localhost:" + port
}

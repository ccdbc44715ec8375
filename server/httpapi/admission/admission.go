// Package admission limits how many requests are in progress. Under too much load it sheds them in an order that
// protects buyers who are paying: first those who only look, then those who start a purchase, and never a payment.
package admission

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/felixge/httpsnoop"

	"marquee/server/durations"
)

// Class is what a request is for. Requests of a lower class are shed first.
type Class int

const (
	Browsing Class = iota // looks at something: a page, showings, a seat map
	Starting              // starts a purchase: a lock of seats, a login
	Paying                // belongs to an order or a payment, or comes from a provider; it is never shed
)

// String returns the name of the class in metrics.
func (c Class) String() string { return [...]string{"browsing", "starting", "paying"}[c] }

// Limits holds the limits of two classes. A request of a class is admitted while fewer requests than its limit,
// counting the requests of all classes, are in progress. Further requests of the class wait, as many as its limit at
// most, and each for at most Wait.
type Limits struct {
	Browsing, Starting int
	Wait               time.Duration
}

// LimitsFor returns the limits of a process with a number of cores. A Browsing request takes 0.1 to 0.3 ms of a core. A
// payment pauses some ten times, for example for the database, and after each pause waits for a core. If 64 Browsing
// requests per core are in progress, these waits add up to about 0.2 s.
func LimitsFor(cores int) Limits {
	return Limits{Browsing: 64 * cores, Starting: 128 * cores, Wait: time.Second}
}

// Gate admits requests. Its methods may be called in parallel.
type Gate struct {
	limits  [Paying]int
	wait    time.Duration
	observe func(class string)

	mu      sync.Mutex
	busy    int                     // requests in progress
	waiting [Paying][]chan struct{} // closed when the request is admitted, the oldest first
}

// New returns a gate without requests. observe is called with the class of each request that is shed; it may be nil.
func New(l Limits, observe func(class string)) *Gate {
	return &Gate{limits: [Paying]int{Browsing: l.Browsing, Starting: l.Starting}, wait: l.Wait, observe: observe}
}

// Shed answers a request that was not admitted. retryAfter, in whole seconds, is when its client may try again.
type Shed func(w http.ResponseWriter, r *http.Request, retryAfter time.Duration)

// Handler admits requests of a class to next, and lets shed answer the others. A request is in progress from when its
// body has been read until its answer begins, so that a client that sends or reads slowly holds no place.
func (g *Gate) Handler(c Class, shed Shed, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !readAhead(r) {
			next.ServeHTTP(w, r) // the body is too large: next rejects it, and may have to read the rest first
			return
		}
		if g.enter(r.Context(), c) {
			leave := sync.OnceFunc(g.leave)
			defer leave()
			next.ServeHTTP(httpsnoop.Wrap(w, httpsnoop.Hooks{
				WriteHeader: func(write httpsnoop.WriteHeaderFunc) httpsnoop.WriteHeaderFunc {
					return func(code int) { leave(); write(code) }
				},
				Write: func(write httpsnoop.WriteFunc) httpsnoop.WriteFunc {
					return func(b []byte) (int, error) { leave(); return write(b) }
				},
				ReadFrom: func(read httpsnoop.ReadFromFunc) httpsnoop.ReadFromFunc {
					return func(from io.Reader) (int64, error) { leave(); return read(from) }
				},
			}), r)
			return
		}
		if g.observe != nil {
			g.observe(c.String())
		}
		// Clients that were shed together must not come back together.
		shed(w, r, durations.BusyRetry+time.Duration(rand.IntN(retrySpread))*time.Second)
	})
}

// longestForm is more than any form has, in bytes.
const longestForm = 64<<10 + 1

// readAhead reads the body of a form, and gives the request a body with the same content. It returns false for a body
// that is too large for a form. If the Content-Length already shows that, it reads nothing.
func readAhead(r *http.Request) (fits bool) {
	if r.Body == nil || r.Body == http.NoBody {
		return true
	}
	if r.ContentLength >= longestForm {
		return false
	}
	var begin bytes.Buffer
	_, err := io.CopyN(&begin, r.Body, longestForm)
	rest := io.Reader(r.Body) // a read that failed fails again
	if errors.Is(err, io.EOF) {
		rest = http.NoBody
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&begin, rest), r.Body}
	return err != nil
}

// retrySpread is the number of seconds over which the retries of clients are spread that were shed at the same time.
const retrySpread = 5

// enter returns true when the request may begin; the caller calls leave when it has ended. It returns false if the
// request is shed: the queue of its class is full, it has waited for too long, or ctx has ended.
func (g *Gate) enter(ctx context.Context, c Class) (admitted bool) {
	turn, admitted := g.enterOrQueue(c)
	if turn == nil {
		return admitted
	}
	timeout := time.NewTimer(g.wait)
	defer timeout.Stop()
	select {
	case <-turn:
		return true
	case <-timeout.C:
	case <-ctx.Done():
	}
	return !g.abandon(c, turn)
}

// enterOrQueue admits or sheds a request at once, or returns the channel that is closed when its turn has come.
func (g *Gate) enterOrQueue(c Class) (turn chan struct{}, admitted bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c == Paying || g.busy < g.limits[c] && len(g.waiting[c]) == 0 {
		g.busy++
		return nil, true
	}
	if len(g.waiting[c]) >= g.limits[c] {
		return nil, false
	}
	turn = make(chan struct{})
	g.waiting[c] = append(g.waiting[c], turn)
	return turn, false
}

// abandon removes a request from the queue. It returns false if the request was admitted in the meantime.
func (g *Gate) abandon(c Class, turn chan struct{}) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting[c], turn)
	if i < 0 {
		return false
	}
	g.waiting[c] = slices.Delete(g.waiting[c], i, i+1)
	return true
}

// leave ends a request that was admitted, and admits those whose turn has come: the highest class first.
func (g *Gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy--
	for c := Starting; c >= Browsing; c-- {
		for len(g.waiting[c]) > 0 && g.busy < g.limits[c] {
			close(g.waiting[c][0])
			g.waiting[c] = g.waiting[c][1:]
			g.busy++
		}
	}
}

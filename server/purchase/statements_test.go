package purchase_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/store"
)

// usage counts what a shop requests from its database.
type usage struct {
	Transactions int // that write
	Reads        int // queries outside a transaction that writes
	Writes       int // statements in a transaction that writes
	// Messages are round trips to an engine on a server. A transaction begins with its first statement, a queued
	// statement is sent with the next one or before the commit, and the end of a transaction is sent separately.
	Messages int
}

// countingEngine counts the usage of a database.
type countingEngine struct {
	store.Engine
	mu   sync.Mutex
	used usage
}

func (e *countingEngine) add(u usage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.used.Transactions += u.Transactions
	e.used.Reads += u.Reads
	e.used.Writes += u.Writes
	e.used.Messages += u.Messages
}

// reset returns what was counted since the last call.
func (e *countingEngine) reset() usage {
	e.mu.Lock()
	defer e.mu.Unlock()
	used := e.used
	e.used = usage{}
	return used
}

// Query implements store.Engine. The workers' search for due tasks is not counted.
func (e *countingEngine) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if !strings.HasPrefix(query, "WITH RECURSIVE queues") {
		e.add(usage{Reads: 1, Messages: 1})
	}
	return e.Engine.Query(ctx, query, args...)
}

// View implements store.Engine.
func (e *countingEngine) View(ctx context.Context, fn func(store.Querier) error) error {
	defer e.add(usage{Messages: 1})
	return e.Engine.View(ctx, func(q store.Querier) error { return fn(countingQuerier{q, e}) })
}

// Write implements store.Engine. It counts the run that is committed.
func (e *countingEngine) Write(ctx context.Context, fn func(store.Conn) error) error {
	var c *countingConn
	err := e.Engine.Write(ctx, func(conn store.Conn) error {
		c = &countingConn{Conn: conn}
		return fn(c)
	})
	if err == nil && c.statements > 0 {
		e.add(usage{Transactions: 1, Writes: c.statements, Messages: c.messages + min(1, c.queued) + 1})
	}
	return err
}

type countingQuerier struct {
	store.Querier
	engine *countingEngine
}

// Query implements store.Querier.
func (q countingQuerier) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	q.engine.add(usage{Reads: 1, Messages: 1})
	return q.Querier.Query(ctx, query, args...)
}

type countingConn struct {
	store.Conn
	statements, messages int
	queued               int // since the last message
}

func (c *countingConn) sent() {
	c.statements++
	c.messages++
	c.queued = 0
}

// Exec implements store.Conn.
func (c *countingConn) Exec(query string, args ...any) (changed int64, err error) {
	c.sent()
	return c.Conn.Exec(query, args...)
}

// Query implements store.Conn.
func (c *countingConn) Query(query string, args ...any) (store.Rows, error) {
	c.sent()
	return c.Conn.Query(query, args...)
}

// Queue implements store.Conn.
func (c *countingConn) Queue(check func(changed int64, err error) error, query string, args ...any) error {
	c.statements++
	c.queued++
	return c.Conn.Queue(check, query, args...)
}

// What a purchase of two seats requests from the database, without the session of each request. Every purchase pays for
// a further statement, so this test makes it visible.
func TestPurchase_AsksTheDatabaseForLittle(t *testing.T) {
	t.Parallel()
	wantLocked := usage{Transactions: 2, Reads: 2, Writes: 11, Messages: 8}
	wantPaid := usage{Transactions: 3, Reads: 2, Writes: 21, Messages: 16}
	if testsPostgres() { // rows are locked: the buyer's, and then the buyer's and the card's
		wantLocked.Writes++
		wantPaid.Writes += 2
	}
	s := newCountedShop(t)
	warm := s.lock(t, s.buyer, "2-1", "2-2") // writes the showing
	_, err := s.payByCard(t, warm)
	require.NoError(t, err)
	s.pushTickets(t, warm)
	require.Equal(t, order.Issued, s.state(t, warm))

	s.engine.reset()
	o := s.lock(t, s.buyer, "1-1", "1-2")
	assert.Equal(t, wantLocked, s.engine.reset(), "lock")
	_, err = s.payByCard(t, o)
	require.NoError(t, err)
	s.pushTickets(t, o)
	assert.Equal(t, wantPaid, s.engine.reset(), "payment and tickets")
	assert.Equal(t, order.Issued, s.state(t, o))
}

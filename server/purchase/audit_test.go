package purchase_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/order"
	"marquee/server/reconcile"
)

func TestAudit_ByOrderAccountOperatorAndDay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	mine := s.buyTicket(t, 7, []string{"2-1"}, s.giveCard(t, 7, 1000))
	other := s.buyTicket(t, 8, []string{"2-2"}, s.giveCard(t, 8, 1000))
	day := reconcile.DayOf(s.clock.Now())
	s.source.Drop(mine.No)
	require.NoError(t, s.office(t, "alice").Orders.Refund(t.Context(), mine.No, "停映", true))
	s.clock.Advance(24 * time.Hour)
	s.source.Drop(other.No)
	require.NoError(t, s.office(t, "bob").Orders.Refund(t.Context(), other.No, "退票", true))
	s.runDueJobsAfter(t, 0)

	list := func(f backoffice.AuditFilter) (entries []string) {
		f.Most = 100
		found, err := s.office(t, "carol").Audit.List(t.Context(), f)
		require.NoError(t, err, f)
		assert.False(t, found.More)
		for _, e := range found.Entries {
			entries = append(entries, e.Actor+" "+e.What+" "+e.Subject)
		}
		return entries
	}
	const (
		bound, issued = "user:%d card.bound card:%d", "test card.issued card:%d"
		revoked       = "admin:%s order.revoked order:%s"
	)
	byAlice, byBob := fmt.Sprintf(revoked, "alice", mine.No), fmt.Sprintf(revoked, "bob", other.No)
	for name, c := range map[string]struct {
		filter backoffice.AuditFilter
		want   []string
	}{
		"order": {backoffice.AuditFilter{Order: mine.No}, []string{byAlice}},
		"account": {backoffice.AuditFilter{Account: "#7"},
			[]string{byAlice, fmt.Sprintf(bound, 7, 1), fmt.Sprintf(issued, 1)}},
		"operator":          {backoffice.AuditFilter{Operator: "bob"}, []string{byBob}},
		"day":               {backoffice.AuditFilter{Day: string(day.Add(1))}, []string{byBob}},
		"account and day":   {backoffice.AuditFilter{Account: "#8", Day: string(day.Add(1))}, []string{byBob}},
		"order and account": {backoffice.AuditFilter{Order: mine.No, Account: "#8"}, nil},
		"all at once": {backoffice.AuditFilter{Order: mine.No, Account: "#7", Operator: "alice", Day: string(day)},
			[]string{byAlice}},
		"unknown operator": {backoffice.AuditFilter{Operator: "ali"}, nil},
		"everything": {backoffice.AuditFilter{}, []string{byBob, byAlice, fmt.Sprintf(bound, 8, 2),
			fmt.Sprintf(issued, 2), fmt.Sprintf(bound, 7, 1), fmt.Sprintf(issued, 1)}},
	} {
		assert.Equal(t, c.want, list(c.filter), name)
	}
}

func TestAudit_IsBounded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	audit := s.office(t, "alice").Audit
	require.NoError(t, s.db.Orders().Update(t.Context(), func(tx order.Tx) error {
		for n := range 3 {
			if err := tx.Audit.Record(s.clock.Now(), "admin:alice", "order.retried", fmt.Sprintf("order:%d", n), "a",
				"b"); err != nil {
				return err
			}
		}
		return nil
	}))
	list, err := audit.List(t.Context(), backoffice.AuditFilter{Operator: "alice", Most: 2})
	require.NoError(t, err)
	assert.True(t, list.More)
	require.Len(t, list.Entries, 2)
	assert.Equal(t, "order:2", list.Entries[0].Subject, "the latest comes first")
	assert.True(t, strings.HasPrefix(list.String(), "2026-03-14 12:00:00\torder.retried\torder:2\ta → b\tadmin:alice\t"))
	assert.True(t, strings.HasSuffix(list.String(), "\nmore than 2 entries match: these are the latest ones"))
	list, err = audit.List(t.Context(), backoffice.AuditFilter{Operator: "alice", Most: 3})
	require.NoError(t, err)
	assert.False(t, list.More)
	list, err = audit.List(t.Context(), backoffice.AuditFilter{Order: "none", Most: 1})
	require.NoError(t, err)
	assert.Equal(t, "no entry matches", list.String())
	for _, most := range []int{-1, 0, backoffice.MaxAudit + 1} {
		_, err = audit.List(t.Context(), backoffice.AuditFilter{Most: most})
		require.ErrorIs(t, err, backoffice.ErrMostInvalid)
	}
	_, err = audit.List(t.Context(), backoffice.AuditFilter{Day: "today", Most: 1})
	require.ErrorIs(t, err, reconcile.ErrDay)
	_, err = audit.List(t.Context(), backoffice.AuditFilter{Account: "#x", Most: 1})
	require.ErrorContains(t, err, "#x is not the id of an account")
}

package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/reconcile"
)

// reconcileWith runs `shop reconcile` and returns what it printed and its exit code.
func reconcileWith(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var b strings.Builder
	if err := run(t.Context(), append([]string{"reconcile"}, args...), &b, io.Discard); err != nil {
		return b.String() + err.Error(), exitCode(err)
	}
	return b.String(), 0
}

func TestReconcile_ExitCodes(t *testing.T) {
	c := newCLI(t)
	out, code := reconcileWith(t, "2026-03-14")
	assert.Equal(t, exitDatabase, code)
	assert.Contains(t, out, "no database")
	c.mustRun("card", "issue", "--pid", "1", "--count", "1", "--points", "1", "--out", c.dir+"/cards.csv")

	out, code = reconcileWith(t, "14.3.2026")
	assert.Equal(t, exitConfig, code)
	assert.Contains(t, out, "day_invalid")
	today := reconcile.DayOf(time.Now())
	out, code = reconcileWith(t, string(today))
	assert.Equal(t, exitNotReady, code)
	assert.Contains(t, out, "statement_not_ready")
	out, code = reconcileWith(t, string(today.Add(-2)))
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "the books agree")
	out, code = reconcileWith(t)
	assert.Equal(t, 0, code)
	assert.Contains(t, out, string(today.Add(-2))+"\ttrades\treconciled, 0 rows")
	assert.NotContains(t, out, "the books agree", "today is not reconciled")
	listed, err := c.run("difference", "list")
	require.NoError(t, err)
	assert.Empty(t, listed)
	_, err = c.run("difference", "end", "7", "--reason", "none")
	require.ErrorIs(t, err, reconcile.ErrDifferenceNotFound)

	fault := `{"provider":"wechat","operation":"trade-bill","do":"bill-extra-row","times":1}`
	resp, err := http.Post(c.sims+"/sim/v1/faults", "application/json", strings.NewReader(fault))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	out, code = reconcileWith(t, string(today.Add(-2)))
	assert.Equal(t, exitDiffers, code)
	assert.Contains(t, out, "paid_without_order")
	assert.Contains(t, out, "→ refund the transaction in the merchant platform")
	assert.Contains(t, c.mustRun("difference", "list"), "paid_without_order")
	report, err := c.run("report", "day", string(today.Add(-2)))
	assert.Equal(t, exitDiffers, exitCode(err))
	assert.Contains(t, report, "the books contradict each other: 1 open differences")
	_, err = c.run("report", "day", "14.3.2026")
	assert.Equal(t, exitConfig, exitCode(err))
	assert.Equal(t, "difference 1 ended\n", c.mustRun("difference", "end", "1", "--reason", "refunded there"))
	_, code = reconcileWith(t)
	assert.Equal(t, 0, code)
	assert.Contains(t, c.mustRun("report", "day", string(today.Add(-2))), "no open differences")
}

package ops_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/ops"
)

var update = flag.Bool("update", false, "write the table of metrics into README.md")

const (
	tableBegin = "<!-- metrics: go test ./server/ops -run README -update -->\n"
	tableEnd   = "<!-- end of metrics -->\n"
)

func metricTable() string {
	m := ops.NewMetrics("test")
	m.WatchState(ops.State{Now: time.Now})
	m.WatchLeftOut(nil)
	m.WatchPool(nil)
	list := slices.Clone(m.List())
	slices.SortFunc(list, func(a, b ops.Metric) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	b.WriteString("| metric | type | labels | meaning |\n|---|---|---|---|\n")
	for _, metric := range list {
		b.WriteString("| `" + metric.Name + "` | " + metric.Type + " | " + strings.Join(metric.Labels, ", ") + " | " +
			metric.Help + " |\n")
	}
	return b.String()
}

func TestREADME_ListsTheMetrics(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("README.md")
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(content), tableBegin)
	require.True(t, found, "README.md has no line %q", tableBegin)
	table, after, found := strings.Cut(rest, tableEnd)
	require.True(t, found, "README.md has no line %q", tableEnd)
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(before+tableBegin+metricTable()+tableEnd+after), 0o600))
		return
	}
	require.Equal(t, metricTable(), table, "run go test ./server/ops -run README -update")
}

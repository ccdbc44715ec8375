package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A small opening night: visitors rush to three replicas, one of which is killed, and every purchase is made once.
func TestOpeningNight_EveryPurchaseIsMadeOnce(t *testing.T) {
	t.Parallel()
	shop := filepath.Join(t.TempDir(), "shop")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", shop, "marquee/cmd/shop").CombinedOutput()
	require.NoError(t, err, "%s", out)
	n, err := startNight(t.Context(), shop, nightSettings{
		visitors: 200, arrive: 3 * time.Second, think: 50 * time.Millisecond,
	}, false)
	defer func() { require.NoError(t, n.end()) }()
	require.NoError(t, err)
	_, err = n.run(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, n.acked)
	require.NoError(t, n.closeShop())
	require.NoError(t, n.verifyBooks(t.Context(), shop))
}

func TestResults_AnIssuedOrderWithoutAcknowledgementIsNotSoldTwice(t *testing.T) {
	t.Parallel()
	n := &night{acked: map[string]int{"1": 1}, sold: map[string][]string{"show/seat": {"1"}}}
	figures, err := n.results(map[string]string{"1": "S", "2": "S", "3": "C"})
	require.ErrorContains(t, err, "not acknowledged")
	got := map[string]string{}
	for _, f := range figures {
		got[f.what] = f.got
	}
	require.Equal(t, "0", got["sold twice"])
	require.Equal(t, "0", got["lost"])
	require.Equal(t, "1", got["issued without an acknowledgement"])
}

package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRates_AreLimitedByDefault(t *testing.T) {
	t.Parallel()
	require.Equal(t, DefaultRates, Rates{}.WithDefaults())
	require.Equal(t, Rates{Calls: -1, Logins: 5, Reads: DefaultRates.Reads, Notifies: DefaultRates.Notifies},
		Rates{Calls: -1, Logins: 5}.WithDefaults(), "given rates are kept; -1 means no limit")
}

// A hundred buyers behind one address poll their seat maps every eight seconds, open a page and its calls every half a
// minute, and log in and pay within ten minutes.
func TestRates_DefaultsSufficeForAHundredBuyersOfOneAddress(t *testing.T) {
	t.Parallel()
	const buyers, polls, pages, callsOfAPage, logins = 100, 60 / 8.0, 2, 6, 3 / 10.0
	require.Greater(t, float64(DefaultRates.Calls), 2*buyers*(polls+pages*(1+callsOfAPage)))
	require.Greater(t, float64(DefaultRates.Reads), buyers*polls)
	require.Greater(t, float64(DefaultRates.Logins), 2*buyers*logins)
}

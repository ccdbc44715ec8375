package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRates_AreLimitedByDefault(t *testing.T) {
	t.Parallel()
	require.Equal(t, Rates{Calls: 1200, Logins: 60, Reads: 240, Notifies: 60}, Rates{}.withDefaults())
	require.Equal(t, Rates{Calls: -1, Logins: 5, Reads: 240, Notifies: 60}, Rates{Calls: -1, Logins: 5}.withDefaults(),
		"given rates are kept; -1 is no limit")
}

package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/store"
)

func TestServer_Versions(t *testing.T) {
	t.Parallel()
	assert.Equal(t, store.TooOldServer, store.CodeOf(checkVersion(14_00_22)))
	assert.NoError(t, checkVersion(15_00_00))
	assert.NotContains(t, defaults.statement(16_00_09, false), "transaction_timeout", "the server does not know it")
	assert.Contains(t, defaults.statement(17_00_00, true), "set_config('transaction_timeout', '15s', true)")
}

func TestSettings_OfTheURL(t *testing.T) {
	t.Parallel()
	parameters := map[string]string{"lock_timeout": "1'0", "application_name": "x"}
	statement := takeSettings(parameters).statement(18_00_00, false)
	assert.Contains(t, statement, "set_config('lock_timeout', '1''0', false)")
	assert.Contains(t, statement, "set_config('statement_timeout', '10s', false)")
	assert.Equal(t, map[string]string{"application_name": "x"}, parameters, "a pooler rejects other parameters")
}

package reconcile

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestActions_OfADeliveredOrderIsNotToSettleIt(t *testing.T) {
	t.Parallel()
	assert.Contains(t, actions[AmountDiffers], "difference end", "order settled fails for a delivered order")
}

func TestFaults_AreExplainedToTheOperator(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../cmd/shop/README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("statement.go")
	require.NoError(t, err)
	codes := regexp.MustCompile(`"(statement_[a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, codes)
	for _, code := range codes {
		assert.Contains(t, string(readme), "`"+code[1]+"`")
	}
}

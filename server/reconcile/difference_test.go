package reconcile

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The README of the commands is checked against their grammar.
func TestActions_NameCommandsThatExist(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../cmd/shop/README.md")
	require.NoError(t, err)
	verbs := regexp.MustCompile(`(?:then|\(|else) ?((?:order|difference|reconcile) [a-z]+)`)
	for kind, action := range actions {
		for _, match := range verbs.FindAllStringSubmatch(action, -1) {
			assert.Contains(t, string(readme), "| `"+match[1]+" ", "%s: %s", kind, action)
		}
	}
	assert.Contains(t, actions[AmountDiffers], "difference end", "order settled is refused for a delivered order")
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
		assert.Contains(t, string(readme), "| `"+code[1]+"` |")
	}
}

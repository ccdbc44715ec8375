package simulators_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/examples/shell"
)

func TestMain(m *testing.M) { shell.Main(m) }

var errorAnswer = regexp.MustCompile(`^\{"error":\{"code":"[a-z_]+","message"`)

// TestFeatures_CanBeSeen runs each call of the example and looks for an answer that is not an error.
func TestFeatures_CanBeSeen(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("examples/curl/features.sh")
	require.NoError(t, err)
	const mark = "~~~~"
	script, calls, _ := strings.Cut(string(text), "\n\n")
	script += "\n"
	var commands []string
	for line := range strings.Lines(calls) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		commands = append(commands, line)
		script += "echo '" + mark + "'; " + line + "\n"
	}
	require.Greater(t, len(commands), 25)
	s := start(t, simulators.Options{})
	answers := strings.Split(shell.Run(t, shell.StandIn, script, "SIM="+s.URL()), mark+"\n")[1:]
	require.Len(t, answers, len(commands))
	for i, answer := range answers {
		assert.NotRegexp(t, errorAnswer, answer, commands[i])
		if !strings.Contains(commands[i], " -o ") {
			assert.NotEmpty(t, strings.TrimSpace(answer), commands[i])
		}
	}
	seen := strings.Join(answers, "")
	for _, part := range []string{"<svg", `"signature":{"over"`, `"id":"ci-7"`, "2030-06-01T09:15:00+08:00",
		`"do":"notify-reorder"`, `"id":"ci-9"`, `"openapi":"3.1.0"`} {
		assert.Contains(t, seen, part)
	}
}

// parts are the sections of a provider's README by heading.
func parts(t *testing.T, folder string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	require.NoError(t, err)
	found := map[string]string{}
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		heading, rest, _ := strings.Cut(part, "\n")
		found[heading] = rest
	}
	return found
}

// rows are the tables' rows as cells, without their heads.
func rows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|---") {
			rows = rows[:len(rows)-1]
			continue
		}
		if cells := strings.Split(strings.ReplaceAll(line, `\|`, "¦"), "|"); len(cells) > 2 {
			rows = append(rows, cells[1:len(cells)-1])
		}
	}
	return rows
}

func TestREADME_OfEachProviderHasItsThreePartsAndTheyAreTrue(t *testing.T) {
	t.Parallel()
	marks := regexp.MustCompile(`documented|observed|chosen|\b[DOC]\b`)
	world := start(t, simulators.Options{}).Default()
	folders := world.Folders()
	for _, p := range world.Faults().Providers() {
		part := parts(t, folders[p.Name])
		evidence := rows(part["Evidence"])
		assert.Greater(t, len(evidence), 5, p.Name)
		for _, row := range evidence {
			assert.Regexp(t, marks, row[1], "%s: is %q documented, observed or chosen?", p.Name, row[0])
		}
		assert.Greater(t, len(part["Differences"]), 200, p.Name)

		assert.Contains(t, part["Faults"], "`"+p.Name+"`", "the provider's name in plans")
		for word, operations := range p.DomainKinds {
			assert.NotEmpty(t, operations, word)
			assert.NotEmpty(t, p.Effects[word].Text, "%s: GET /sim/v1/faults does not say what %s does", p.Name, word)
		}
	}
}

func TestCatalogue_DescribesEachMagicValue(t *testing.T) {
	t.Parallel()
	_, c := control(t, start(t, simulators.Options{}), "GET", "/catalogue", "")
	for _, kind := range []string{"phones", "amounts"} {
		values, ok := c[kind].([]any)
		require.True(t, ok)
		require.NotEmpty(t, values)
		for _, v := range values {
			fields, ok := v.(map[string]any)
			require.True(t, ok)
			assert.NotEmpty(t, fields["effect"], "%s: %v", kind, fields)
		}
	}
}

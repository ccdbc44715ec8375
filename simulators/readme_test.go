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

// section is the text of the README under a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "README.md has no section %q", heading)
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

var (
	bashBlock = regexp.MustCompile("(?s)\n```bash\n(.*?\n)```\n")
	command   = regexp.MustCompile("`((?:sim|curl) [^`]+)`")
	refusal   = regexp.MustCompile(`^\{"error":\{"code":"[a-z_]+","message"`)
)

func TestREADME_EveryFeatureCanBeSeen(t *testing.T) {
	t.Parallel()
	functions := bashBlock.FindStringSubmatch(section(t, "From nothing to a refund"))[1]
	features := section(t, "What there is")
	script := functions + bashBlock.FindStringSubmatch(features)[1]
	commands := command.FindAllStringSubmatch(features, -1)
	require.Greater(t, len(commands), 25)
	const mark = "~~~~"
	for _, c := range commands {
		script += "echo '" + mark + "'; " + c[1] + "\n"
	}
	s := start(t, simulators.Options{})
	answers := strings.Split(shell.Run(t, shell.StandIn, script, "SIM="+s.URL()), mark+"\n")[1:]
	require.Len(t, answers, len(commands))
	for i, answer := range answers {
		assert.NotRegexp(t, refusal, answer, commands[i][1])
		if !strings.Contains(commands[i][1], " -o ") {
			assert.NotEmpty(t, strings.TrimSpace(answer), commands[i][1])
		}
	}
	text := strings.Join(answers, "")
	for _, seen := range []string{"<svg", `"signature":{"over"`, `"id":"ci-7"`, "2030-06-01T09:15:00+08:00",
		`"do":"notify-reorder"`, `"id":"ci-9"`, `"openapi":"3.1.0"`} {
		assert.Contains(t, text, seen)
	}
}

// providers are the folders of the providers, by their names in plans.
var providers = map[string]string{"gateway": "legacygateway", "newmovie": "newmovie", "sms": "sms", "wechat": "wechat",
	"captcha": "captcha"}

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
	declared := start(t, simulators.Options{}).Default().Faults().Providers()
	require.Len(t, declared, len(providers))
	for _, p := range declared {
		part := parts(t, providers[p.Name])
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

func TestCatalogue_SaysWhatEachMagicValueDoes(t *testing.T) {
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

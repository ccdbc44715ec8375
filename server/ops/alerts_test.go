package ops_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// promtool runs Prometheus' own tool for rules, which a script fetches if the machine has none.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	fetched, err := exec.Command("../../e2e/setup/debian-tool.sh", "promtool", "prometheus").Output()
	require.NoError(t, err, "promtool is needed: install it, or let debian-tool.sh unpack the package prometheus")
	out, err := exec.Command(strings.TrimSpace(string(fetched)), args...).CombinedOutput()
	require.NoError(t, err, "promtool %s: %s", strings.Join(args, " "), out)
}

func TestAlerts_PassPromtool(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", "alerts.yaml")
	promtool(t, "test", "rules", "alerts_test.yaml", "alerts_week_test.yaml")
}

// Each alert has a unit test in which it fires and one in which it does not, lines in the runbook, and panels.
func TestAlerts_EachHasUnitTestsARunbookAndPanels(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	var units struct {
		Tests []struct {
			Name   string
			Alerts []struct {
				Alert    string `yaml:"alertname"`
				Expected []any  `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	for file, into := range map[string]any{"alerts.yaml": &rules, "alerts_test.yaml": &units} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, into), file)
	}
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, unit := range units.Tests {
		for _, a := range unit.Alerts {
			if len(a.Expected) > 0 {
				fires[a.Alert] = true
			} else {
				silent[a.Alert] = true
			}
		}
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	dashboard, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	for _, rule := range rules.Groups[0].Rules {
		require.Equal(t, `{{ or $externalLabels.runbook "server/ops/README.md" }}#`+strings.ToLower(rule.Alert),
			rule.Annotations["runbook_url"], rule.Alert)
		require.Contains(t, string(readme), "\n### "+rule.Alert+"\n")
		for _, metric := range regexp.MustCompile(`marquee_[a-z_]+`).FindAllString(rule.Expr, -1) {
			metric = strings.TrimSuffix(strings.TrimSuffix(metric, "_bucket"), "_count")
			require.Contains(t, string(dashboard), metric, "no panel shows what %s is about", rule.Alert)
		}
	}
	require.Len(t, rules.Groups, 1)
	require.NotEmpty(t, rules.Groups[0].Rules)
	for _, rule := range rules.Groups[0].Rules {
		require.True(t, fires[rule.Alert], "alerts_test.yaml has no test in which %s fires", rule.Alert)
		require.True(t, silent[rule.Alert], "alerts_test.yaml has no test in which %s does not fire", rule.Alert)
	}
}

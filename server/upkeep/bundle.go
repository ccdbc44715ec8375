package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"marquee/server/app"
	"marquee/server/ops"
)

// recentChanges is how many entries of the audit log, and how many of the journal of accounts, a bundle contains.
const recentChanges = 200

// WriteBundle writes a support bundle: the configuration without secrets, versions, the doctor's findings, the metrics
// of the running shop, the load of the queues, the number of rows by table, and the latest changes without personal
// data. problems.txt lists the parts that cannot be read. WriteBundle changes nothing in the shop.
func (d *Doctor) WriteBundle(ctx context.Context, to io.Writer, variables map[string]string) error {
	b := ops.NewBundle(to, time.Now(), secretsOf(variables))
	var problems []string
	note := func(part string, err error) {
		if err != nil {
			problems = append(problems, part+": "+err.Error())
		}
	}
	err := errors.Join(
		b.AddText("configuration.txt", describe(variables)),
		b.AddText("versions.txt", versions(d.cfg.Build)),
		b.AddJSON("doctor.json", ops.Diagnose(ctx, d.Checks())),
	)
	metrics, metricsErr := runningMetrics(ctx, d.cfg)
	note("metrics", metricsErr)
	err = errors.Join(err, b.AddText("metrics.txt", metrics))
	note("database", d.dbErr)
	if d.dbErr == nil {
		loads, loadErr := d.db.Orders().QueueLoads(ctx, time.Now(), maxCounted)
		rows, rowsErr := d.db.CountRows(ctx)
		changes, changesErr := d.db.BackOffice().RecentChanges(ctx, recentChanges)
		note("queues", loadErr)
		note("rows", rowsErr)
		note("changes", changesErr)
		err = errors.Join(err, b.AddJSON("queues.json", loads), b.AddJSON("rows.json", rows),
			b.AddJSON("changes.json", changes))
	}
	return errors.Join(err, b.AddText("problems.txt", strings.Join(problems, "\n")+"\n"), b.Close())
}

// isSecret reports whether the value of a variable must not leave the machine.
func isSecret(v app.Variable) bool {
	return v.Secret || strings.Contains(v.Name, "SECRET") || strings.Contains(v.Name, "KEY") ||
		strings.Contains(v.Name, "PEPPER")
}

// secretParameter matches a parameter with a secret, in an address or in the connection settings of a database.
var secretParameter = regexp.MustCompile(`(?i)\b([a-z_]*(?:password|passwd|passfile|token|secret|key))=([^&\s]+)`)

// secretsOf returns the values that a bundle must not contain: those of secret variables, and passwords in the
// addresses of other variables.
func secretsOf(variables map[string]string) (secrets []string) {
	for _, v := range app.Variables() {
		value := variables[v.Name]
		if isSecret(v) && value != "" {
			secrets = append(secrets, value)
		}
		switch u, err := url.Parse(value); {
		case isMistyped(value):
			secrets = append(secrets, value)
		case err == nil && u.User != nil:
			if password, given := u.User.Password(); given {
				secrets = append(secrets, password, url.QueryEscape(password))
			}
		}
		for _, parameter := range secretParameter.FindAllStringSubmatch(value, -1) {
			secrets = append(secrets, parameter[2])
			if plain, err := url.QueryUnescape(parameter[2]); err == nil {
				secrets = append(secrets, plain)
			}
		}
	}
	return secrets
}

// isMistyped reports whether a value may be meant as an address with a password, but cannot be parsed as one.
func isMistyped(value string) bool {
	u, err := url.Parse(value)
	mayHavePassword := strings.Contains(value, ":") && strings.Contains(value, "@")
	return err != nil && strings.Contains(value, "://") || mayHavePassword && (err != nil || u.User == nil)
}

// Shown returns the variables of the shop that are set, without their secrets.
func Shown(variables map[string]string) map[string]string {
	shown := map[string]string{}
	for _, v := range app.Variables() {
		value := variables[v.Name]
		switch u, err := url.Parse(value); {
		case value == "":
			continue
		case isSecret(v):
			value = fmt.Sprintf("(%d bytes)", len(value))
		case isMistyped(value):
			value = fmt.Sprintf("(invalid, %d bytes)", len(value)) // every part of it may be a password
		case err == nil && u.User != nil:
			value = u.Redacted()
		}
		shown[v.Name] = secretParameter.ReplaceAllString(value, "$1=xxxxx")
	}
	return shown
}

// describe lists all variables, one in a line, with the values of Shown.
func describe(variables map[string]string) string {
	var b strings.Builder
	shown := Shown(variables)
	for _, v := range app.Variables() {
		fmt.Fprintf(&b, "%s=%s\n", v.Name, cmp.Or(shown[v.Name], "(not set)"))
	}
	return b.String()
}

// versions lists the release and the modules of the program.
func versions(release string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "release %s\n", release)
	info, found := debug.ReadBuildInfo()
	if !found {
		return b.String()
	}
	fmt.Fprintln(&b, info.GoVersion)
	for _, m := range info.Deps {
		fmt.Fprintf(&b, "%s %s\n", m.Path, m.Version)
	}
	return b.String()
}

// runningMetrics reads /metrics of the shop that runs with the configuration.
func runningMetrics(ctx context.Context, cfg app.Config) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, cfg.ProbeURL()+"/metrics", nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	return string(text), err
}

// Package phone opens pages for browser tests: one headless browser for a test package, and a separate page for each
// test, in a mobile viewport, as a plain browser or as the one inside the messaging app.
package phone

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"marquee/server/store/postgres/pgserver"
)

// browser is started by Run. Tests open contexts in it.
var browser playwright.Browser

// setup is the content of .tools/browser.json, which e2e/setup/browser.mjs writes.
type setup struct {
	Executable string            `json:"executable"`
	Driver     string            `json:"driver"`
	Env        map[string]string `json:"env"`
}

// atOnce is the default of -parallel, the number of tests of a package that run in parallel. It exceeds the number of
// cores because a page spends most of its time waiting.
const atOnce = "4"

// Run starts the browser, runs the package's tests and stops the browser. It returns the exit code; a browser that does
// not start is a failure, never a skip.
func Run(m *testing.M) int {
	if err := flag.Set("test.parallel", atOnce); err != nil { // before m.Run reads the command line
		fmt.Fprintln(os.Stderr, "browser:", err)
		return 1
	}
	opened, stop, err := Open()
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		return 1
	}
	defer stop()
	browser = opened
	return m.Run()
}

// Open starts the browser of .tools/browser.json. The caller calls stop.
func Open() (opened playwright.Browser, stop func(), err error) {
	found, err := readSetup()
	if err != nil {
		return nil, nil, err
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true})
	if err != nil {
		return nil, nil, fmt.Errorf("start the driver: %w", err)
	}
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	maps.Copy(env, found.Env)
	opened, err = pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: playwright.String(found.Executable),
		Env:            env,
		Args: []string{
			"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync",
		},
	})
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("launch %s: %w", found.Executable, err), pw.Stop())
	}
	return opened, func() {
		_ = opened.Close()
		_ = pw.Stop()
	}, nil
}

// readSetup reads .tools/browser.json.
func readSetup() (setup, error) {
	var found setup
	root, err := pgserver.ModuleRoot()
	if err != nil {
		return found, err
	}
	text, err := os.ReadFile(filepath.Join(root, ".tools", "browser.json"))
	if err != nil {
		return found, fmt.Errorf("the browser is not set up, run `make browser`: %w", err)
	}
	return found, json.Unmarshal(text, &found)
}

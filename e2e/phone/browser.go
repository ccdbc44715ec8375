// Package phone is a buyer's telephone for tests: one headless browser a test package, and for each test a
// page of its own in a mobile viewport, as a plain browser or inside the messaging app.
package phone

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// browser is started once by Run; tests only open contexts in it.
var browser playwright.Browser

// setup is what e2e/setup/browser.mjs found: see there for the order it looks in.
type setup struct {
	Executable string            `json:"executable"`
	Driver     string            `json:"driver"`
	Env        map[string]string `json:"env"`
}

// atOnce is how many tests of a package run side by side unless -parallel says otherwise: a page waits more than it works.
const atOnce = "4"

// Run starts the browser, runs the package's tests and stops it. No browser is a failure, never a skip.
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

// Open starts the browser that e2e/setup/browser.mjs found. The caller stops it.
func Open() (opened playwright.Browser, stop func(), err error) {
	found, err := readSetup()
	if err != nil {
		return nil, nil, err
	}
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true, Verbose: false})
	if err != nil {
		return nil, nil, fmt.Errorf("start the driver: %w", err)
	}
	env := map[string]string{}
	for _, pair := range os.Environ() {
		for i := range pair {
			if pair[i] == '=' {
				env[pair[:i]] = pair[i+1:]
				break
			}
		}
	}
	for k, v := range found.Env {
		env[k] = v
	}
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

func readSetup() (setup, error) {
	var found setup
	root, err := moduleRoot()
	if err != nil {
		return found, err
	}
	text, err := os.ReadFile(filepath.Join(root, ".tools", "browser.json"))
	if err != nil {
		return found, fmt.Errorf("no browser set up, run `make browser`: %w", err)
	}
	return found, json.Unmarshal(text, &found)
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the test")
		}
		dir = parent
	}
}

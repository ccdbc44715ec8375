package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marquee/server/ops"
	"marquee/server/upkeep"
)

type doctorCommand struct {
	List bool   `help:"List the checks without running one."`
	Only string `name:"run" help:"Run only the check NAME." placeholder:"NAME"`
	JSON bool   `name:"json" help:"Print the findings as JSON."`
}

// Help explains the levels and the exit codes.
func (doctorCommand) Help() string {
	return "Checks the environment of the shop and changes nothing, in the shop or at a provider. It needs " +
		"the environment " +
		"of the server; checks whose variables are missing are skipped. A warning needs an operator soon.\n\n" +
		"Exit codes: 0 no check has failed, 3 a check has failed, 9 no check has this name, 1 another error."
}

// Run runs the checks and prints what they found.
func (c doctorCommand) Run(ctx context.Context, p *process) (err error) {
	doctor := newDoctor(ctx, p)
	defer func() { err = errors.Join(err, doctor.Close()) }()
	checks := doctor.Checks()
	if c.List {
		for _, check := range checks {
			fmt.Fprintf(p.stdout, "%-24s %s\n", check.Name, check.Asks)
		}
		return nil
	}
	if c.Only != "" {
		checks = slices.DeleteFunc(checks, func(check ops.Check) bool { return check.Name != c.Only })
		if len(checks) == 0 {
			return fmt.Errorf("%w: no check %q; shop doctor --list lists the checks", errArguments, c.Only)
		}
	}
	findings := ops.Diagnose(ctx, checks)
	if c.JSON {
		err = json.NewEncoder(p.stdout).Encode(findings)
	} else {
		for _, f := range findings {
			fmt.Fprintf(p.stdout, "%-8s %-24s %s\n", f.Level, f.Check, f.Text)
		}
	}
	var failed []string
	for _, f := range findings {
		if f.Level == ops.Failed {
			failed = append(failed, f.Check)
		}
	}
	if err == nil && len(failed) > 0 {
		err = exitError{fmt.Errorf("failed: %s", strings.Join(failed, ", ")), exitDiffers}
	}
	return err
}

// newDoctor prepares the checks of the process's environment. If the configuration cannot be read, the doctor reports
// why, and checks what it can.
func newDoctor(ctx context.Context, p *process) *upkeep.Doctor {
	cfg, err := readConfig(ctx, p.log)
	if err != nil {
		cfg.DB, _ = databaseVariable() // NewDoctor accepts any value and reports an unusable one
	}
	return upkeep.NewDoctor(ctx, cfg, err)
}

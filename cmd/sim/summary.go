package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"marquee/simulators"
	"marquee/simulators/journal"
)

// verdicts are the values of -fail-on: verdicts of the simulators' journal on the calls that they received.
type verdicts []journal.Verdict

// UnmarshalText reads verdicts that are separated by commas.
func (v *verdicts) UnmarshalText(text []byte) error {
	*v = nil
	for name := range strings.SplitSeq(string(text), ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(journal.Verdicts(), journal.Verdict(name)) {
			return fmt.Errorf("unknown verdict %q; valid: %s", name, join(journal.Verdicts()))
		}
		*v = append(*v, journal.Verdict(name))
	}
	return nil
}

func join(list verdicts) string {
	var names []string
	for _, v := range list {
		names = append(names, string(v))
	}
	return strings.Join(names, ", ")
}

// summarize prints how many calls the simulators received in all worlds (sets of simulated providers), by verdict. It
// returns an *exit with exitVerdict if a call had a verdict of failOn.
func summarize(sims *simulators.Simulators, failOn verdicts, stdout io.Writer) error {
	totals := sims.Totals()
	var parts, failures []string
	var calls int64
	for _, v := range journal.Verdicts() {
		n := totals[v]
		calls += n
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
		if n > 0 && slices.Contains(failOn, v) {
			failures = append(failures, fmt.Sprintf("%d %s", n, v))
		}
	}
	text := fmt.Sprintf("calls       %d", calls)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if _, err := fmt.Fprintln(stdout, text); err != nil {
		return err
	}
	if len(failures) > 0 {
		return &exit{exitVerdict, fmt.Errorf("calls with a verdict of -fail-on: %s", strings.Join(failures, ", "))}
	}
	return nil
}

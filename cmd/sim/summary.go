package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"marquee/simulators"
	"marquee/simulators/journal"
)

// verdictsOf reads -fail-on.
func verdictsOf(text string) (list []journal.Verdict, err error) {
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(journal.Verdicts(), journal.Verdict(name)) {
			return nil, fmt.Errorf("-fail-on: unknown verdict %q; valid: %s", name, join(journal.Verdicts()))
		}
		list = append(list, journal.Verdict(name))
	}
	return list, nil
}

func join(verdicts []journal.Verdict) string {
	var names []string
	for _, v := range verdicts {
		names = append(names, string(v))
	}
	return strings.Join(names, ", ")
}

// summarize prints how the calls of all worlds ended. It returns an *exit with exitVerdict if a call had a
// verdict of failOn.
func summarize(sims *simulators.Simulators, failOn []journal.Verdict, stdout io.Writer) error {
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
		return &exit{exitVerdict, fmt.Errorf("calls that -fail-on names: %s", strings.Join(failures, ", "))}
	}
	return nil
}

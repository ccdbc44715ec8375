package record

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Text writes the report for people.
func (r *Report) Text(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d calls recorded at %s compared with %s; %d skipped; ", r.Provider, r.Compared, r.Calls, r.Recorded, r.Target, len(r.Skipped))
	switch len(r.Differences) {
	case 0:
		b.WriteString("no differences\n")
	case 1:
		b.WriteString("1 difference\n")
	default:
		fmt.Fprintf(&b, "%d differences\n", len(r.Differences))
	}
	for i, operation := range r.operations() {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintln(&b, operation)
		columns := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, d := range r.Differences {
			if d.Operation == operation {
				fmt.Fprintf(columns, "  %s\t%s\t%s\t%s\n", d.Kind, d.Path, d.sentence(), numbers(d.Calls))
			}
		}
		_ = columns.Flush()
	}
	if len(r.Skipped) > 0 {
		b.WriteString("\nskipped\n")
		for _, s := range r.Skipped {
			fmt.Fprintf(&b, "  %d %s: %s\n", s.Call, s.Operation, s.Reason)
		}
	}
	if len(r.Unseen) > 0 {
		b.WriteString("\nnot compared, because one side had nothing there\n")
		for _, u := range r.Unseen {
			fmt.Fprintf(&b, "  %s %s\n", u.Operation, u.Path)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// operations are those that differ, in the order of the differences.
func (r *Report) operations() (names []string) {
	seen := map[string]bool{}
	for _, d := range r.Differences {
		if !seen[d.Operation] {
			seen[d.Operation] = true
			names = append(names, d.Operation)
		}
	}
	return names
}

func (d Difference) sentence() string {
	switch d.Kind {
	case "missing":
		return "recorded " + d.Recorded + ", never answered"
	case "extra":
		return "never recorded, answered " + d.Answered
	}
	return "recorded " + d.Recorded + ", answered " + d.Answered
}

func numbers(calls []int) string {
	const most = 5
	word := "call"
	if len(calls) > 1 {
		word = "calls"
	}
	text := strings.Trim(fmt.Sprint(calls[:min(len(calls), most)]), "[]")
	if len(calls) > most {
		text += fmt.Sprintf(" and %d more", len(calls)-most)
	}
	return word + " " + text
}

// Replay sends a recording again and tells every call's outcome on a line of progress. The calls and their answers,
// redacted, go to out as a recording of their own; nil keeps none. The error is an *Error.
func Replay(ctx context.Context, rec *Recording, o ReplayOptions, progress, out io.Writer) error {
	p, err := newReplay(rec, o)
	if err != nil {
		return err
	}
	if out == nil {
		out = io.Discard
	}
	kept, err := newWriter(out, Header{Provider: rec.Provider, Target: plainTarget(p.target), Began: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return fail("bad_out", "the recording cannot be written: %s", err)
	}
	clean := newRedactor(rec.provider)
	var lost error
	err = p.run(ctx, func(recorded, now Call) {
		fmt.Fprintf(progress, "%4d %s: recorded %s, answered %s\n", recorded.ID, recorded.Operation, rec.provider.outcome(recorded), rec.provider.outcome(now))
		clean.call(&now)
		if err := kept.add(now); err != nil && lost == nil {
			lost = fail("bad_out", "the recording cannot be written: %s", err)
		}
	}, func(s Skip) { fmt.Fprintf(progress, "%4d %s: skipped: %s\n", s.Call, s.Operation, s.Reason) })
	if err != nil {
		return err
	}
	return lost
}

// outcome is a call's status and the provider's own code.
func (p *provider) outcome(c Call) string {
	if c.Answer == nil {
		return c.Failure
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", c.Answer.Status, p.code(c.Answer.Status, c.Answer.Body.JSON)))
}

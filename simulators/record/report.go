package record

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Text writes the report as text to out. It returns the error of writing.
func (r *Report) Text(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d calls recorded at %s compared with %s; %d skipped; ",
		r.Provider, r.Compared, r.Calls, r.Recorded, r.Target, len(r.Skipped))
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
		b.WriteString("\nnot compared, because one side had no values\n")
		for _, u := range r.Unseen {
			fmt.Fprintf(&b, "  %s %s\n", u.Operation, u.Path)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// operations lists the operations that differ, in the order of the differences.
func (r *Report) operations() (names []string) {
	for _, d := range r.Differences {
		if !slices.Contains(names, d.Operation) {
			names = append(names, d.Operation)
		}
	}
	return names
}

// sentence describes what was recorded and what was answered.
func (d Difference) sentence() string {
	switch d.Kind {
	case "missing":
		return "recorded " + d.Recorded + ", never answered"
	case "extra":
		return "never recorded, answered " + d.Answered
	}
	return "recorded " + d.Recorded + ", answered " + d.Answered
}

// numbers writes the ids of calls, at most five, as in "calls 3 4 5".
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

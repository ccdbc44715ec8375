package script

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Invalid is a fault that cannot be planned; its text names the valid values.
type Invalid struct{ Reason string }

func (e *Invalid) Error() string { return e.Reason }

const (
	maxFaults = 1000
	maxDelay  = 400 * 24 * 60 * 60 // seconds, as far as a clock may be advanced at once
)

func (p *Plan) check(f Fault) error {
	provider, known := p.providers[f.Provider]
	switch {
	case !known:
		return invalid("unknown provider %q; valid: %s", f.Provider, join(keys(p.providers)))
	case f.Operation != "*" && !slices.Contains(provider.Operations, f.Operation):
		return invalid("unknown operation %q of %s; valid: *, %s", f.Operation, f.Provider, join(provider.Operations))
	case len(p.faults) >= maxFaults:
		return invalid("there are %d faults already; remove some", maxFaults)
	case f.Nth < 0 || f.Nth > 0 && (f.Skip != 0 || f.Times != 0):
		return invalid("nth must not be negative, nor stand beside skip or times, which it is short for")
	case f.Skip < 0 || f.Times < 0:
		return invalid("skip and times must not be negative")
	case f.Probability < 0 || f.Probability > 1:
		return invalid("probability must be from 0 to 1")
	case f.LatencyMS < 0 || f.LatencyMS > 600_000:
		return invalid("latency_ms must be from 0 to 600000")
	case f.Do == Latency && f.LatencyMS == 0:
		return invalid("latency needs latency_ms")
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return invalid("status must be from 200 to 599")
	case f.Code != "" && provider.Numeric && !wholeNumber(f.Code):
		return invalid("code of %s must be a whole number, as it answers them", f.Provider)
	case f.DelayS < 0 || f.DelayS > maxDelay:
		return invalid("delay_s must be from 0 to %d", maxDelay)
	}
	if slices.Contains(wireWords, f.Do) {
		return nil
	}
	operations, known := provider.Words[f.Do]
	if !known {
		return invalid("unknown do %q of %s; valid: %s", f.Do, f.Provider, join(append(slices.Clone(wireWords), keys(provider.Words)...)))
	}
	if f.Operation != "*" && !slices.Contains(operations, f.Operation) {
		return invalid("%s never happens at %s; valid: *, %s", f.Do, f.Operation, join(operations))
	}
	return nil
}

func wholeNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

func invalid(format string, args ...any) error { return &Invalid{Reason: fmt.Sprintf(format, args...)} }

func keys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

func join(list []string) string { return strings.Join(list, ", ") }

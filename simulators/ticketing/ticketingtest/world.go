// Package ticketingtest has what the tests of both ticketing simulators share: the catalogue, clock, fault plan and
// journal with which a simulator is created, and access to the JSON of its answers.
package ticketingtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// World is the catalogue that a simulator serves in a test, with the clock, the fault plan and the journal.
type World struct {
	*testing.T
	Clock   *testclock.Clock
	Country *dataset.Country
	Plan    *faults.Plan
	Journal *journal.Journal
}

// NewWorld returns a World that starts at the present time.
func NewWorld(t *testing.T) World {
	clock := testclock.New()
	return World{t, clock, dataset.NewCountry(1, clock), faults.NewPlan(), journal.New(100, clock.Now)}
}

// Fault plans a fault of the provider.
func (w World) Fault(provider string, f faults.Fault) {
	w.Helper()
	f.Provider = provider
	_, err := w.Plan.Add(f)
	require.NoError(w, err)
}

// Show returns a show of the source that is on sale and starts more than six hours from now, in a hall of the kind.
func (w World) Show(source dataset.Source, kind string) dataset.Show {
	w.Helper()
	city, _ := w.Country.City("310100")
	for _, c := range w.Country.Cinemas(source, city) {
		for _, s := range w.Country.Shows(c, "") {
			if s.Hall.Layout.Kind == kind && s.Starts.Sub(w.Country.Now()) > 6*time.Hour && !s.Blocked {
				return s
			}
		}
	}
	w.Fatalf("no show in a hall %s", kind)
	return dataset.Show{}
}

// Object returns a JSON value that must be an object.
func Object(t testing.TB, value any) map[string]any {
	t.Helper()
	object, ok := value.(map[string]any)
	require.True(t, ok, "no object: %v", value)
	return object
}

// List returns the objects of an array in an answer.
func List(t testing.TB, data map[string]any, name string) []map[string]any {
	t.Helper()
	items, ok := data[name].([]any)
	require.True(t, ok, "%s in %v", name, data)
	out := make([]map[string]any, len(items))
	for i, item := range items {
		out[i] = Object(t, item)
	}
	return out
}

// Text returns a text in an answer.
func Text(t testing.TB, object map[string]any, name string) string {
	t.Helper()
	s, ok := object[name].(string)
	require.True(t, ok, "%s is not a text: %v", name, object[name])
	return s
}

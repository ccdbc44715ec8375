package pages

import (
	"testing"

	"marquee/e2e/harness"
	"marquee/e2e/phone"
)

// Opener opens a browser for a buyer.
type Opener func(*harness.Stack, *harness.Buyer) *Visit

// PlainFor opens a lean ordinary mobile browser for a buyer.
func PlainFor(s *harness.Stack, b *harness.Buyer) *Visit {
	return Plain(s, phone.Options{Lean: true}).As(b)
}

// InAppFor opens a lean browser inside the messaging app for a buyer, by the buyer's identity if there is one.
func InAppFor(s *harness.Stack, b *harness.Buyer) *Visit {
	openID := b.OpenID
	if openID == "" {
		openID = harness.BoundOpenID
	}
	return InApp(s, openID, phone.Options{Lean: true}).As(b)
}

// BothBrowsers runs a test twice, in parallel: in an ordinary browser and in the messaging app.
func BothBrowsers(t *testing.T, test func(t *testing.T, open Opener)) {
	t.Helper()
	for name, open := range map[string]Opener{"plain": PlainFor, "in-app": InAppFor} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open)
		})
	}
}

// BothSources runs a test twice, in parallel: for each of the two ticketing sources.
func BothSources(t *testing.T, test func(t *testing.T, source harness.Source)) {
	t.Helper()
	for _, source := range harness.Sources {
		t.Run(source.Name, func(t *testing.T) {
			t.Parallel()
			test(t, source)
		})
	}
}

// InPairs runs a test twice: in an ordinary browser with the legacy gateway, and in the messaging app with newmovie.
func InPairs(t *testing.T, test func(t *testing.T, open Opener, source harness.Source)) {
	t.Helper()
	for _, pair := range []struct {
		name   string
		open   Opener
		source harness.Source
	}{{"plain-legacy", PlainFor, harness.Legacy}, {"in-app-newmovie", InAppFor, harness.NewMovie}} {
		t.Run(pair.name, func(t *testing.T) {
			t.Parallel()
			test(t, pair.open, pair.source)
		})
	}
}

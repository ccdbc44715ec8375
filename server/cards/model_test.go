package cards_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/store/sqlite"
)

// leg is a payment leg in the model.
type leg struct {
	cards.Spend
	points money.Points
	state  string // held, spent, back
}

// Random movements on three cards are compared with a model that only adds and subtracts: after every step the ledger
// sums to zero, no balance is negative, and the cards have the points of the model.
func TestModel_RandomMovementsKeepTheLedger(t *testing.T) {
	t.Parallel()
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		db, err := sqlite.Open(filepath.Join(dir, time.Duration(n).String()+".db"))
		require.NoError(r, err)
		defer func() { require.NoError(r, db.Close()) }()
		now := noon
		issuer := cards.NewIssuer(db.Cards(), testPeppers, func() time.Time { return now })
		for i := range 3 {
			require.NoError(r, issuer.Issue(r.Context(), []cards.NewCard{{
				PID: 1, Number: string(rune('a' + i)), Password: "p", Points: 1000,
				ExpiresAt: noon.Add(time.Duration(i+1) * 24 * time.Hour),
			}}, "test"))
		}
		var legs []*leg
		keys := 0
		update := func(fn func(cards.Tx) error) error { return db.Cards().Update(r.Context(), fn) }
		card := func(r *rapid.T) int64 { return rapid.Int64Range(1, 3).Draw(r, "card") }
		begin := func(r *rapid.T, to string, take func(cards.Tx, cards.Spend, money.Points) error) {
			l := &leg{Spend: cards.Spend{LegID: int64(len(legs) + 1), CardID: card(r), Actor: "test", At: now},
				points: money.Points(rapid.IntRange(1, 700).Draw(r, "points")), state: to}
			if update(func(tx cards.Tx) error { return take(tx, l.Spend, l.points) }) == nil {
				legs = append(legs, l)
			}
		}
		end := func(r *rapid.T, from, to string, move func(cards.Tx, cards.Spend) error) {
			if len(legs) == 0 {
				return
			}
			l := rapid.SampledFrom(legs).Draw(r, "leg")
			l.At = now
			err := update(func(tx cards.Tx) error { return move(tx, l.Spend) })
			if l.state == from {
				require.NoError(r, err)
				l.state = to
			} else if l.state != to && (l.state != "refunded" || to != "spent") {
				require.ErrorIs(r, err, cards.ErrStale, "%s from %s", to, l.state)
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"reserve": func(r *rapid.T) { begin(r, "held", cards.Reserve) },
			"pay":     func(r *rapid.T) { begin(r, "spent", cards.Pay) },
			"commit":  func(r *rapid.T) { end(r, "held", "spent", cards.Commit) },
			"release": func(r *rapid.T) { end(r, "held", "back", cards.Release) },
			"credit or deduct": func(r *rapid.T) {
				keys++
				_, _ = issuer.Adjust(r.Context(), cards.Adjustment{
					Key: time.Duration(keys).String(), CardID: card(r),
					Points: money.Points(rapid.IntRange(-300, 300).Draw(r,
						"points")),
					Life: 36 * time.Hour, Reason: "test", Actor: "test",
				})
			},
			"refund": func(r *rapid.T) {
				end(r, "spent", "refunded",
					func(l cards.Tx, s cards.Spend) error { return cards.Refund(l, s, 1, "test") })
			},
			"time passes": func(r *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 20).Draw(r, "hours")) * time.Hour)
				_, err := issuer.ExpireLots(r.Context())
				require.NoError(r, err)
			},
			"": func(r *rapid.T) {
				var sum, revenue, held int64
				require.NoError(r, db.Read().QueryRow(`SELECT coalesce(sum(cp), 0),
					coalesce(sum(cp) FILTER (WHERE account = 'revenue'), 0),
					coalesce(sum(cp) FILTER (WHERE account = 'held'), 0) FROM ledger_entries`).Scan(&sum, &revenue, &held))
				var wantRevenue, wantHeld int64
				for _, l := range legs {
					switch l.state {
					case "held":
						wantHeld += int64(l.points)
					case "spent":
						wantRevenue += int64(l.points)
					}
				}
				require.Zero(r, sum)
				require.Equal(r, wantRevenue, revenue)
				require.Equal(r, wantHeld, held)
			},
		})
		found, err := db.Orders().Discrepancies(r.Context())
		require.NoError(r, err)
		for _, d := range found { // there are no orders here, only cards
			require.Contains(r, []string{"held_matches_open_legs", "revenue_matches_legs"}, d.Check, "%+v", d)
		}
	})
}

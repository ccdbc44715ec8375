package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
	"marquee/server/store/sqlite/sqlitetest"
)

// engines open an empty database of each engine.
var engines = map[string]func(t *testing.T) (store.Engine, *store.Stores){
	"sqlite": func(t *testing.T) (store.Engine, *store.Stores) {
		db := sqlitetest.Open(t)
		return db, db.Stores
	},
	"postgres": func(t *testing.T) (store.Engine, *store.Stores) {
		db := pgtest.OpenShop(t)
		return db, db.Stores
	},
}

// execAll runs statements in one transaction.
func execAll(t *testing.T, db store.Engine, statements ...string) {
	t.Helper()
	require.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
		for _, s := range statements {
			if _, err := c.Exec(s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	}))
}

// fillForTransfer writes rows that are hard to copy: flags, bytes, NULL, texts beyond ASCII, cards merged into later
// ones, an order of an account that was closed afterwards, and more rows than fit into one transaction.
func fillForTransfer(t *testing.T, db store.Engine) {
	t.Helper()
	require.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
		_, err := c.Exec(`INSERT INTO cards (id, pid, number, password, status, version, created_at, coupon) VALUES
			(1, 1, '8001', $1, 'active', 1, 1, NULL), (2, 1, '8002', $1, 'frozen', 1, 1, $2)`,
			[]byte{0, 255}, []byte("c"))
		if err != nil {
			return err
		}
		_, err = c.Exec(`INSERT INTO sms_codes (phone, purpose, network, owner, code_hash, sent_at, expires_at) VALUES
			('13800138000', 'login', '10.0.0.0/24', TRUE, $1, 1, 2)`, []byte("x"))
		return err
	}))
	execAll(t, db,
		`INSERT INTO users (id, phone, created_at) VALUES (1, '13800138000', 1), (2, '13800138001', 2)`,
		`INSERT INTO orders (id, order_no, kind, state, version, user_id, source, total, created_at, updated_at)
			VALUES (1, 'T1', 'recharge', 'EXPIRED', 1, 2, 0, 100, 3, 3)`,
		`UPDATE users SET phone = NULL, closed_at = 9 WHERE id = 2`,
		`UPDATE cards SET deleted = TRUE, merged_into = 2 WHERE id = 1`,
		`INSERT INTO lots (id, card_id, expires_at, avail, origin) VALUES (1, 1, 99, 0, '赠送'), (2, 2, 99, 0, '')`,
		`UPDATE lots SET merged_into = 2 WHERE id = 1`,
	)
	execAll(t, db, `INSERT INTO audit (actor, what, subject, at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234) SELECT 'a', 'b', 'c', i FROM n`)
}

// requireAnalyzed checks that the planner of PostgreSQL knows how many rows a table has: -1 is unknown.
func requireAnalyzed(t *testing.T, db store.Engine, table string) {
	t.Helper()
	rows, err := db.Query(t.Context(), `SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = $1`, table)
	require.NoError(t, err)
	defer rows.Close()
	require.True(t, rows.Next())
	var known int64
	require.NoError(t, rows.Scan(&known))
	require.EqualValues(t, 1234, known)
}

func TestCopy_BetweenAllEngines(t *testing.T) {
	t.Parallel()
	for fromName, openFrom := range engines {
		for toName, openTo := range engines {
			t.Run(fromName+" to "+toName, func(t *testing.T) {
				t.Parallel()
				from, source := openFrom(t)
				fillForTransfer(t, from)
				to, target := openTo(t)
				reported := map[string]int64{}
				rows, err := store.Copy(t.Context(), source, target, func(table string, n int64) { reported[table] = n }, nil)
				require.NoError(t, err)
				counts, err := source.CountRows(t.Context())
				require.NoError(t, err)
				assert.Equal(t, counts, rows)
				assert.EqualValues(t, 1234, reported["audit"])
				assert.EqualValues(t, 2, rows["cards"])
				found, err := target.Orders().Discrepancies(t.Context())
				require.NoError(t, err)
				assert.Empty(t, found)

				again, err := store.Copy(t.Context(), source, target,
					func(string, int64) { t.Error("a second copy writes") }, nil)
				require.NoError(t, err, "a copy that is done changes nothing")
				assert.Equal(t, rows, again)

				if to.Dialect() == store.PostgreSQL {
					requireAnalyzed(t, to, "audit")
				}

				// New rows are numbered after the copied ones, and the triggers of the schema are on again.
				execAll(t, to, `INSERT INTO audit (actor, what, subject, at) VALUES ('a', 'b', 'c', 5000)`)
				require.Error(t, to.Write(t.Context(), func(c store.Conn) error {
					_, err := c.Exec(`INSERT INTO orders (order_no, kind, state, version, user_id, source, total,
						created_at,
						updated_at) VALUES ('T2', 'recharge', 'EXPIRED', 1, 2, 0, 100, 3, 3)`)
					return err
				}), "an order of a closed account")
				require.Error(t, to.Write(t.Context(), func(c store.Conn) error {
					_, err := c.Exec(`DELETE FROM audit`)
					return err
				}))
				_, err = store.Copy(t.Context(), source, target, nil, nil)
				require.ErrorIs(t, err, store.ErrTargetNotEmpty, "the target has a row that is not in the source")
			})
		}
	}
}

// A database that was written before the stores repaired texts can be copied, and each repair is reported.
func TestCopy_RepairsTexts(t *testing.T) {
	t.Parallel()
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, source := engines["sqlite"](t)
			fillForTransfer(t, from)
			require.NoError(t, from.Write(t.Context(), func(c store.Conn) error { // the engine repairs no texts
				for _, s := range [][]any{
					{`INSERT INTO texts (key, title, html) VALUES ($1, $2, $3)`, "k\x00", "\xd2\xfe", "<p>\x00一</p>"},
					{`INSERT INTO texts (key, title, html) VALUES ('good', '一', '🎬')`},
					{`UPDATE orders SET fail_reason = $1`, "影院\x00故障"},
				} {
					if _, err := c.Exec(s[0].(string), s[1:]...); err != nil {
						return err
					}
				}
				return nil
			}))
			to, target := open(t)
			var repaired []string
			_, err := store.Copy(t.Context(), source, target, nil, func(table, key, column string) {
				repaired = append(repaired, table+" "+key+" "+column)
			})
			require.NoError(t, err)
			assert.ElementsMatch(t, []string{
				`orders id=1 fail_reason`, `texts key="k�" key`, `texts key="k�" title`, `texts key="k�" html`,
			}, repaired)
			rows, err := to.Query(t.Context(), `SELECT key, title, html, (SELECT fail_reason FROM orders) FROM texts
				ORDER BY key`)
			require.NoError(t, err)
			var got [][4]string
			for rows.Next() {
				var row [4]string
				require.NoError(t, rows.Scan(&row[0], &row[1], &row[2], &row[3]))
				got = append(got, row)
			}
			require.NoError(t, rows.Close())
			assert.Equal(t, [][4]string{
				{"good", "一", "🎬", "影院�故障"}, {"k�", "�", "<p>�一</p>", "影院�故障"},
			}, got)
			_, err = store.Copy(t.Context(), source, target, func(string, int64) { t.Error("a second copy writes") },
				func(string, string, string) { t.Error("a second copy repairs") })
			require.NoError(t, err)
		})
	}
}

// The error of a copy that differs contains the table and the row, and does not guess the reason.
func TestCopy_NamesWhatDiffers(t *testing.T) {
	t.Parallel()
	const texts = `INSERT INTO texts (key, title, html) VALUES ('a', '1', '1'), ('b', '2', '2')`
	for name, open := range engines {
		for change, want := range map[string]string{
			`UPDATE texts SET html = '3' WHERE key = 'b'`:                   `table texts, row key="b", column html;`,
			`DELETE FROM texts WHERE key = 'a'`:                             `row key="a" is missing in the target;`,
			`INSERT INTO texts (key, title, html) VALUES ('c', 'x', 'y')`:   `table texts, row key="c" is not in the source;`,
			`UPDATE texts SET title = '3', html = '3' WHERE title IN ('2')`: `table texts, row key="b", column title;`,
			`UPDATE texts SET key = 'c' WHERE key = 'b' AND title = '2'`:    `row key="b" is missing in the target;`,
			`UPDATE texts SET title = title || ' ' WHERE key IN ('a', 'b')`: `table texts, row key="a", column title;`,
		} {
			t.Run(name+" "+change, func(t *testing.T) {
				t.Parallel()
				from, source := engines["sqlite"](t)
				execAll(t, from, texts)
				to, target := open(t)
				_, err := store.Copy(t.Context(), source, target, func(table string, _ int64) {
					if table == "texts" { // after its rows are committed, and before the contents are compared
						execAll(t, to, change)
					}
				}, nil)
				require.ErrorIs(t, err, store.ErrContentsDiffer)
				assert.ErrorContains(t, err, want)
				assert.NotContains(t, err.Error(), "meanwhile")

				_, err = store.Copy(t.Context(), source, target, nil, nil)
				require.Error(t, err)
				assert.ErrorContains(t, err, `table texts, row key="`, "a second copy names it, too")
			})
		}
	}
}

func TestCopy_ContinuesAfterAnInterruption(t *testing.T) {
	t.Parallel()
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, source := engines["sqlite"](t)
			fillForTransfer(t, from)
			_, target := open(t)
			for _, most := range []int64{500, 1000} { // rows of the table that is copied when the process dies
				ctx, kill := context.WithCancel(t.Context())
				_, err := store.Copy(ctx, source, target, func(table string, n int64) {
					if table == "audit" && n == most {
						kill()
					}
				}, nil)
				require.Error(t, err)
				kill()
			}
			rows, err := store.Copy(t.Context(), source, target, nil, nil)
			require.NoError(t, err)
			assert.EqualValues(t, 1234, rows["audit"])
		})
	}
}

// From the creation of its schema to the end of the copy a target is opened only to continue the copy.
func TestCopy_MarksItsTargetUntilItIsFinished(t *testing.T) {
	t.Parallel()
	from, source := engines["sqlite"](t)
	fillForTransfer(t, from)
	file, server := filepath.Join(t.TempDir(), "shop.db"), pgtest.New(t, pgtest.Template{})
	for name, open := range map[string]func(receiving bool) (*store.Stores, error){
		"sqlite": func(receiving bool) (*store.Stores, error) {
			options := []sqlite.Option{sqlite.NotServing()}
			if receiving {
				options = append(options, sqlite.Receiving())
			}
			db, err := sqlite.Open(file, options...)
			if err != nil {
				return nil, err
			}
			return db.Stores, nil
		},
		"postgres": func(receiving bool) (*store.Stores, error) {
			options := []postgres.Option{postgres.Migrating(), postgres.Connections(2)}
			if receiving {
				options = append(options, postgres.Receiving())
			}
			db, err := postgres.Open(t.Context(), server, options...)
			if err != nil {
				return nil, err
			}
			return db.Stores, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			receive := func(use func(target *store.Stores)) {
				t.Helper()
				target, err := open(true)
				require.NoError(t, err)
				use(target)
				require.NoError(t, target.Close())
				_, err = open(false)
				require.ErrorIs(t, err, store.ErrTransferUnfinished)
			}
			receive(func(target *store.Stores) { // the process ends before its first row
				require.ErrorIs(t, target.Ping(t.Context()), store.ErrTransferUnfinished)
			})
			receive(func(target *store.Stores) {
				ctx, kill := context.WithCancel(t.Context())
				_, err := store.Copy(ctx, source, target, func(string, int64) { kill() }, nil)
				require.Error(t, err)
				require.ErrorIs(t, target.Ping(t.Context()), store.ErrTransferUnfinished)
			})
			target, err := open(true)
			require.NoError(t, err)
			_, err = store.Copy(t.Context(), source, target, nil, nil)
			require.NoError(t, err)
			require.NoError(t, target.Ping(t.Context()))
			require.NoError(t, target.Close())
			target, err = open(false)
			require.NoError(t, err)
			require.NoError(t, target.Close())
			target, err = open(true)
			require.NoError(t, err)
			require.NoError(t, target.Ping(t.Context()), "a shop that is complete is not marked again")
			require.NoError(t, target.Close())
		})
	}
}

func TestCopy_RejectsAnotherSchemaAndForeignRows(t *testing.T) {
	t.Parallel()
	from, source := engines["sqlite"](t)
	fillForTransfer(t, from)
	to, target := engines["sqlite"](t)
	execAll(t, to, `INSERT INTO users (id, phone, created_at) VALUES (7, '13800138009', 1)`)
	_, err := store.Copy(t.Context(), source, target, nil, nil)
	require.ErrorIs(t, err, store.ErrTargetNotEmpty)
	require.NoError(t, target.Ping(t.Context()), "a rejected database is not marked as unfinished")
	counts, err := target.CountRows(t.Context())
	require.NoError(t, err)
	assert.Zero(t, counts["orders"], "nothing is written into a database that holds other rows")

	to, target = engines["sqlite"](t)
	execAll(t, to, `ALTER TABLE texts ADD COLUMN author TEXT`)
	_, err = store.Copy(t.Context(), source, target, nil, nil)
	require.ErrorIs(t, err, store.ErrSchemaDiffers)
}

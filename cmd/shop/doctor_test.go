package main

import (
	"archive/zip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/ops"
)

// serveForDoctor serves a shop on a database and sets the environment to its own, with simulated providers.
func serveForDoctor(t *testing.T, db string) *harness.Stack {
	t.Helper()
	served := harness.New(t, harness.Options{Configure: func(cfg *app.Config) { cfg.DB = db }})
	for name, value := range served.Sims.Default().ShopEnvironment() {
		t.Setenv(name, value)
	}
	t.Setenv("MARQUEE_SIMULATOR_URL", served.Sims.URL())
	t.Setenv("MARQUEE_PUBLIC_URL", served.URL)
	t.Setenv("MARQUEE_ADDR", strings.TrimPrefix(served.URL, "http://"))
	t.Setenv("MARQUEE_ADMIN_ADDR", "none")
	return served
}

// findingsOf runs the doctor and returns its findings by check.
func findingsOf(t *testing.T, db string, args ...string) (map[string]ops.Finding, error) {
	t.Helper()
	out, runErr := shopCommand(t, db, append([]string{"doctor", "--json"}, args...)...)
	var list []ops.Finding
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	findings := map[string]ops.Finding{}
	for _, f := range list {
		findings[f.Check] = f
	}
	return findings, runErr
}

func TestDoctor_OfAServedShop(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			db := newDatabase(t, engine)
			served := serveForDoctor(t, db)
			findings, err := findingsOf(t, db)
			require.NoError(t, err, "%v", findings)
			for _, name := range []string{"secrets", "database", "clock-database", "clock-providers",
				"provider-gateway",
				"provider-newmovie", "provider-wechat-pay", "provider-wechat-account", "webhooks", "queue"} {
				assert.Equal(t, ops.Passed, findings[name].Level, "%s: %s", name, findings[name].Text)
			}
			assert.Equal(t, ops.Warning, findings["backup"].Level)
			assert.Equal(t, ops.Warning, findings["configuration"].Level, "simulated")

			list, err := shopCommand(t, db, "doctor", "--list")
			require.NoError(t, err)
			for name := range findings {
				assert.Contains(t, list, name+" ")
			}
			only, err := findingsOf(t, db, "--run", "queue")
			require.NoError(t, err)
			assert.Len(t, only, 1)
			requireExit(t, exitConfig, "no check", db, "doctor", "--run", "luck")

			keyFile := filepath.Join(t.TempDir(), "merchant.pem")
			key := []byte(os.Getenv("MARQUEE_WECHAT_MCH_PRIVATE_KEY"))
			require.NoError(t, os.WriteFile(keyFile, key, 0o644)) //nolint:gosec // what the doctor must find
			t.Setenv("MARQUEE_WECHAT_MCH_PRIVATE_KEY", keyFile)
			open, err := findingsOf(t, db, "--run", "secrets")
			require.Error(t, err)
			assert.Equal(t, ops.Failed, open["secrets"].Level)
			assert.Contains(t, open["secrets"].Text, keyFile+" (mode 0644): chmod 600")
			require.NoError(t, os.Chmod(keyFile, 0o600))
			closed, err := findingsOf(t, db, "--run", "secrets")
			require.NoError(t, err)
			assert.Equal(t, ops.Passed, closed["secrets"].Level)

			t.Setenv("MARQUEE_NEWMOVIE_APP_SECRET", "another secret")
			findings, err = findingsOf(t, db)
			require.Error(t, err)
			assert.Equal(t, exitDiffers, exitCode(err))
			assert.Equal(t, ops.Failed, findings["provider-newmovie"].Level, "rejected credentials")
			require.NoError(t, served.Close())
			findings, _ = findingsOf(t, db)
			assert.Equal(t, ops.Failed, findings["configuration"].Level, "the simulators are gone")
			assert.Equal(t, ops.Skipped, findings["provider-gateway"].Level)
			assert.Equal(t, ops.Passed, findings["database"].Level, "what can be checked is checked")
		})
	}
}

// While another session locks a table, or another process locks the file, purchases wait.
func TestDoctor_FindsWhatHoldsUpTheWrites(t *testing.T) {
	locks := func(t *testing.T, db string) ops.Finding {
		t.Helper()
		findings, err := findingsOf(t, db, "--run", "locks")
		require.Equal(t, findings["locks"].Level == ops.Failed, err != nil, "%v", err)
		return findings["locks"]
	}
	t.Run("postgres", func(t *testing.T) {
		db := newDatabase(t, "postgres")
		serveForDoctor(t, db)
		operator, err := pgx.Connect(t.Context(), with(t, db, func(_ *url.URL, q url.Values) {
			q.Set("application_name", "night-shift")
		}))
		require.NoError(t, err)
		defer func() { require.NoError(t, operator.Close(context.WithoutCancel(t.Context()))) }()
		for _, mode := range []string{"ACCESS EXCLUSIVE", "SHARE"} { // as ALTER TABLE, or as CREATE INDEX
			tx, err := operator.Begin(t.Context())
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), `LOCK TABLE orders IN `+mode+` MODE`)
			require.NoError(t, err)
			found := locks(t, db)
			assert.Equal(t, ops.Failed, found.Level)
			assert.Contains(t, found.Text, "db_locked: ")
			assert.Contains(t, found.Text, fmt.Sprintf("writes of orders wait for session %d (user ",
				operator.PgConn().PID()))
			assert.Contains(t, found.Text, "application night-shift, ")
			assert.Contains(t, found.Text, "idle in transaction")
			assert.Contains(t, found.Text, "pg_terminate_backend")
			require.NoError(t, tx.Rollback(t.Context()))
			assert.Equal(t, ops.Passed, locks(t, db).Level)
		}
	})
	t.Run("sqlite", func(t *testing.T) {
		db := newDatabase(t, "sqlite")
		require.NoError(t, serveForDoctor(t, db).Close())
		other, err := sql.Open("sqlite", db+"?_txlock=immediate")
		require.NoError(t, err)
		defer func() { require.NoError(t, other.Close()) }()
		tx, err := other.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		found := locks(t, db)
		assert.Equal(t, ops.Failed, found.Level)
		assert.Contains(t, found.Text, "db_busy: ")
		assert.Contains(t, found.Text, db)
		require.NoError(t, tx.Rollback())
		assert.Equal(t, ops.Passed, locks(t, db).Level)
	})
}

func TestDoctor_ChangesNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "shop.db")
	t.Setenv("MARQUEE_SIMULATOR_URL", "")
	findings, err := findingsOf(t, db)
	require.Equal(t, exitDiffers, exitCode(err))
	assert.Contains(t, findings["database"].Text, "there is no database")
	assert.NoFileExists(t, db)

	served := serveForDoctor(t, db)
	served.NewBuyer(harness.WithPassword())
	require.NoError(t, served.Close())
	serveForDoctor(t, filepath.Join(t.TempDir(), "other.db"))
	before, err := os.ReadFile(db)
	require.NoError(t, err)
	_, _ = findingsOf(t, db)
	after, err := os.ReadFile(db)
	require.NoError(t, err)
	assert.Equal(t, before, after, "the doctor has changed the database")
	execute(t, db, `UPDATE goose_db_version SET version_id = 0 WHERE version_id > 0`)
	findings, _ = findingsOf(t, db)
	assert.Contains(t, findings["database"].Text, "schema_older")
}

func TestBundle_HoldsNoSecretAndNoPhone(t *testing.T) {
	db := filepath.Join(t.TempDir(), "shop.db")
	served := serveForDoctor(t, db)
	buyer := served.NewBuyer(harness.WithPassword(), harness.WithCard(100))
	secrets := map[string]string{}
	for _, v := range app.Variables() {
		if v.Secret {
			secrets[v.Name] = os.Getenv(v.Name)
		}
	}
	t.Setenv("MARQUEE_PEPPER_PREVIOUS", "a planted pepper 13900139000")
	secrets["MARQUEE_PEPPER_PREVIOUS"] = "a planted pepper"
	t.Setenv("MARQUEE_LINK_SERVICE", "tel:13912345678")
	t.Setenv("MARQUEE_LOGO", "https://user:plantedpassword@example.com/logo.svg")
	secrets["MARQUEE_LOGO"] = "plantedpassword"
	t.Setenv("MARQUEE_LINK_SHOP", "https://example.com/shop?id=7&token=plantedtoken%21&password=plantedword")
	secrets["MARQUEE_LINK_SHOP"] = "plantedtoken"
	secrets["password of MARQUEE_LINK_SHOP"] = "plantedword"
	file := filepath.Join(t.TempDir(), "bundle.zip")
	mustRun(t, db, "bundle", file)
	requireExit(t, exitFile, "exists", db, "bundle", file)

	archive, err := zip.OpenReader(file)
	require.NoError(t, err)
	defer archive.Close()
	texts := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		texts[f.Name] = string(text)
	}
	for name, want := range map[string]string{
		"configuration.txt": "MARQUEE_PEPPER_PREVIOUS=(", "versions.txt": "github.com/",
		"doctor.json": `"check": "queue"`,
		"queues.json": "Queue", "rows.json": `"orders": 0`, "changes.json": `"record": "journal"`, "metrics.txt": "",
		"problems.txt": "",
	} {
		assert.Contains(t, texts[name], want, name)
	}
	for name, text := range texts {
		for variable, secret := range secrets {
			if len(secret) >= 6 {
				assert.NotContains(t, text, secret, "%s of %s", name, variable)
			}
		}
		assert.NotContains(t, text, buyer.Phone, name)
		assert.NotContains(t, text, buyer.Token, name)
		assert.NotContains(t, text, "13912345678", name)
		assert.NotContains(t, text, buyer.Cards[0].Number, name)
	}
}

// execute changes a database without the shop.
func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	require.NoError(t, errors.Join(err, db.Close()))
}

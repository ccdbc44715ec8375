package upkeep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"marquee/server/app"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/ops"
	"marquee/server/order"
	"marquee/server/pepper"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/token"
)

// Doctor checks the environment of a shop: configuration, database, providers. If the database or the provider clients
// are unavailable, the checks that need them are skipped.
type Doctor struct {
	cfg       app.Config
	cfgErr    error
	db        *opened
	dbErr     error
	peppers   pepper.Ring
	providers app.Providers
	callErr   error // why no provider can be called; nil if they can be
}

// NewDoctor prepares the checks of a configuration. readErr is the error with which the configuration was read, or nil.
// It opens an existing database, and changes nothing. The caller must call Close.
func NewDoctor(ctx context.Context, cfg app.Config, readErr error) *Doctor {
	d := &Doctor{cfg: cfg, cfgErr: readErr}
	if d.cfgErr == nil {
		d.cfg, d.cfgErr = cfg.WithDefaults()
	}
	d.db, d.dbErr = openUnchanged(ctx, cfg.DB)
	if d.callErr = d.cfgErr; d.callErr != nil {
		return d
	}
	if d.peppers, d.callErr = pepper.New([]byte(d.cfg.Pepper), []byte(d.cfg.OldPepper)); d.callErr != nil {
		return d
	}
	vault, err := token.NewVault(&heldTokens{rows: map[string]token.Row{}}, d.peppers)
	if err != nil {
		d.callErr = err
		return d
	}
	d.providers, d.callErr = app.NewProviders(d.cfg, vault, nil)
	return d
}

// heldTokens is a token.Store in memory, so that the doctor changes no row of the shop's database.
type heldTokens struct{ rows map[string]token.Row }

// Token implements token.Store.
func (s *heldTokens) Token(_ context.Context, name string) (token.Row, error) {
	row, found := s.rows[name]
	if !found {
		return row, token.ErrNone
	}
	return row, nil
}

// Lease implements token.Store.
func (s *heldTokens) Lease(context.Context, string, string, time.Time, time.Time) (bool, error) {
	return true, nil
}

// Save implements token.Store.
func (s *heldTokens) Save(_ context.Context, name, _ string, row token.Row) (bool, error) {
	s.rows[name] = row
	return true, nil
}

// Release implements token.Store.
func (s *heldTokens) Release(context.Context, string, string) error { return nil }

// openUnchanged opens a database if its schema is that of this release. It rejects an older SQLite file, which would be
// migrated when it is opened.
func openUnchanged(ctx context.Context, db string) (*opened, error) {
	if err := app.MustFit(ctx, db); err != nil {
		return nil, err
	}
	return openForCommand(ctx, db)
}

// Close closes the database.
func (d *Doctor) Close() error {
	if d.providers.Pay != nil {
		d.providers.Pay.Stop()
	}
	if d.db == nil {
		return nil
	}
	return d.db.Close()
}

// Checks returns all checks, in the order in which they are run.
func (d *Doctor) Checks() []ops.Check {
	checks := []ops.Check{
		{Name: "configuration", Asks: "Is every variable present and valid?", Run: d.checkConfiguration},
		{Name: "secrets", Asks: "Do the peppers fit the database, and are key files private?", Run: d.checkSecrets},
		{Name: "database", Asks: "Can the database be read, and does its schema fit this release?",
			Run: d.checkDatabase},
		{Name: "locks", Asks: "Does another session or process hold up the writes of the shop?", Run: d.checkLocks},
		{Name: "time-limits", Asks: "Does PostgreSQL end statements, locks and transactions that take too long?",
			Run: d.checkTimeLimits},
		{Name: "replication", Asks: "Would a fail-over of PostgreSQL lose purchases?", Run: d.checkReplication},
		{Name: "disk", Asks: "Is space left?", Run: d.checkDisk},
		{Name: "clock-database", Asks: "Do this machine and the database agree on the time?",
			Run: d.checkDatabaseClock},
		{Name: "clock-providers", Asks: "Do this machine and the providers agree on the time?",
			Run: d.checkProviderClocks},
	}
	calls := d.calls()
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		call := calls[name]
		checks = append(checks, ops.Check{
			Name: name, Asks: "Can the provider be reached, and does it accept the shop's credentials?",
			Run: func(ctx context.Context) (ops.Level, string) { return d.checkCall(ctx, call) },
		})
	}
	return append(checks,
		ops.Check{Name: "provider-sms", Asks: "Can the SMS vendor be reached?", Run: d.checkMessages},
		ops.Check{Name: "certificates", Asks: "When do the certificates of shop and providers end?",
			Run: d.checkCertificates},
		ops.Check{Name: "webhooks", Asks: "Does the public address reach the shop?", Run: d.checkWebhooks},
		ops.Check{Name: "captcha", Asks: "Must strangers pass a challenge to get SMS codes?", Run: d.checkCaptcha},
		ops.Check{Name: "h5-payment", Asks: "Can buyers outside the messaging app pay in it?", Run: d.checkH5},
		ops.Check{Name: "queue", Asks: "Are due tasks done?", Run: d.checkQueue},
		ops.Check{Name: "verification", Asks: "Do all records agree?", Run: d.checkVerification},
		ops.Check{Name: "backup", Asks: "How old is the last backup?", Run: d.checkBackup},
	)
}

// withoutDatabase returns the finding of a check that needs the database if that cannot be opened.
func (d *Doctor) withoutDatabase() (ops.Level, string) {
	return ops.Skipped, "the database cannot be opened"
}

func (d *Doctor) checkConfiguration(context.Context) (ops.Level, string) {
	if d.cfgErr != nil {
		return ops.Failed, strings.ReplaceAll(d.cfgErr.Error(), "\n", "; ")
	}
	if d.cfg.SimulatorURL != "" {
		return ops.Warning, "the providers are simulated: no ticket, message or payment is real"
	}
	return ops.Passed, "every variable is present and valid"
}

func (d *Doctor) checkSecrets(ctx context.Context) (ops.Level, string) {
	if d.callErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	if key := d.cfg.WeChat.MchPrivateKeyFile; key != "" {
		file, err := os.Stat(key)
		if err == nil && file.Mode().Perm()&0o077 != 0 {
			return ops.Failed, fmt.Sprintf("other users can read the private key %s (mode %04o): chmod 600", key,
				file.Mode().Perm())
		}
	}
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	service, err := goods.New(d.db.Goods(), d.peppers, time.Now)
	if err == nil {
		err = service.CheckPeppers(ctx)
	}
	if err != nil {
		return ops.Failed, err.Error()
	}
	return ops.Passed, "the peppers open every stored code"
}

func (d *Doctor) checkDatabase(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return ops.Failed, d.dbErr.Error()
	}
	if err := d.db.Ping(ctx); err != nil {
		return ops.Failed, err.Error()
	}
	if err := d.db.CheckMoved(ctx); err != nil {
		return ops.Failed, fmt.Sprintf("%v: %s", err, store.ErrMovedAway.Explanation)
	}
	return ops.Passed, "the database can be read; its schema matches this release"
}

// checkLocks waits for the locks that the shop needs to write, and releases them without writing anything.
func (d *Doctor) checkLocks(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	if d.db.sqlite != nil {
		if err := d.db.sqlite.Write(ctx, func(store.Conn) error { return nil }); err != nil {
			return ops.Failed, fmt.Sprintf("%v: %s. lsof shows the process: end it", err, d.cfg.DB)
		}
		return ops.Passed, "the database can be written"
	}
	switch err := d.db.postgres.CheckLocks(ctx); {
	case store.CodeOf(err) == store.Locked:
		return ops.Failed, fmt.Sprintf("%v. Let it finish, or end it: SELECT pg_terminate_backend(its number)", err)
	case err != nil:
		return ops.Failed, err.Error()
	}
	return ops.Passed, "the tables of the shop can be written"
}

// checkTimeLimits reads the time limits that hold in a transaction of the shop. It opens another connection as the shop
// would, because the connections of the doctor have no time limits.
func (d *Doctor) checkTimeLimits(ctx context.Context) (level ops.Level, text string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	if d.db.postgres == nil {
		return ops.Skipped, "SQLite has no server that could hold a lock"
	}
	db, err := postgres.Open(ctx, d.cfg.DB, postgres.Connections(1))
	if err != nil {
		return ops.Failed, err.Error()
	}
	off, err := db.Unlimited(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return ops.Failed, err.Error()
	}
	if len(off) > 0 {
		return ops.Failed, fmt.Sprintf("%s are 0 in the transactions of the shop: one that hangs blocks every buyer. "+
			"Remove them from MARQUEE_DB, or let the pooler pass them on", strings.Join(off, ", "))
	}
	return ops.Passed, "every limit of time is set"
}

func (d *Doctor) checkReplication(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	if d.db.postgres == nil {
		return ops.Skipped, "SQLite has no replicas: the backups are the only other copy"
	}
	r, err := d.db.postgres.Replication(ctx)
	if err != nil {
		return ops.Failed, err.Error()
	}
	return assessReplication(r)
}

// assessReplication fails if all standbys follow asynchronously: a commit that was acknowledged may be missing after a
// fail-over, and an old primary that comes back accepts writes (split brain).
func assessReplication(r postgres.Replication) (ops.Level, string) {
	switch {
	case r.Synchronous > 0:
		return ops.Passed, fmt.Sprintf("%d synchronous and %d asynchronous standbys", r.Synchronous, r.Asynchronous)
	case r.Asynchronous > 0:
		return ops.Failed,
			"all standbys follow asynchronously: a fail-over may lose confirmed purchases, and an old " +
				"primary that comes back accepts writes. Set synchronous_standby_names = 'ANY 1 (…)'"
	}
	return ops.Warning, "no standby is connected: if the disk is lost, so is everything since the last backup"
}

func (d *Doctor) checkDisk(context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	if d.db.sqlite == nil {
		return ops.Skipped, "the disk is that of the database server"
	}
	free, err := d.db.sqlite.FreeSpace()
	if err != nil {
		return ops.Failed, err.Error()
	}
	if free < ops.LeastSpace {
		return ops.Failed, fmt.Sprintf("%d MiB are free, %d MiB are needed", free>>20, ops.LeastSpace>>20)
	}
	return ops.Passed, fmt.Sprintf("%d MiB are free", free>>20)
}

func (d *Doctor) checkDatabaseClock(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	if d.db.postgres == nil {
		return ops.Passed, "SQLite uses the clock of this machine"
	}
	skew, err := d.db.postgres.ClockSkew(ctx)
	if err != nil {
		return ops.Failed, err.Error()
	}
	return ops.AssessSkew(skew)
}

func (d *Doctor) checkProviderClocks(ctx context.Context) (ops.Level, string) {
	if d.cfgErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	worst := time.Duration(0)
	for name, address := range d.cfg.ProviderAddresses() {
		resp, err := request(ctx, http.MethodHead, address)
		if err != nil {
			return ops.Failed, fmt.Sprintf("%s: %v", name, err)
		}
		reported, err := http.ParseTime(resp.Header.Get("Date"))
		if err != nil {
			continue // the answer has no time
		}
		// The header has whole seconds, rounded down.
		if skew := time.Since(reported.Add(500 * time.Millisecond)); skew.Abs() > worst.Abs() {
			worst = skew
		}
	}
	return ops.AssessSkew(worst)
}

// request sends a request without a body, and closes the body of the response.
func request(ctx context.Context, method, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	return resp, resp.Body.Close()
}

// calls returns, by the name of the check, a function for each provider that reads something from it, which succeeds
// only with valid credentials.
func (d *Doctor) calls() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"provider-gateway":  func(ctx context.Context) error { _, err := d.providers.Legacy.Cities(ctx); return err },
		"provider-newmovie": func(ctx context.Context) error { _, err := d.providers.NewMovie.Cities(ctx); return err },
		"provider-wechat-account": func(ctx context.Context) error {
			_, err := d.providers.Account.SignJS(ctx, d.cfg.PublicURL+"/")
			return err
		},
		"provider-wechat-pay": func(ctx context.Context) error {
			_, err := d.providers.Pay.Query(ctx, "marquee-doctor")
			if errors.Is(err, order.ErrTradeNotFound) {
				return nil // the gateway has accepted the signature, so the credentials are valid
			}
			return err
		},
	}
}

func (d *Doctor) checkCall(ctx context.Context, call func(context.Context) error) (ops.Level, string) {
	if d.callErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	start := time.Now()
	if err := call(ctx); err != nil {
		return ops.Failed, err.Error()
	}
	return ops.Passed, fmt.Sprintf("answered in %s", time.Since(start).Round(time.Millisecond))
}

// checkCaptcha warns if a production shop sends SMS codes to strangers without a challenge.
func (d *Doctor) checkCaptcha(context.Context) (ops.Level, string) {
	switch {
	case d.cfgErr != nil:
		return ops.Skipped, "the configuration is invalid"
	case d.cfg.Captcha.AppID != 0:
		return ops.Passed, "strangers pass a challenge first"
	case d.cfg.Env != app.Production:
		return ops.Skipped, "only a production shop needs a challenge"
	}
	return ops.Warning, "MARQUEE_CAPTCHA_APP_ID is not set: bots can have SMS codes sent to any phone, " +
		"up to the limits"
}

// checkH5 checks the requirements of H5 payment that can be checked without a trade. The vendor also requires that the
// domain is registered for H5 payment, and has no API for reading the registered domains.
func (d *Doctor) checkH5(context.Context) (ops.Level, string) {
	if d.cfgErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	if !d.cfg.WeChat.H5 {
		return ops.Skipped, "MARQUEE_WECHAT_H5 is not set: buyers in other browsers are sent to the messaging app to pay"
	}
	if d.cfg.SimulatorURL != "" {
		return ops.Passed, "the simulator opens H5 payments from any page"
	}
	public, err := url.Parse(d.cfg.PublicURL)
	if err != nil || public.Scheme != "https" || net.ParseIP(public.Hostname()) != nil {
		return ops.Failed, fmt.Sprintf("%s is not an https address with a domain, which H5 payment needs",
			d.cfg.PublicURL)
	}
	return ops.Skipped,
		fmt.Sprintf("the vendor has no API to check it: the merchant platform must list %s as an H5 payment domain",
			public.Hostname())
}

func (d *Doctor) checkMessages(context.Context) (ops.Level, string) {
	return ops.Skipped, "every call of the SMS vendor sends a message: log in with your own phone"
}

func (d *Doctor) checkCertificates(ctx context.Context) (ops.Level, string) {
	if d.cfgErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	addresses := d.cfg.ProviderAddresses()
	addresses["shop"] = d.cfg.PublicURL
	var found []string
	level := ops.Passed
	for _, name := range slices.Sorted(maps.Keys(addresses)) {
		if !strings.HasPrefix(addresses[name], "https://") {
			continue
		}
		end, err := ops.CertificateEnd(ctx, addresses[name])
		if err != nil {
			level, found = ops.Failed, append(found, err.Error())
			continue
		}
		if found = append(found, name+" ends "+end.UTC().Format(time.DateOnly)); time.Until(end) < durations.CertificateEnds {
			level = ops.Failed
		}
	}
	if len(found) == 0 {
		return ops.Skipped, "no address is https"
	}
	return level, strings.Join(found, ", ")
}

func (d *Doctor) checkWebhooks(ctx context.Context) (ops.Level, string) {
	if d.cfgErr != nil {
		return ops.Skipped, "the configuration is invalid"
	}
	// The shop rejects an unsigned notification with its own error. A proxy that blocks the path answers differently.
	resp, err := request(ctx, http.MethodPost, d.cfg.PublicURL+"/notify/wechat/pay")
	if err != nil {
		return ops.Failed, fmt.Sprintf("providers cannot reach %s: %v", d.cfg.PublicURL, err)
	}
	if resp.StatusCode < 400 || resp.Header.Get("X-Request-Id") == "" {
		return ops.Failed, fmt.Sprintf("%s/notify/wechat/pay answers %s, which is not the shop", d.cfg.PublicURL,
			resp.Status)
	}
	return ops.Passed, d.cfg.PublicURL + "/notify/ reaches the shop, from this machine"
}

// maxCounted is how many tasks of a queue are counted at most.
const maxCounted = 1000

func (d *Doctor) checkQueue(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	loads, err := d.db.Orders().QueueLoads(ctx, time.Now(), maxCounted)
	if err != nil {
		return ops.Failed, err.Error()
	}
	for _, q := range loads {
		if level, text := ops.AssessQueue(string(q.Queue), q.Due, time.Since(q.OldestDue)); level != ops.Passed {
			return level, text
		}
	}
	return ops.AssessQueue("", 0, 0)
}

func (d *Doctor) checkVerification(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	v, err := d.db.Orders().LastVerification(ctx)
	if err != nil {
		return ops.Failed, err.Error()
	}
	return ops.AssessVerification(v.Found, v.CleanAt, time.Now())
}

func (d *Doctor) checkBackup(ctx context.Context) (ops.Level, string) {
	if d.dbErr != nil {
		return d.withoutDatabase()
	}
	last, err := d.db.LastBackup(ctx)
	if err != nil {
		return ops.Failed, err.Error()
	}
	return ops.AssessBackup(last.At, time.Now())
}

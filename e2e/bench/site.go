package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"marquee/cmd/sim/cluster"
	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/demo"
	"marquee/server/httpapi"
	"marquee/server/platform"
	"marquee/server/store/postgres/pgserver"
	"marquee/simulators"
	"marquee/simulators/testclock"
)

// site is a shop and its simulators, each in a separate process so that the processor time of each can be measured.
type site struct {
	name       string
	cheap      bool // as in siteOptions
	dir, db    string
	url        string // of the shop
	simulators string // their address
	admin      string // the shop's admin address, with its profiles and metrics
	ports      []cluster.Port
	shop, sim  *exec.Cmd
	inProcess  *simulators.Simulators // with the seed, credentials and films of the measured ones
	customers  []*customer
	postgres   *pgserver.Server // nil: SQLite, in the shop's process
}

// siteOptions describe the shop that is measured.
type siteOptions struct {
	name     string
	shop     string // binary
	sim      string // binary
	postgres bool   // on a separate PostgreSQL server that syncs to the disk; otherwise on SQLite
	buyers   int
	cheap    bool // the buyers' passwords have cheap hashes, with which shop must have been built
	inApp    bool // each buyer has an identity of the messaging app
}

// startSite fills a database with buyers and starts simulators and shop.
func startSite(ctx context.Context, o siteOptions) (s *site, err error) {
	s = &site{name: o.name, cheap: o.cheap}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = benchFolder(); err != nil {
		return s, err
	}
	s.db = filepath.Join(s.dir, "shop.db")
	if o.postgres {
		if s.postgres, err = pgserver.Start(ctx, pgserver.Options{Durable: true}); err != nil {
			return s, err
		}
		if s.db, err = s.postgres.Database(ctx, "bench"); err != nil {
			return s, err
		}
	}
	if _, err := app.Migrate(ctx, s.db, ""); err != nil {
		return s, err
	}
	if s.inProcess, err = simulators.Start(simulators.Options{}); err != nil {
		return s, err
	}
	for range 3 {
		port, err := cluster.ReservePort()
		if err != nil {
			return s, err
		}
		s.ports = append(s.ports, port)
	}
	shop, sims := s.ports[0].Address, s.ports[1].Address
	s.url, s.simulators, s.admin = "http://"+shop, "http://"+sims, s.ports[2].Address
	s.sim = exec.CommandContext(ctx, o.sim, "-providers-only", "-addr", shop, "-sim-addr", sims)
	if err := s.sim.Start(); err != nil {
		return s, fmt.Errorf("start %s (make build): %w", o.sim, err)
	}
	if err := answered(ctx, s.simulators+"/sim/v1/health"); err != nil {
		return s, err
	}
	environment := s.inProcess.Default().ShopEnvironment()
	for name, value := range environment {
		environment[name] = strings.ReplaceAll(value, s.inProcess.URL(), s.simulators)
	}
	cards, err := s.fill(ctx, o)
	if err != nil {
		return s, fmt.Errorf("fill the shop: %w", err)
	}
	if err := s.startShop(ctx, o.shop, shop, environment); err != nil {
		return s, err
	}
	stocks, err := s.stocks(ctx, len(cards))
	for i := range stocks {
		s.customers[i].stock = stocks[i]
	}
	return s, err
}

// startShop starts the program of the shop at the address, and waits until it is ready.
func (s *site) startShop(ctx context.Context, program, address string, environment map[string]string) error {
	log, err := os.Create(filepath.Join(s.dir, "shop.log"))
	if err != nil {
		return err
	}
	defer log.Close() // the program has another descriptor of the file
	s.shop = exec.CommandContext(ctx, program)
	s.shop.Stderr = log
	s.shop.Env = append(os.Environ(), "MARQUEE_DB="+s.db, "MARQUEE_ADDR="+address, "MARQUEE_ADMIN_ADDR="+s.admin,
		"MARQUEE_PEPPER="+benchPepper)
	for name, value := range environment {
		s.shop.Env = append(s.shop.Env, name+"="+value)
	}
	if err := s.shop.Start(); err != nil {
		return fmt.Errorf("start %s (make build): %w", program, err)
	}
	return answered(ctx, s.url+"/readyz")
}

const benchPepper = "a pepper for benchmarks only"

// fill creates the buyers in the migrated database, each with a card and a payment password. It uses a shop in this
// process and separate simulators. Their clock starts in the past, because it must advance by a minute for each buyer's
// second code and may not pass real time, on which the measured shop runs.
func (s *site) fill(ctx context.Context, o siteOptions) (cards []demo.Card, err error) {
	for i := range o.buyers {
		cards = append(cards, demo.Card{
			Kahao: fmt.Sprintf("99%014d", i), Pass: "12345678", PID: 1, Points: 900_000_00, ExpiresInDays: 300,
		})
	}
	clock := testclock.NewAt(time.Now().Add(-time.Duration(o.buyers+2) * 2 * time.Minute))
	sims, err := simulators.Start(simulators.Options{Clock: clock})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sims.Close()) }()
	environment := sims.Default().ShopEnvironment()
	environment["MARQUEE_PEPPER"] = benchPepper
	cfg, err := app.FromEnvironment(environment)
	if err != nil {
		return nil, err
	}
	cfg.DB, cfg.PublicURL, cfg.Logger = s.db, s.url, slog.New(slog.DiscardHandler)
	if cfg.Now = clock.Now; o.cheap {
		cfg.PasswordCost.MemoryKiB, cfg.PasswordCost.Passes = cheapMemoryKiB, cheapPasses
	}
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	if err := shop.SeedDemo(ctx, cards); err != nil {
		return nil, err
	}
	server := httptest.NewServer(shop.Handler())
	defer server.Close()
	filling := &site{url: server.URL, simulators: sims.URL(), inProcess: sims}
	for i, card := range cards {
		token, id, err := filling.newBuyer(ctx, fmt.Sprintf("139%08d", 20_000_000+i), card, func() {
			clock.Advance(61 * time.Second)
		})
		if err != nil {
			return nil, err
		}
		buyer := &customer{token: token, card: id}
		if o.inApp {
			buyer.openID = fmt.Sprintf("oMarqueeBench_%05d", i)
			if err := filling.identify(ctx, s.url, buyer); err != nil {
				return nil, err
			}
		}
		s.customers = append(s.customers, buyer)
	}
	return cards, nil
}

// close stops the processes and deletes the folder.
func (s *site) close() (err error) {
	for _, cmd := range []*exec.Cmd{s.shop, s.sim} {
		if cmd == nil || cmd.Process == nil {
			continue
		}
		err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}
	if s.inProcess != nil {
		err = errors.Join(err, s.inProcess.Close())
	}
	if s.postgres != nil {
		err = errors.Join(err, s.postgres.Stop())
	}
	for _, p := range s.ports {
		err = errors.Join(err, p.Release())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// verify stops the shop and cross-checks its books.
func (s *site) verify(ctx context.Context, binary string) error {
	err := errors.Join(s.shop.Process.Signal(os.Interrupt), s.shop.Wait())
	s.shop = nil
	return errors.Join(err, s.verifyBooks(ctx, binary))
}

// verifyBooks runs shop verify.
func (s *site) verifyBooks(ctx context.Context, binary string) error {
	cmd := exec.CommandContext(ctx, binary, "verify")
	cmd.Env = append(os.Environ(), "MARQUEE_DB="+s.db)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the books after the load: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// spent is the processor time that each party has used.
type spent struct{ shop, simulators, client, database time.Duration }

func (s *site) spent() (u spent, err error) {
	if u.shop, err = processorTimeOf(s.shop.Process.Pid); err != nil {
		return u, err
	}
	if u.simulators, err = processorTimeOf(s.sim.Process.Pid); err != nil {
		return u, err
	}
	u.client = platform.ProcessorTime()
	if s.postgres != nil {
		u.database, err = processorTimeOfTree(s.postgres.PID())
	}
	return u, err
}

// processorTimeOfTree returns the processor time of a process and its descendants, including those that have ended.
func processorTimeOfTree(pid int) (time.Duration, error) {
	sum, err := processorTimeOf(pid)
	if err != nil {
		return 0, err
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	for child := range strings.FieldsSeq(string(children)) {
		id, err := strconv.Atoi(child)
		if err != nil {
			return 0, err
		}
		if used, err := processorTimeOfTree(id); err == nil { // else it has just ended
			sum += used
		}
	}
	return sum, nil
}

func (u spent) minus(before spent) spent {
	return spent{u.shop - before.shop, u.simulators - before.simulators, u.client - before.client,
		u.database - before.database}
}

// quiesce waits until the shop's jobs are done: until it has used almost no processor time for a second.
func (s *site) quiesce(ctx context.Context) error {
	for range 30 {
		before, err := processorTimeOf(s.shop.Process.Pid)
		if err != nil {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
		after, err := processorTimeOf(s.shop.Process.Pid)
		if err != nil || after-before <= 30*time.Millisecond {
			return err
		}
	}
	return errors.New("the shop does not come to rest")
}

// profile writes a CPU profile of the shop's next seconds to a file.
func (s *site) profile(ctx context.Context, seconds int, path string) error {
	text, err := download(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.admin, seconds))
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// download returns the body of an answer with status 200.
func download(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s: %.200s", address, resp.Status, bytes.TrimSpace(body))
	}
	return body, err
}

// processorTimeOf returns the processor time of a process, in steps of 10 ms.
func processorTimeOf(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name of the program may contain spaces
	fields := strings.Fields(rest)
	const utime, stime, cutime, cstime = 11, 12, 13, 14 // after the name; c: of children that have ended
	if len(fields) <= cstime {
		return 0, fmt.Errorf("/proc/%d/stat: %q", pid, text)
	}
	var ticks int64
	for _, f := range []string{fields[utime], fields[stime], fields[cutime], fields[cstime]} {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// call posts to the shop and decodes data. It returns an error if the envelope has one.
func (s *site) call(ctx context.Context, path string, form url.Values, data any) error {
	return s.callWith(ctx, client, path, form, data)
}

// callWith is call with another HTTP client.
func (s *site) callWith(ctx context.Context, by *http.Client, path string, form url.Values, data any) error {
	form.Set("channel_no", s.inProcess.Default().Credentials().Shop.ChannelNo)
	text, err := postWith(ctx, by, s.url+path, form)
	if err != nil {
		return err
	}
	answer := harness.Answer{Path: path, Status: http.StatusOK}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s: %w: %.80s", path, err, text)
	}
	return answer.Decode(data)
}

// signed adds the channel's signature to a form for /movie/route.
func (s *site) signed(form url.Values) url.Values {
	c := s.inProcess.Default().Credentials().Shop
	form.Set("channel_no", c.ChannelNo)
	return harness.Signed(c, form)
}

// newBuyer logs in a buyer, sets the payment password and binds a card. It returns the session's token and the card's
// id. nextCode advances the time to when the phone can get another code.
func (s *site) newBuyer(
	ctx context.Context, phone string, card demo.Card, nextCode func(),
) (token, cardID string, err error) {
	if token, err = s.logIn(ctx, phone); err != nil {
		return "", "", err
	}
	nextCode()
	if err := s.call(ctx, "/Member/getsendcode", url.Values{"token": {token}}, nil); err != nil {
		return "", "", err
	}
	code, err := s.code(ctx, phone)
	if err != nil {
		return "", "", err
	}
	form := url.Values{"token": {token}, "code": {code}, "password": {harness.PaymentPassword}}
	if err := s.call(ctx, "/Member/editpassword", form, nil); err != nil {
		return "", "", err
	}
	var bound httpapi.CardID
	form = url.Values{"token": {token}, "kahao": {card.Kahao}, "pass": {card.Pass}}
	err = s.call(ctx, "/api/api.php/Card/addbinding", form, &bound)
	return token, bound.ID, err
}

// logIn logs a phone in and returns the token of its session.
func (s *site) logIn(ctx context.Context, phone string) (token string, err error) {
	if err := s.call(ctx, "/Login/sendcode", url.Values{"phone": {phone}}, nil); err != nil {
		return "", err
	}
	code, err := s.code(ctx, phone)
	if err != nil {
		return "", err
	}
	var login httpapi.LoginResult
	err = s.call(ctx, "/Login/phoneLogin", url.Values{"phone": {phone}, "code": {code}}, &login)
	return login.Token, err
}

// identify binds a buyer's account to the buyer's identity in the messaging app. public is the shop's public address,
// to which the messaging app redirects.
func (s *site) identify(ctx context.Context, public string, buyer *customer) error {
	jar, err := cookiejar.New(nil) // the state of the login is valid in one browser only
	if err != nil {
		return err
	}
	browser := &http.Client{Transport: client.Transport, Timeout: client.Timeout, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var start httpapi.OAuthStart
	form := url.Values{"token": {buyer.token}, "url": {public + "/quickLogin"}}
	if err := s.callWith(ctx, browser, "/Login/wxlogin", form, &start); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, start.URL, nil)
	if err != nil {
		return err
	}
	// Browsers resolve inapp.localhost, and Go's resolver does not.
	req.URL.Host = strings.TrimPrefix(s.simulators, "http://")
	req.AddCookie(&http.Cookie{Name: "phone_openid", Value: buyer.openID})
	resp, err := browser.Do(req)
	if err != nil {
		return err
	}
	back, err := resp.Location()
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("log in at the messaging app: %w", err)
	}
	form = url.Values{"token": {buyer.token}, "code": {back.Query().Get("code")}, "state": {back.Query().Get("state")}}
	return s.callWith(ctx, browser, "/Login/getopenid", form, nil)
}

// code returns the newest SMS code of a phone.
func (s *site) code(ctx context.Context, phone string) (string, error) {
	text, err := download(ctx, s.simulators+"/sim/v1/sms/messages?phone="+phone)
	if err != nil {
		return "", fmt.Errorf("read the messages to %s: %w", phone, err)
	}
	var inbox struct{ Messages []harness.Message }
	if err := json.Unmarshal(text, &inbox); err != nil {
		return "", fmt.Errorf("read the messages to %s: %w", phone, err)
	}
	for _, m := range inbox.Messages {
		if m.Code != "" { // a notice has none
			return m.Code, nil
		}
	}
	return "", errors.New("no code was sent to " + phone)
}

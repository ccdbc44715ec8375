package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"marquee/e2e/harness"
	"marquee/e2e/syncbuffer"
	"marquee/server/account"
	"marquee/server/app"
	"marquee/server/durations"
	"marquee/simulators"
)

var startLine = regexp.MustCompile(`"msg":"shop started","url":"([^"]+)","admin":"([^"]+)"`)

// servingShop is the command `shop run` in this process.
type servingShop struct {
	url, admin string
	log        *syncbuffer.Buffer
	stop       func() // as the signal does
	ended      chan error
}

// startShop starts the command on free ports. stop ends it as a signal does: the shop is not ready from then on, and
// closes its listener after drainDelay.
func startShop(t *testing.T, simulators string, drainDelay time.Duration) servingShop {
	t.Helper()
	t.Setenv("MARQUEE_SIMULATOR_URL", simulators)
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:0")
	t.Setenv("MARQUEE_ADMIN_ADDR", "127.0.0.1:0")
	t.Setenv("MARQUEE_DRAIN_DELAY", drainDelay.String())
	t.Setenv("MARQUEE_DB", filepath.Join(t.TempDir(), "shop.db"))
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	log, ended := &syncbuffer.Buffer{}, make(chan error, 1)
	go func() { ended <- run(ctx, nil, io.Discard, log) }()
	require.Eventually(t, func() bool { return startLine.MatchString(log.String()) || len(ended) > 0 }, 30*time.Second,
		time.Millisecond)
	started := startLine.FindStringSubmatch(log.String())
	require.NotNil(t, started, log.String())
	return servingShop{started[1], started[2], log, stop, ended}
}

func TestRun_FinishesRequestsAfterTheSignalAndReportsIt(t *testing.T) {
	require.Greater(t, durations.Drain, 25*time.Second, "the longest call takes 20 s")
	sims := simulators.StartForTest(t)
	plan := `{"provider":"newmovie","operation":"*","do":"latency","latency_ms":3000}`
	resp, err := http.Post(sims.URL()+"/sim/v1/faults", "application/json", strings.NewReader(plan))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Less(t, resp.StatusCode, 300)
	shop := startShop(t, sims.URL(), 500*time.Millisecond)
	status := func(path string) int {
		resp, err := http.Get(shop.admin + path)
		require.NoError(t, err)
		defer resp.Body.Close()
		return resp.StatusCode
	}
	require.Equal(t, http.StatusOK, status("/readyz"))

	sent, answered := make(chan struct{}), make(chan int, 1)
	go func() {
		traced := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) },
		})
		req, err := http.NewRequestWithContext(traced, http.MethodGet,
			shop.url+"/newmovie/api/movie/movies?cityId=310100", nil)
		if err != nil {
			answered <- 0
			return
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			answered <- 0
			return
		}
		_ = resp.Body.Close()
		answered <- resp.StatusCode
	}()
	<-sent
	shop.stop() // the signal
	require.Eventually(t, func() bool { return status("/readyz") == http.StatusServiceUnavailable },
		10*time.Second, time.Millisecond)
	require.Equal(t, http.StatusOK, status("/healthz"), "the process is alive while it drains")
	require.Empty(t, answered, "the request is still in progress")
	require.Equal(t, http.StatusOK, <-answered, "a request in progress is finished")
	require.NoError(t, <-shop.ended)
}

// Browsers preconnect. A request on such a connection is still answered when the shop stops, and an unused connection
// does not delay the stop.
func TestRun_AnswersOnAConnectionThatWasOpenedAheadOfTheStop(t *testing.T) {
	sims := simulators.StartForTest(t)
	shop := startShop(t, sims.URL(), 0)
	at := strings.TrimPrefix(shop.url, "http://")
	used, err := net.Dial("tcp", at)
	require.NoError(t, err)
	defer used.Close()
	unused, err := net.Dial("tcp", at)
	require.NoError(t, err)
	defer unused.Close()
	resp, err := http.Get(shop.url + "/favicon.svg") // the shop has accepted the connections before this one
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	shop.stop()
	_, err = io.WriteString(used, "GET /newmovie/api/movie/movies?cityId=310100 HTTP/1.1\r\nHost: "+at+"\r\n\r\n")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(used), nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, <-shop.ended)
	_, err = unused.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

// Clients that stop when readiness fails, as behind a balancer, do not lose a request while the shop stops under load.
func TestRun_LosesNoRequestWhenItStopsUnderLoad(t *testing.T) {
	sims := simulators.StartForTest(t)
	shop := startShop(t, sims.URL(), 2*time.Second)

	var ready atomic.Bool
	ready.Store(true)
	var answered atomic.Int64
	var clients errgroup.Group
	for range 8 {
		clients.Go(func() error {
			// Each request has a separate connection, so that none fails because an idle one is closed.
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
			for ready.Load() {
				resp, err := client.Get(shop.url + "/newmovie/api/movie/movies?cityId=310100")
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode != http.StatusOK {
					return fmt.Errorf("%s: %w", resp.Status, err)
				}
				if answered.Add(1) == 100 {
					shop.stop() // the signal, under load
				}
			}
			return nil
		})
	}
	require.Eventually(t, func() bool {
		resp, err := http.Get(shop.admin + "/readyz")
		if err != nil {
			return true
		}
		_ = resp.Body.Close()
		return resp.StatusCode != http.StatusOK
	}, time.Minute, 5*time.Millisecond)
	ready.Store(false)
	require.NoError(t, clients.Wait(), "a request was lost")
	require.GreaterOrEqual(t, answered.Load(), int64(100))
	require.NoError(t, <-shop.ended)
}

// startProgram starts the program as systemd does, with a socket that it serves and does not open.
func startProgram(t *testing.T, socket *os.File) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	shop := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ exec "$0" run`, path)
	shop.Env = append(os.Environ(), asProgram+"=0", "LISTEN_FDS=1")
	shop.ExtraFiles = []*os.File{socket}
	var log syncbuffer.Buffer
	shop.Stdout, shop.Stderr = &log, &log
	require.NoError(t, shop.Start())
	t.Cleanup(func() {
		_ = shop.Process.Kill() // it has ended, unless the test has failed
		_ = shop.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return shop
}

// A real SIGTERM or SIGHUP under load does not lose a request without a balancer either, if systemd owns the socket:
// connections wait in it until the next process accepts them.
func TestProgram_ARestartWithASocketOfSystemdLosesNoRequest(t *testing.T) {
	sims := simulators.StartForTest(t)
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:1") // not used
	t.Setenv("MARQUEE_ADMIN_ADDR", "none")
	t.Setenv("MARQUEE_DB", filepath.Join(t.TempDir(), "shop.db"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "http://" + listener.Addr().String()
	socket, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(socket.Close(), listener.Close())) })
	channel := sims.Default().Credentials().Shop.ChannelNo

	shop := startProgram(t, socket)
	var answered atomic.Int64
	stop := make(chan struct{})
	var clients errgroup.Group
	for n := range 8 {
		clients.Go(func() error {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
			for {
				select {
				case <-stop:
					return nil
				default:
				}
				var resp *http.Response
				var err error
				if n%2 == 0 {
					resp, err = client.Get(url + "/newmovie/api/movie/movies?cityId=310100")
				} else {
					resp, err = client.PostForm(url+"/Login/index", map[string][]string{"channel_no": {channel}})
				}
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode != http.StatusOK {
					return fmt.Errorf("%s: %w", resp.Status, err)
				}
				answered.Add(1)
			}
		})
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		want := answered.Load() + 100
		require.Eventually(t, func() bool { return answered.Load() >= want }, time.Minute, time.Millisecond)
		require.NoError(t, shop.Process.Signal(signal))
		require.NoError(t, shop.Wait(), "the shop ends with status 0")
		shop = startProgram(t, socket)
	}
	want := answered.Load() + 100
	require.Eventually(t, func() bool { return answered.Load() >= want }, time.Minute, time.Millisecond)
	close(stop)
	require.NoError(t, clients.Wait(), "a request was lost")
	require.NoError(t, shop.Process.Signal(syscall.SIGTERM))
	require.NoError(t, shop.Wait())
}

// Purchases continue while the program is restarted as above: each lock and each payment is answered, once, by a
// process that ends or by the next one, and each order that was paid has its tickets.
func TestProgram_ARestartDuringPurchasesLosesNone(t *testing.T) {
	const buyers, seatsEach, restarts = 4, 12, 2
	db := filepath.Join(t.TempDir(), "shop.db")
	s := harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.DB = db
		cfg.PasswordCost = account.Cost{MemoryKiB: 8, Passes: 1}
	}})
	var purchasers []*purchaser
	showing := s.Catalog.ShowingWith(buyers*seatsEach, harness.Legacy).Showing
	free := s.Catalog.FreeSeats(showing, buyers*seatsEach)
	for n := range buyers {
		b := s.NewBuyer(harness.WithCard(1_000_000_00))
		purchasers = append(purchasers, &purchaser{
			token: b.Token, card: b.CardOf(b.Cards[0]).ID, opiid: showing.Opiid,
			seats: free[n*seatsEach : (n+1)*seatsEach], channel: s.Channel().ChannelNo,
		})
	}
	require.NoError(t, s.Close())
	sims := simulators.StartForTest(t) // with the same halls
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:1") // not used
	t.Setenv("MARQUEE_ADMIN_ADDR", "none")
	t.Setenv("MARQUEE_DB", db)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	socket, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(socket.Close(), listener.Close())) })

	shop := startProgram(t, socket)
	var bought atomic.Int64
	stop := make(chan struct{})
	var load errgroup.Group
	for _, p := range purchasers {
		p.shop = "http://" + listener.Addr().String()
		load.Go(func() error { return p.purchase(&bought, stop) })
	}
	for range restarts {
		want := bought.Load() + buyers
		require.Eventually(t, func() bool { return bought.Load() >= want }, time.Minute, time.Millisecond)
		require.NoError(t, shop.Process.Signal(syscall.SIGTERM))
		require.NoError(t, shop.Wait(), "the shop ends with status 0")
		shop = startProgram(t, socket)
	}
	want := bought.Load() + buyers
	require.Eventually(t, func() bool { return bought.Load() >= want }, time.Minute, time.Millisecond)
	close(stop)
	require.NoError(t, load.Wait(), "a purchase was lost")
	for _, p := range purchasers {
		require.NotEmpty(t, p.paid)
		for _, order := range p.paid {
			require.Eventually(t, func() bool {
				var shown struct {
					Order struct{ Orderstatus string } `json:"order_show"`
				}
				require.NoError(t, p.post("/Dyorder/show", url.Values{"id": {order}}, &shown))
				return shown.Order.Orderstatus == "S"
			}, time.Minute, 20*time.Millisecond, "order %s has its tickets", order)
		}
	}
	require.NoError(t, shop.Process.Signal(syscall.SIGTERM))
	require.NoError(t, shop.Wait())
	require.Contains(t, mustRun(t, db, "verify"), "agree")
}

// purchaser is a buyer that repeatedly locks a seat and pays for it with points. It does not repeat a failed call.
type purchaser struct {
	shop, token, card, channel, opiid string
	seats                             []harness.Seat
	paid                              []string // orders
}

// purchase buys the seats until stop is closed. It returns the first call that was not answered as it should be.
func (p *purchaser) purchase(bought *atomic.Int64, stop <-chan struct{}) error {
	for _, seat := range p.seats {
		select {
		case <-stop:
			return nil
		default:
		}
		var locked struct{ Orderid string }
		if err := p.post("/Film/lockseat", url.Values{
			"opiid": {p.opiid}, "seatids": {seat.ID}, "totalSettleAmount": {strconv.Itoa(seat.Price)},
		}, &locked); err != nil {
			if errors.Is(err, errSeatTaken) { // by one of the simulators' own visitors
				continue
			}
			return err
		}
		if err := p.post("/Film/flkpay", url.Values{
			"oid": {locked.Orderid}, "ka_ids": {p.card}, "pass": {harness.PaymentPassword},
		}, new(struct{})); err != nil {
			return err
		}
		p.paid = append(p.paid, locked.Orderid)
		bought.Add(1)
	}
	return errors.New("the buyer has no seats left")
}

var errSeatTaken = errors.New("seat_taken")

// post makes one call on a separate connection.
func (p *purchaser) post(path string, form url.Values, into any) error {
	form.Set("channel_no", p.channel)
	form.Set("token", p.token)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	resp, err := client.PostForm(p.shop+path, form)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct {
		Error string
		Data  json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s: %s: %w", path, resp.Status, err)
	}
	if answer.Error == "seat_taken" {
		return errSeatTaken
	}
	if answer.Error != "" || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", path, resp.Status, answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

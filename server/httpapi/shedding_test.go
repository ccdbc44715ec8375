package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/httpapi/admission"
	"marquee/server/order"
	"marquee/server/seating"
)

// blocking lets requests for films and locks of seats begin, and end only when it is released.
type blocking struct {
	unexpectedCatalog
	entered chan struct{}
	release chan struct{}
}

func (b blocking) Films(ctx context.Context, city string) ([]catalog.Film, error) {
	b.entered <- struct{}{}
	<-b.release
	return fakeCatalog{}.Films(ctx, city)
}

func (b blocking) HotCities(ctx context.Context) ([]catalog.City, error) {
	return fakeCatalog{}.HotCities(ctx)
}

func (b blocking) LockSeats(context.Context, int64, seating.LockSeats) (order.Order, error) {
	b.entered <- struct{}{}
	<-b.release
	return order.Order{No: "1"}, nil
}

// busyShop is a shop in which one request for films and one lock are in progress. It admits no further requests of the
// classes Browsing and Starting.
type busyShop struct {
	*harness
	mu      sync.Mutex
	shed    map[string]int
	release func() // ends the two requests and returns when they are answered
}

func newBusyShop(t *testing.T) *busyShop {
	t.Helper()
	b := blocking{entered: make(chan struct{}), release: make(chan struct{})}
	s := &busyShop{shed: map[string]int{}}
	s.harness = newHarness(t, func(c *Config) {
		useCatalog(c, b)
		c.SeatLocker = b
		c.InProgress = admission.Limits{Browsing: 1, Starting: 2}
		c.ObserveShed = func(class string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.shed[class]++
		}
		c.Web = fstest.MapFS{
			"index.html": {Data: []byte(indexHTML)}, "assets/app-abc.js": {Data: []byte("app")},
			"routes.json": {Data: []byte(`[{"path":"/index"},{"path":"/paymentpage","pays":true}]`)},
		}
	})
	var running sync.WaitGroup
	running.Go(func() { s.get(t, "/newmovie/api/movie/movies?cityId=310100") })
	<-b.entered
	running.Go(func() { s.lock(t) })
	<-b.entered
	s.release = sync.OnceFunc(func() {
		close(b.release)
		running.Wait()
	})
	t.Cleanup(s.release)
	return s
}

func (s *busyShop) lock(t *testing.T) answer {
	t.Helper()
	return s.form(t, "/Film/lockseat", map[string]string{
		"token": goodToken, "opiid": "1", "seatids": "1", "totalSettleAmount": "1",
	})
}

func (s *busyShop) open(t *testing.T, path string) answer {
	t.Helper()
	req := s.request(t, http.MethodGet, path, "")
	req.Header.Set("Accept", "text/html")
	return s.do(t, req)
}

// requireRetryAfter requires a time in seconds between 2 and 6.
func requireRetryAfter(t *testing.T, a answer) (seconds int) {
	t.Helper()
	require.Equal(t, http.StatusServiceUnavailable, a.Status, a.Body)
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, 2)
	require.LessOrEqual(t, seconds, 6)
	return seconds
}

func TestShedding_BrowsingAndLocksAreShedWhilePaymentsPass(t *testing.T) {
	t.Parallel()
	s := newBusyShop(t)
	for _, a := range []answer{s.form(t, "/newmovie/seat/time", nil), s.lock(t), s.get(t, "/avatars/default.svg")} {
		seconds := requireRetryAfter(t, a)
		require.Equal(t, "shop_busy", a.Error)
		var data struct{ Wait int }
		require.NoError(t, json.Unmarshal(a.Data, &data))
		require.Equal(t, seconds, data.Wait)
		require.True(t, hasChinese(a.Msg))
	}
	require.Equal(t, map[string]int{"browsing": 2, "starting": 1}, s.shed)

	paid := s.form(t, "/Film/wxpay", map[string]string{"token": goodToken, "oid": "1", "openid": "openid"})
	require.EqualValues(t, 200, paid.Code, paid.Body)
	require.Equal(t, "order_not_found", s.form(t, "/Film/jsordershow", map[string]string{
		"token": goodToken, "oid": "1",
	}).Error)
	for range 100 {
		require.Equal(t, http.StatusOK, s.do(t, s.request(t, http.MethodPost, "/notify/wechat/pay", "{}")).Status)
		require.Equal(t, http.StatusOK, s.get(t, "/readyz").Status)
	}
	require.Equal(t, http.StatusOK, s.open(t, "/paymentpage").Status)
	require.Equal(t, "app", s.get(t, "/assets/app-abc.js").Body, "a page that was served needs its files")

	s.release()
	require.EqualValues(t, 0, s.form(t, "/newmovie/seat/time", nil).Code)
	require.NotContains(t, s.log.String(), `"level":"ERROR"`, "the log does not grow by an error for each")
}

func TestShedding_APageIsLoadedAgainByItself(t *testing.T) {
	t.Parallel()
	s := newBusyShop(t)
	spread := map[int]bool{}
	for range 50 {
		a := s.open(t, "/index")
		seconds := requireRetryAfter(t, a)
		spread[seconds] = true
		require.Contains(t, a.Body, fmt.Sprintf(`<meta http-equiv="refresh" content="%d">`, seconds))
		require.Contains(t, a.Body, "当前访问人数过多")
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		policy := a.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "style-src 'self' 'sha256-")
		require.NotContains(t, policy, "unsafe")
	}
	require.Greater(t, len(spread), 1, "visitors that were shed together come back at different times")
	s.release()
	require.Equal(t, http.StatusOK, s.open(t, "/index").Status)
}

// The calls that a buyer needs between the lock of the seats and the ticket are never shed. No others are exempt.
func TestShedding_TheClassOfEachCall(t *testing.T) {
	t.Parallel()
	paying := []string{
		"/unpayorder", "/unpaid", "/unorder", "/unlockseat", "/cancel", "/jsordershow", "/card", "/pay_date", "/flkpay",
		"/wxpay", "/pay_success", "/ticketToken", "/confirm", "/getsendcode", "/editpassword", "/securitycode",
		"/Dyorder/order", "/Dyorder/show", "/Dyorder/kqshow", "/chongzhi", "/czwxpay", "/cxpay_success",
	}
	starting := []string{
		"/create_order", "/lockseat", "/lock", "/sendcode", "/phoneLogin", "/wxlogin", "/getopenid",
		"/wxbindingPhone", "/linkLogin", "/addbinding", "/scanbinding",
	}
	for _, rt := range routes(Config{}) {
		ends := func(list []string) bool {
			for _, end := range list {
				if strings.HasSuffix(rt.path, end) {
					return true
				}
			}
			return false
		}
		want := admission.Browsing
		switch {
		case ends(paying):
			want = admission.Paying
		case ends(starting), rt.path == quickLoginPath:
			want = admission.Starting
		}
		require.Equal(t, want, rt.traits.class(), rt.path)
	}
}

// A client that sends its body slowly, or reads its answer slowly, does not keep other clients from the shop.
func TestShedding_SlowClientsHoldNoPlace(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.InProgress = admission.Limits{Browsing: 1, Starting: 1} })
	for range 3 {
		conn, err := net.Dial("tcp", r.Listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, conn.Close()) })
		_, err = conn.Write([]byte("POST /newmovie/seat/time HTTP/1.1\r\nHost: shop.example\r\n" +
			"Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n"))
		require.NoError(t, err)
		// The server asks for the body when a handler reads it.
		asked, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, asked, "100 Continue")
	}
	require.EqualValues(t, 0, r.form(t, "/newmovie/seat/time", nil).Code)
}

func TestShedding_LimitsFollowTheCores(t *testing.T) {
	t.Parallel()
	l := admission.LimitsFor(2)
	require.Equal(t, 2*admission.LimitsFor(1).Browsing, l.Browsing)
	require.Greater(t, l.Starting, l.Browsing)
	require.LessOrEqual(t, l.Wait, time.Second)
}

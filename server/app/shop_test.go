package app_test

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/cards"
	"marquee/server/money"
)

// testShop is a running shop with simulators, on one clock. Its books are verified when the test ends.
type testShop struct{ *harness.Stack }

// newTestShop starts a shop on an empty database.
func newTestShop(t *testing.T) *testShop {
	t.Helper()
	return startTestShop(t, harness.NewDatabase(t))
}

// newImpatientShop starts a shop for tests in which providers do not answer: it waits for them for two seconds. On a
// loaded machine an answer may take as long.
func newImpatientShop(t *testing.T) *testShop {
	t.Helper()
	return startTestShop(t, harness.NewDatabase(t), func(cfg *app.Config) {
		cfg.CallLimit = 2 * time.Second
	})
}

// startTestShop starts new simulators, and a shop on a database that an earlier shop may have filled. Business time
// begins in a morning, so that no test depends on the hour at which it runs.
func startTestShop(t *testing.T, db string, configure ...func(*app.Config)) *testShop {
	t.Helper()
	return &testShop{harness.New(t, harness.Options{
		DB: db, Begin: harness.Morning(t), Configure: func(cfg *app.Config) {
			for _, change := range configure {
				change(cfg)
			}
		},
	})}
}

// isPostgres reports whether a database is on PostgreSQL.
func isPostgres(db string) bool { return strings.HasPrefix(db, "postgres://") }

// openSQL opens the database of a shop, of either engine, for the statements of a test.
func openSQL(t *testing.T, db string) *sql.DB {
	t.Helper()
	driver, source := "sqlite", db+"?_pragma=busy_timeout(10000)"
	if isPostgres(db) {
		driver, source = "pgx", db
	}
	opened, err := sql.Open(driver, source)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	return opened
}

// close stops the shop and the simulators before the test ends.
func (h *testShop) close() { require.NoError(h.T, h.Close()) }

// issueCard issues a welfare card with points, hundredths of a point, that are valid for 400 days.
func (h *testShop) issueCard(number string, points money.Points) {
	require.NoError(h.T, h.Shop.CardIssuer().Issue(h.T.Context(), []cards.NewCard{{
		PID: cards.SuperCard, Number: number, Password: "12345678", Points: points,
		ExpiresAt: h.Now().Add(400 * 24 * time.Hour),
	}}, "test"))
}

// buyer is an HTTP client with the cookies and the session of one buyer.
type buyer struct {
	*testShop
	http  *harness.Client
	phone string
	token string
}

// newBuyer returns a buyer who is not logged in.
func (h *testShop) newBuyer(phone string) *buyer {
	return &buyer{testShop: h, phone: phone, http: h.NewClient()}
}

// params are the fields of a form.
type params map[string]string

// call posts a form with the channel number and the token of the session. A call of /movie/route is signed.
func (b *buyer) call(path string, fields params) harness.Answer {
	return b.successful(b.http.Post(b.token, path, fields))
}

// get requests a path without channel number, token or signature.
func (b *buyer) get(path string) harness.Answer { return b.successful(b.http.Get(path)) }

// successful requires HTTP status 200, which errors of the shop have too.
func (b *buyer) successful(a harness.Answer) harness.Answer {
	require.Equal(b.T, http.StatusOK, a.Status, "%s: %v %s", a.Path, a.Error, a.Msg)
	return a
}

// dataOf decodes the data of an answer, and fails the test if the answer is an error.
func dataOf[T any](t *testing.T, a harness.Answer) T {
	t.Helper()
	require.Empty(t, a.Error, "%s", a.Msg)
	var v T
	require.NoError(t, json.Unmarshal(a.Data, &v), "%s", a.Data)
	return v
}

// orderNo returns the order number of the answer to a lock or to a search for an unpaid order; "" if there is no order.
func orderNo(t *testing.T, a harness.Answer) string {
	t.Helper()
	return dataOf[struct{ Orderid string }](t, a).Orderid
}

// requireFault fails the test unless the answer is an error with the code.
func requireFault(t *testing.T, a harness.Answer, code string) {
	t.Helper()
	require.Equal(t, code, a.Error, "%s", a.Msg)
}

// login logs the buyer in by phone and SMS code.
func (b *buyer) login() *buyer {
	dataOf[any](b.T, b.call("/Login/sendcode", params{"phone": b.phone}))
	got := dataOf[struct{ Token, UID string }](b.T,
		b.call("/Login/phoneLogin", params{"phone": b.phone, "code": b.Code(b.phone)}))
	require.NotEmpty(b.T, got.Token)
	b.token = got.Token
	return b
}

// loginInApp is login, after which the buyer proves the identity openID of the messaging app.
func (b *buyer) loginInApp() *buyer {
	b.login()
	b.http.ProveIdentity(b.token, openID)
	return b
}

// password is the payment password that setPaymentPassword sets.
const password = "246810"

func (b *buyer) setPaymentPassword() {
	b.AdvanceClock(time.Minute) // the shop sends one code per minute
	dataOf[any](b.T, b.call("/Member/getsendcode", nil))
	dataOf[any](b.T, b.call("/Member/editpassword", params{"code": b.Code(b.phone), "password": password}))
}

// bindCard binds a card that issueCard has issued, and returns its id.
func (b *buyer) bindCard(number string) string {
	return dataOf[struct{ ID string }](b.T, b.call("/api/api.php/Card/addbinding",
		params{"kahao": number, "pass": "12345678"})).ID
}

// buyerWithCard logs a buyer in who has a payment password and a card of 10,000 points, and returns the id of the card.
func buyerWithCard(t *testing.T, phone string) (b *buyer, card string) {
	t.Helper()
	return buyerWithCardIn(t, harness.NewDatabase(t), phone)
}

// buyerWithCardIn is buyerWithCard of a shop on the database db.
func buyerWithCardIn(t *testing.T, db, phone string) (b *buyer, card string) {
	t.Helper()
	h := startTestShop(t, db)
	h.issueCard("8010000000000001", 10_000_00)
	b = h.newBuyer(phone).login()
	b.setPaymentPassword()
	return b, b.bindCard("8010000000000001")
}

package console

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/phone"
	"marquee/simulators"
	"marquee/simulators/boxoffice"
	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/web"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

var expect = playwright.NewPlaywrightAssertions(float64(phone.Patience.Milliseconds()))

// fixture is a running set of simulators with the console, and a browser that shows it.
type fixture struct {
	*testing.T
	sims *simulators.Simulators
	*phone.Phone
}

func newFixture(t *testing.T, opts phone.Options) *fixture {
	t.Helper()
	built := web.Console()
	require.NotNil(t, built, "the console is not built: run `npm run build`")
	sims, err := simulators.Start(simulators.Options{Console: built})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sims.Close()) })
	return &fixture{t, sims, phone.New(t, opts)}
}

// world makes a world whose clock is frozen at 10:00 on a summer morning.
func (f *fixture) world(id string) *simulators.World {
	f.Helper()
	morning := time.Date(2031, 6, 1, 10, 0, 0, 0, dataset.Zone)
	w, err := f.sims.NewWorld(control.NewWorld{ID: id, Now: &morning, Frozen: true})
	require.NoError(f, err)
	return w
}

// open opens a page and waits until its live stream is connected.
func (f *fixture) open(path string) {
	f.Helper()
	f.must(f.Phone.Open(f.sims.URL() + path))
	f.live()
}

func (f *fixture) live() {
	f.Helper()
	f.sees(f.GetByText("Live", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}))
}

func (f *fixture) sees(l playwright.Locator) {
	f.Helper()
	require.NoError(f, expect.Locator(l).ToBeVisible())
}

func (f *fixture) must(err error) {
	f.Helper()
	require.NoError(f, err)
}

func (f *fixture) named(role playwright.AriaRole, name string) playwright.Locator {
	return f.GetByRole(role, playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
}

func (f *fixture) button(name string) playwright.Locator { return f.named("button", name) }

func (f *fixture) press(name string) {
	f.Helper()
	f.must(f.button(name).Click())
}

func (f *fixture) choose(label, value string) {
	f.Helper()
	_, err := f.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).
		SelectOption(playwright.SelectOptionValues{Values: playwright.StringSlice(value)})
	f.must(err)
}

func (f *fixture) fill(label, text string) {
	f.Helper()
	f.must(f.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Fill(text))
}

// visit goes to a page by the navigation.
func (f *fixture) visit(page string) {
	f.Helper()
	f.must(
		f.named("navigation", "Pages").
			GetByRole("link", playwright.LocatorGetByRoleOptions{Name: page, Exact: playwright.Bool(true)}).
			Click(),
	)
	f.sees(
		f.GetByRole(
			"heading",
			playwright.PageGetByRoleOptions{Name: page, Exact: playwright.Bool(true), Level: playwright.Int(1)},
		),
	)
}

// gateway calls the legacy gateway as a shop of the world would. If change is not nil, it changes the signature.
func (f *fixture) gateway(w *simulators.World, change func(string) string, method string, fields ...string) string {
	f.Helper()
	c := w.Credentials().Gateway
	form := url.Values{
		"method":    {method},
		"appkey":    {c.AppKey},
		"v":         {"2.0"},
		"timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)},
	}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	sign, err := legacygateway.Sign(form, c.Secret, legacygateway.Dialect{})
	f.must(err)
	if change != nil {
		sign = change(sign)
	}
	form.Set("sign", sign)
	answer, err := http.PostForm(w.URL()+"/gateway", form)
	f.must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	f.must(err)
	return string(text)
}

// text sends a code with the vendor's SDK.
func (f *fixture) text(w *simulators.World, to, code string) {
	f.Helper()
	k := w.Credentials().SMS
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &k.AccessKeyID, AccessKeySecret: &k.AccessKeySecret, Protocol: tea.String("http"),
		Endpoint: tea.String(strings.TrimPrefix(w.URL(), "http://")),
	})
	f.must(err)
	sent, err := client.SendSms(&dysms.SendSmsRequest{
		PhoneNumbers: &to, SignName: &k.SignName, TemplateCode: &k.TemplateCode,
		TemplateParam: tea.String(`{"code":"` + code + `"}`),
	})
	f.must(err)
	require.Equal(f, "OK", *sent.Body.Code)
}

// showing returns a showing of tomorrow at the gateway, in a small hall without areas, and its free single seats, of
// which there are more than 10.
func (f *fixture) showing(w *simulators.World) (show dataset.Show, free []boxoffice.Place) {
	f.Helper()
	city, _ := w.Country().City("310100")
	office := boxoffice.New(w.Country(), dataset.Gateway) // equals the simulator's own office before the first purchase
	for _, c := range w.Country().Cinemas(dataset.Gateway, city) {
		for _, s := range w.Country().ShowsOn(c, "", dataset.Day(w.Country().Now()).AddDate(0, 0, 1)) {
			if len(s.Hall.Layout.Seats) > 200 || len(s.Hall.Layout.Areas) > 0 {
				continue
			}
			_, places, err := office.Places(s.ID)
			f.must(err)
			for _, p := range places {
				if p.Taken == boxoffice.TakenFree && p.Pair == dataset.Single {
					free = append(free, p)
				}
			}
			if len(free) > 10 {
				return s, free
			}
			free = nil
		}
	}
	f.Fatal("no such showing")
	return show, nil
}

// lock holds a seat for an order.
func (f *fixture) lock(w *simulators.World, no string, show dataset.Show, seat boxoffice.Place) {
	f.Helper()
	answer := f.gateway(
		w,
		nil,
		"seat.lock",
		"orderno",
		no,
		"opiid",
		show.ID,
		"seatids",
		seat.ID,
		"mobile",
		"13900000001",
	)
	require.Contains(f, answer, "LOCKED")
}

func seatsPath(w *simulators.World, show dataset.Show) string {
	return fmt.Sprintf(
		"/seats?world=%s&cinema=%s&day=%s&showing=%s",
		w.ID(),
		show.Cinema.ID,
		show.Day.Format(time.DateOnly),
		show.ID,
	)
}

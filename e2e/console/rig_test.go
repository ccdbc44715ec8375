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
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/web"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

var expect = playwright.NewPlaywrightAssertions(float64(phone.Patience.Milliseconds()))

// rig is a running set of simulators with the console, and a browser that looks at it.
type rig struct {
	*testing.T
	sims *simulators.Simulators
	*phone.Phone
}

func newRig(t *testing.T, opts phone.Options) *rig {
	t.Helper()
	built := web.Console()
	require.NotNil(t, built, "the console is not built: run `npm run build`")
	sims, err := simulators.Start(simulators.Options{Console: built})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sims.Close()) })
	return &rig{t, sims, phone.New(t, opts)}
}

// world makes a world that stands at a summer's morning.
func (r *rig) world(id string) *simulators.World {
	r.Helper()
	w, err := r.sims.NewWorld(
		simulators.WorldOptions{ID: id, Now: time.Date(2031, 6, 1, 10, 0, 0, 0, dataset.Zone), Frozen: true},
	)
	require.NoError(r, err)
	return w
}

// open goes to a page and waits until it is live.
func (r *rig) open(path string) {
	r.Helper()
	_, err := r.Goto(r.sims.URL() + path)
	require.NoError(r, err)
	r.live()
}

func (r *rig) live() {
	r.Helper()
	r.sees(r.GetByText("Live", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}))
}

func (r *rig) sees(l playwright.Locator) {
	r.Helper()
	require.NoError(r, expect.Locator(l).ToBeVisible())
}

func (r *rig) must(err error) {
	r.Helper()
	require.NoError(r, err)
}

func (r *rig) named(role playwright.AriaRole, name string) playwright.Locator {
	return r.GetByRole(role, playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
}

func (r *rig) button(name string) playwright.Locator { return r.named("button", name) }

func (r *rig) press(name string) {
	r.Helper()
	r.must(r.button(name).Click())
}

func (r *rig) choose(label, value string) {
	r.Helper()
	_, err := r.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).
		SelectOption(playwright.SelectOptionValues{Values: playwright.StringSlice(value)})
	r.must(err)
}

func (r *rig) fill(label, text string) {
	r.Helper()
	r.must(r.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Fill(text))
}

// visit goes to a page by the navigation.
func (r *rig) visit(page string) {
	r.Helper()
	r.must(
		r.named("navigation", "Pages").
			GetByRole("link", playwright.LocatorGetByRoleOptions{Name: page, Exact: playwright.Bool(true)}).
			Click(),
	)
	r.sees(
		r.GetByRole(
			"heading",
			playwright.PageGetByRoleOptions{Name: page, Exact: playwright.Bool(true), Level: playwright.Int(1)},
		),
	)
}

// gateway calls the legacy gateway as a shop of the world would, with the signature changed by spoil.
func (r *rig) gateway(w *simulators.World, spoil func(string) string, method string, fields ...string) string {
	r.Helper()
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
	r.must(err)
	if spoil != nil {
		sign = spoil(sign)
	}
	form.Set("sign", sign)
	answer, err := http.PostForm(w.URL()+"/gateway", form)
	r.must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	r.must(err)
	return string(text)
}

// text sends a code with the vendor's SDK.
func (r *rig) text(w *simulators.World, to, code string) {
	r.Helper()
	k := w.Credentials().SMS
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &k.AccessKeyID, AccessKeySecret: &k.AccessKeySecret, Protocol: tea.String("http"),
		Endpoint: tea.String(strings.TrimPrefix(w.URL(), "http://")),
	})
	r.must(err)
	sent, err := client.SendSms(&dysms.SendSmsRequest{
		PhoneNumbers: &to, SignName: &k.SignName, TemplateCode: &k.TemplateCode,
		TemplateParam: tea.String(`{"code":"` + code + `"}`),
	})
	r.must(err)
	require.Equal(r, "OK", *sent.Body.Code)
}

// showing is one of tomorrow at the gateway without areas, and two of its free seats beside an aisle or not.
func (r *rig) showing(w *simulators.World) (show dataset.Show, free []boxoffice.Place) {
	r.Helper()
	city, _ := w.Country().City("310100")
	office := boxoffice.New(w.Country(), dataset.Gateway) // equals the simulator's own office before the first purchase
	for _, c := range w.Country().Cinemas(dataset.Gateway, city) {
		for _, s := range w.Country().ShowsOn(c, "", dataset.Day(w.Country().Now()).AddDate(0, 0, 1)) {
			if len(s.Hall.Layout.Seats) > 200 || len(s.Hall.Layout.Areas) > 0 {
				continue
			}
			_, places, err := office.Places(s.ID)
			r.must(err)
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
	r.Fatal("no such showing")
	return show, nil
}

// lock holds a seat for an order.
func (r *rig) lock(w *simulators.World, no string, show dataset.Show, seat boxoffice.Place) {
	r.Helper()
	answer := r.gateway(
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
	require.Contains(r, answer, "LOCKED")
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

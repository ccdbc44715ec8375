package phone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres/pgserver"
	"marquee/simulators/wechat"
)

// The user agents of a mobile browser, of the messaging app and of a desktop browser.
const (
	plainAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
		"Version/18.5 Mobile/15E148 Safari/604.1"
	inAppAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
		"Mobile/15E148 MicroMessenger/8.0.61(0x18003d2f) NetType/WIFI Language/zh_CN"
	desktopAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) " +
		"Chrome/139.0.0.0 Safari/537.36"
)

// Patience bounds one step of a test. It is generous because a loaded machine may take many times as long as an idle
// one.
const Patience = 2 * time.Minute

// Options describe a phone. The zero value is a plain mobile browser of 390×844 pixels.
type Options struct {
	InApp         bool // inside the messaging app: its user agent
	Android       bool // with InApp: the user agent of the app's Android client instead of its iOS client
	Width, Height int
	Desktop       bool // a desktop browser: no touch, 1280×800 unless Width and Height are set
	Dark          bool
	ReducedMotion bool
	// Lean saves about a third of a page's processor time: there are no service worker and no animations, and the app
	// does not load pages in advance, because the browser reports that it saves data. It is for tests that verify none
	// of these. At least one test of each suite runs without Lean.
	Lean bool
	// Proxy is the address of a forward proxy for all pages except those of 127.0.0.1; "" for none. Any certificate is
	// accepted then.
	Proxy string
	// Where is the position of the phone. The zero value is Beijing.
	Where playwright.Geolocation
	// Tolerate lists parts of console errors that the test provokes on purpose.
	Tolerate []string
}

// Phone is a page in a separate browser context. Errors on the page's console fail the test.
type Phone struct {
	playwright.Page
	Context playwright.BrowserContext

	complaints complaints
	messages   messages
}

// New opens a page for the test and closes it when the test ends. If the test fails, a screenshot is kept in
// e2e/artifacts, and with MARQUEE_TRACE=1 a Playwright trace.
func New(t *testing.T, opts Options) *Phone {
	t.Helper()
	p := open(t, opts)
	t.Cleanup(func() { p.close(t) })
	return p
}

func open(t *testing.T, opts Options) *Phone {
	t.Helper()
	require.NotNil(t, browser, "TestMain must call phone.Run")
	ctx, err := browser.NewContext(contextOptions(opts))
	require.NoError(t, err)
	ctx.SetDefaultTimeout(float64(Patience.Milliseconds()))
	ctx.SetDefaultNavigationTimeout(float64(Patience.Milliseconds()))
	if tracing() {
		require.NoError(t, ctx.Tracing().Start(playwright.TracingStartOptions{
			Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true),
		}))
	}
	p := &Phone{Context: ctx, complaints: complaints{tolerated: opts.Tolerate}}
	require.NoError(t, p.messages.record(ctx))
	if opts.Lean {
		require.NoError(t, ctx.AddInitScript(playwright.Script{Content: playwright.String(saveData)}))
	}
	p.Page, err = ctx.NewPage()
	require.NoError(t, err)
	p.complaints.listen(p.Page)
	return p
}

// saveData makes the browser report that it saves data, so that the app loads no pages in advance.
const saveData = `Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })`

func contextOptions(opts Options) playwright.BrowserNewContextOptions {
	width, height, agent := 390, 844, plainAgent
	if opts.Desktop {
		width, height, agent = 1280, 800, desktopAgent
	}
	if opts.Width > 0 {
		width, height = opts.Width, opts.Height
	}
	if opts.InApp {
		agent = inAppAgent
	}
	if opts.InApp && opts.Android {
		agent = wechat.UserAgentAndroid
	}
	scheme := playwright.ColorSchemeLight
	if opts.Dark {
		scheme = playwright.ColorSchemeDark
	}
	motion := playwright.ReducedMotionNoPreference
	if opts.ReducedMotion || opts.Lean {
		motion = playwright.ReducedMotionReduce
	}
	workers := playwright.ServiceWorkerPolicyAllow
	if opts.Lean {
		workers = playwright.ServiceWorkerPolicyBlock
	}
	where := opts.Where
	if where == (playwright.Geolocation{}) {
		where = playwright.Geolocation{Latitude: 39.9042, Longitude: 116.4074}
	}
	var proxy *playwright.Proxy
	if opts.Proxy != "" {
		proxy = &playwright.Proxy{Server: opts.Proxy, Bypass: playwright.String("127.0.0.1,[::1]")}
	}
	return playwright.BrowserNewContextOptions{
		Proxy:             proxy,
		IgnoreHttpsErrors: playwright.Bool(proxy != nil),
		UserAgent:         playwright.String(agent),
		Viewport:          &playwright.Size{Width: width, Height: height},
		DeviceScaleFactor: playwright.Float(2),
		IsMobile:          playwright.Bool(!opts.Desktop),
		HasTouch:          playwright.Bool(!opts.Desktop),
		Locale:            playwright.String("zh-CN"),
		TimezoneId:        playwright.String("Asia/Shanghai"),
		ColorScheme:       scheme,
		ReducedMotion:     motion,
		ServiceWorkers:    workers,
		Permissions:       []string{"geolocation"},
		Geolocation:       &where,
	}
}

func (p *Phone) close(t *testing.T) {
	for _, text := range p.complaints.texts() {
		t.Errorf("error on the page's console: %s", text)
	}
	if t.Failed() {
		p.keepArtifacts(t)
	}
	_ = p.Context.Close()
}

// keepArtifacts saves a screenshot of the page, and the trace if there is one.
func (p *Phone) keepArtifacts(t *testing.T) {
	root, err := pgserver.ModuleRoot()
	if err != nil {
		return
	}
	base := filepath.Join(root, "e2e", "artifacts", strings.NewReplacer("/", "_", " ", "_").Replace(t.Name()))
	t.Logf("at %s; kept %s.png", p.URL(), base)
	_, _ = p.Screenshot(playwright.PageScreenshotOptions{Path: playwright.String(base + ".png")})
	if tracing() {
		_ = p.Context.Tracing().Stop(base + ".zip")
	}
}

// tracing reports whether MARQUEE_TRACE switches traces on. They take a third of a suite's time.
func tracing() bool { return os.Getenv("MARQUEE_TRACE") != "" }

package phone

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
)

// The user agents of the two ways buyers open the shop, and of those who watch.
const (
	plainAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	inAppAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.61(0x18003d2f) NetType/WIFI Language/zh_CN"

	desktopAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36"
)

// patience is how long, in milliseconds, a step may take on a machine with much else to do.
const patience = 60_000

// Options shape a telephone. The zero value is a plain mobile browser of 390×844.
type Options struct {
	InApp         bool // inside the messaging app: its user agent
	Width, Height int
	Desktop       bool // a laptop's browser: no touch, 1280×800 unless said otherwise
	Dark          bool
	ReducedMotion bool
	// Where the phone is, which its owner lets it say; the zero value is Beijing.
	Where playwright.Geolocation
	// Tolerate names texts of console errors that the test provokes on purpose.
	Tolerate []string
}

// Phone is one buyer's page. What the page complains about on its console fails the test.
type Phone struct {
	playwright.Page
	Context playwright.BrowserContext

	mu         sync.Mutex
	complaints []string
	messages   messages
}

// New opens a page of its own for the test. When the test fails, a picture is kept in e2e/artifacts,
// and with MARQUEE_TRACE=1 a trace.
func New(t *testing.T, opts Options) *Phone {
	t.Helper()
	require.NotNil(t, browser, "TestMain must call phone.Run")
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
	scheme := playwright.ColorSchemeLight
	if opts.Dark {
		scheme = playwright.ColorSchemeDark
	}
	motion := playwright.ReducedMotionNoPreference
	if opts.ReducedMotion {
		motion = playwright.ReducedMotionReduce
	}
	where := opts.Where
	if where == (playwright.Geolocation{}) {
		where = playwright.Geolocation{Latitude: 39.9042, Longitude: 116.4074}
	}
	ctx, err := browser.NewContext(playwright.BrowserNewContextOptions{
		UserAgent:         playwright.String(agent),
		Viewport:          &playwright.Size{Width: width, Height: height},
		DeviceScaleFactor: playwright.Float(2),
		IsMobile:          playwright.Bool(!opts.Desktop),
		HasTouch:          playwright.Bool(!opts.Desktop),
		Locale:            playwright.String("zh-CN"),
		TimezoneId:        playwright.String("Asia/Shanghai"),
		ColorScheme:       scheme,
		ReducedMotion:     motion,
		Permissions:       []string{"geolocation"},
		Geolocation:       &where,
	})
	require.NoError(t, err)
	ctx.SetDefaultTimeout(patience)
	ctx.SetDefaultNavigationTimeout(patience)
	if tracing() {
		require.NoError(t, ctx.Tracing().Start(playwright.TracingStartOptions{Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true)}))
	}
	p := &Phone{Context: ctx}
	require.NoError(t, p.messages.writeDown(ctx))
	p.Page, err = ctx.NewPage()
	require.NoError(t, err)
	p.listen(opts.Tolerate)
	t.Cleanup(func() { p.close(t) })
	return p
}

func (p *Phone) listen(tolerate []string) {
	complain := func(text string) {
		for _, known := range tolerate {
			if strings.Contains(text, known) {
				return
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.complaints = append(p.complaints, text)
	}
	p.OnConsole(func(m playwright.ConsoleMessage) {
		if m.Type() == "error" {
			text := m.Text()
			if at := m.Location(); at != nil && at.URL != "" {
				text += " (" + at.URL + ")"
			}
			complain(text)
		}
	})
	p.OnPageError(func(err error) { complain(err.Error()) })
}

func (p *Phone) close(t *testing.T) {
	p.mu.Lock()
	complaints := p.complaints
	p.mu.Unlock()
	for _, c := range complaints {
		t.Errorf("the page complained: %s", c)
	}
	if t.Failed() {
		p.keep(t)
	}
	_ = p.Context.Close()
}

// keep saves what the page looked like and how it got there.
func (p *Phone) keep(t *testing.T) {
	root, err := moduleRoot()
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

// tracing is asked for with MARQUEE_TRACE=1: a trace of every step costs a third of a suite's time.
func tracing() bool { return os.Getenv("MARQUEE_TRACE") != "" }

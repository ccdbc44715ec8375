package pages

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"marquee/server/httpapi/wire"
)

// overloaded is the page of an overloaded shop. It needs no other file. It opens the same address again by itself after
// the seconds that replace %[1]d.
const overloaded = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">` +
	`<meta name="viewport" content="width=device-width, initial-scale=1">` +
	`<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="%[1]d">` +
	`<title>当前访问人数过多</title><style>` + overloadedStyle + `</style></head>` +
	`<body><main><h1>当前访问人数过多</h1><p>大家都在抢票，页面将在 %[1]d 秒后自动刷新，请不要离开。</p>` +
	`<p>已锁定的座位和已支付的订单不受影响。</p></main></body></html>`

// overloadedStyle has the colors of the app (web/src/ui/theme.css).
const overloadedStyle = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f5f5f7;color:#17171c;` +
	`font:16px/1.6 system-ui,sans-serif;text-align:center}main{padding:24px}h1{font-size:20px}` +
	`p{margin:8px 0;color:#5c5c66}` +
	`@media(prefers-color-scheme:dark){body{background:#111114;color:#f5f5f7}p{color:#a9a9b2}}`

// overloadedStyleSource permits overloadedStyle in a content security policy.
var overloadedStyleSource = hashSource(overloadedStyle)

// serveOverloaded answers a navigation with the page of an overloaded shop, and everything else with wire.ErrBusy.
func serveOverloaded(w http.ResponseWriter, r *http.Request, retryAfter time.Duration) {
	if !isNavigation(r) {
		wire.Fail(w, r, wire.ErrBusy.WithRetryAfter(retryAfter))
		return
	}
	wire.Note(r.Context(), wire.ErrBusy.Code, nil)
	seconds := int(retryAfter.Seconds())
	head := w.Header()
	const styles = "style-src 'self'"
	head.Set(policyHeader, strings.Replace(head.Get(policyHeader), styles, styles+" "+overloadedStyleSource, 1))
	head.Set("Cache-Control", "no-store")
	head.Set("Retry-After", strconv.Itoa(seconds))
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, fmt.Sprintf(overloaded, seconds)) // an error means that the client has disconnected
	}
}

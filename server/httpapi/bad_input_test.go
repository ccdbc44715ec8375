package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
	"marquee/server/store"
)

// hasChinese reports whether a message is in the buyer's language.
func hasChinese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x4e00 && r <= 0x9fff })
}

func TestForms_BadOnesGetTheEnvelope(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	const path = "/Login/sendcode"
	kind := func(contentType string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set("Content-Type", contentType) }
	}
	charset := func(name string) func(*http.Request) { return kind(formType + "; charset=" + name) }
	withoutType := func(q *http.Request) { q.Header.Del("Content-Type") }
	withoutLength := func(q *http.Request) { q.ContentLength = -1 }
	for name, c := range map[string]struct {
		body   string
		change func(*http.Request)
		want   string
	}{
		"no channel":              {"phone=13800000001", nil, "channel_unknown"},
		"another channel":         {"channel_no=ch2&phone=13800000001", nil, "channel_unknown"},
		"empty body":              {"", nil, "channel_unknown"},
		"json":                    {`{"channel_no":"ch1"}`, kind("application/json"), "unsupported_media_type"},
		"multipart":               {"x", kind("multipart/form-data; boundary=x"), "unsupported_media_type"},
		"no content type":         {"channel_no=ch1", withoutType, "unsupported_media_type"},
		"another charset":         {"channel_no=ch1", charset("gbk"), "unsupported_media_type"},
		"over 64 KiB":             {"channel_no=ch1&phone=" + strings.Repeat("1", 64<<10), nil, "body_too_large"},
		"10 MB":                   {"channel_no=ch1&phone=" + strings.Repeat("1", 10<<20), nil, "body_too_large"},
		"10 MB, unknown length":   {"channel_no=ch1&a=" + strings.Repeat("1", 10<<20), withoutLength, "body_too_large"},
		"broken escape":           {"channel_no=ch1&phone=%zz", nil, "form_invalid"},
		"a semicolon":             {"channel_no=ch1;phone=1", nil, "form_invalid"},
		"not UTF-8":               {"channel_no=ch1&phone=%ff%fe", nil, "form_invalid"},
		"key not UTF-8":           {"channel_no=ch1&%ff=1", nil, "form_invalid"},
		"a zero byte":             {"channel_no=ch1&phone=%00", nil, "form_invalid"},
		"a field twice":           {"channel_no=ch1&phone=13800000001&phone=13800000002", nil, "form_invalid"},
		"the channel twice":       {"channel_no=ch1&channel_no=ch1", nil, "form_invalid"},
		"many fields":             {"channel_no=ch1" + strings.Repeat("&a=1", 64), nil, "form_invalid"},
		"a field that is huge":    {"channel_no=ch1&phone=" + strings.Repeat("1", 600), nil, "phone_invalid"},
		"not a phone":             {"channel_no=ch1&phone=123", nil, "phone_invalid"},
		"charset in upper case":   {"channel_no=ch1&phone=13800000001", charset("UTF-8"), ""},
		"unknown fields, ignored": {"channel_no=ch1&phone=13800000001&fromMars=1", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := r.request(t, http.MethodPost, path, c.body)
			if c.change != nil {
				c.change(req)
			}
			a := r.do(t, req)
			require.Equal(t, http.StatusOK, a.Status)
			if c.want == "" {
				require.EqualValues(t, 200, a.Code, a.Body)
				return
			}
			require.Equal(t, c.want, a.Error)
			require.EqualValues(t, 400, a.Code)
			require.True(t, hasChinese(a.Msg), a.Msg)
			require.JSONEq(t, "null", string(a.Data))
		})
	}
}

func TestSignature_ErrorsDistinguishTheCauses(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	good := func() map[string]string {
		f := map[string]string{"channel_no": testChannel.No, "keyword": "上海"}
		signFields(f, wireNow)
		return f
	}
	signedAt := func(at time.Time) func(map[string]string) {
		return func(f map[string]string) { signFields(f, at) }
	}
	set := func(k, v string) func(map[string]string) { return func(f map[string]string) { f[k] = v } }
	resigned := func(k, v string) func(map[string]string) {
		return func(f map[string]string) { f[k] = v; f["sign"] = testChannel.Sign(f) }
	}
	lowerCase := func(f map[string]string) { f["sign"] = strings.ToLower(f["sign"]) }
	for name, c := range map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"right":                    {func(map[string]string) {}, ""},
		"9:59 slow":                {signedAt(wireNow.Add(-599 * time.Second)), ""},
		"9:59 fast":                {signedAt(wireNow.Add(599 * time.Second)), ""},
		"10:01 slow":               {signedAt(wireNow.Add(-601 * time.Second)), "sign_stale"},
		"10:01 fast":               {signedAt(wireNow.Add(601 * time.Second)), "sign_stale"},
		"on the business clock":    {signedAt(testNow), "sign_stale"},
		"timestamp missing":        {resigned("timestamp", ""), "sign_stale"},
		"timestamp in another way": {resigned("timestamp", "2026-04-30T12:00:00Z"), "sign_stale"},
		"not signed":               {func(f map[string]string) { delete(f, "sign") }, "sign_missing"},
		"empty signature":          {set("sign", ""), "sign_missing"},
		"another signature":        {set("sign", strings.Repeat("0", 32)), "sign_wrong"},
		"lower case":               {lowerCase, "sign_wrong"},
		"a field changed since":    {set("keyword", "北京"), "sign_wrong"},
		"a field added since":      {set("cityid", "1"), "sign_wrong"},
		"an empty field added":     {set("cityid", ""), ""},
		"another appkey":           {resigned("appkey", "999999"), "appkey_unknown"},
		"no appkey":                {resigned("appkey", ""), "appkey_unknown"},
		"another version":          {resigned("v", "1.0"), "version_unsupported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := good()
			c.change(f)
			for _, path := range []string{"/movie/route/Movie/citylist", "/movie/route"} {
				fields := map[string]string{}
				for k, v := range f {
					fields[k] = v
				}
				a := r.post(t, path, encode(fields))
				require.Equal(t, http.StatusOK, a.Status)
				switch {
				case path == "/movie/route" && c.want == "":
					require.Equal(t, "method_not_allowed", a.ErrorCode, a.Body)
				case path == "/movie/route":
					require.Equal(t, c.want, a.ErrorCode, a.Body)
					require.False(t, a.Success)
				case c.want == "":
					require.EqualValues(t, 200, a.Code, a.Body)
				default:
					require.Equal(t, c.want, a.Error, a.Body)
					require.True(t, hasChinese(a.Msg))
				}
			}
		})
	}
}

// formFields decodes a form.
func formFields(t *testing.T, form string) map[string]string {
	t.Helper()
	values, err := url.ParseQuery(form)
	require.NoError(t, err)
	fields := map[string]string{}
	for name := range values {
		fields[name] = values.Get(name)
	}
	return fields
}

func TestBuyerCalls_WithoutALiveSession(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	for _, rt := range buyerRoutes(t) {
		for _, token := range []string{"", "an-old-token"} {
			t.Run(rt.path+" "+token, func(t *testing.T) {
				t.Parallel()
				a := r.form(t, rt.path, map[string]string{"token": token})
				require.Equal(t, http.StatusOK, a.Status)
				require.Equal(t, "login_required", a.Error)
				if wire.BackendOf(rt.path) == wire.Main {
					require.Equal(t, "-1", a.Code)
				} else {
					require.EqualValues(t, -1, a.Code)
				}
			})
		}
	}
}

func TestOrders_BadFieldsNeverReachThem(t *testing.T) {
	t.Parallel()
	const lock, newLock = "opiid=1&seatids=1", "sessionId=1&seatIds=1"
	const newLockPath = "/newmovie/seat/lock"
	const recharge, bind = "/api/api.php/Card/czwxpay", "/api/api.php/Card/addbinding"
	long := strings.Repeat("1", 1024)
	for name, c := range map[string]struct {
		path, fields, want string
	}{
		"no showing":               {"/Film/lockseat", "seatids=1", "invalid_input"},
		"an empty seat":            {"/Film/lockseat", "opiid=1&seatids=1||2", "invalid_input"},
		"a thousand seats":         {"/Film/lockseat", lock + strings.Repeat("|1", 999), "invalid_input"},
		"no amount":                {"/Film/lockseat", lock, "invalid_input"},
		"an empty amount":          {"/Film/lockseat", lock + "&totalSettleAmount=", "invalid_input"},
		"an amount with a plus":    {"/Film/lockseat", lock + "&totalSettleAmount=%2B7080", "invalid_input"},
		"a start not a time":       {"/Film/lockseat", lock + "&totalSettleAmount=7080&playtime=soon", "invalid_input"},
		"an impossible start":      {newLockPath, newLock + "&sessionBeginTime=2026-13-01%2000:00:00", "invalid_input"},
		"a price with a plus":      {"/newmovie/seat/lock", newLock + "&originPrice=%2B45.20", "invalid_input"},
		"a card with a plus":       {"/Film/wxpay", "oid=1&openid=o&ka_ids=%2B1", "invalid_input"},
		"an amount in words":       {"/Film/lockseat", lock + "&totalSettleAmount=many", "invalid_input"},
		"a negative amount":        {"/Film/lockseat", lock + "&totalSettleAmount=-1", "invalid_input"},
		"no session":               {"/newmovie/seat/lock", "seatIds=1", "invalid_input"},
		"no identity":              {"/Film/wxpay", "oid=1", "openid_required"},
		"no order":                 {"/Film/wxpay", "openid=o", "invalid_input"},
		"an unknown trade type":    {"/Film/wxpay", "oid=1&openid=o&trade_type=mweb", "invalid_input"},
		"a trade type of goods":    {"/Kaquan/wxpay", "ggid=1&number=1&openid=o&trade_type=APP", "invalid_input"},
		"a trade type of points":   {recharge, "card_id=1&num=100&openid=o&trade_type=NATIVE", "invalid_input"},
		"a card that is not an id": {"/Film/wxpay", "oid=1&openid=o&ka_ids=1,x", "invalid_input"},
		"a negative card":          {"/Film/wxpay", "oid=1&openid=o&ka_ids=-1", "invalid_input"},
		"an amount of 3 decimals":  {"/Film/wxpay", "oid=1&openid=o&wxprice=1.001", "invalid_input"},
		"an order number of 1 KB":  {"/Film/wxpay", "oid=" + strings.Repeat("1", 1024) + "&openid=o", "order_not_found"},
		"a tab that is not there":  {"/Dyorder/order", "type=7", "invalid_input"},
		"page zero":                {"/Dyorder/order", "pageno=0", "invalid_input"},
		"an unknown order":         {"/Dyorder/show", "id=1", "order_not_found"},
		"no card number":           {bind, "pass=1", "card_number_required"},
		"no card password":         {bind, "kahao=1", "card_password_required"},
		"goods, no id":             {"/Kaquan/flkpay", "ggid=x", "invalid_input"},
		"goods, no identity":       {"/Kaquan/wxpay", "ggid=1", "openid_required"},
		"goods, a huge id":         {"/Kaquan/wxpay", "ggid=99999999999999999999&openid=o", "invalid_input"},
		"an unknown goods order":   {"/Dyorder/kqshow", "id=1", "order_not_found"},
		"no card to show":          {"/api/api.php/Card/show", "", "invalid_input"},
		"nothing scanned":          {"/api/api.php/Card/scanbinding", "", "scan_unreadable"},
		"no card to recharge":      {recharge, "num=1&openid=o", "invalid_input"},
		"recharge, no identity":    {recharge, "num=1&card_id=1", "openid_required"},
		"cards to merge, no ids":   {"/api/api.php/Card/mergecards", "fulika=a,b&pid=1", "invalid_input"},
		"a card type that is not":  {"/api/api.php/Card/checkmergecards", "fulika=1,2&pid=12", "invalid_input"},
		"an unknown card filter":   {"/api/api.php/Card/lists", "flag=9", "invalid_input"},
		"an identity of 1 KB":      {"/Member/unbindwechat", "code=123456&openid=" + long, "invalid_input"},
		"a ticket of 1 KB":         {"/Member/newphonecode", "phone=13800000002&ticket=" + long, "invalid_input"},
		"a phone of 1 KB":          {"/Member/newphonecode", "phone=" + long, "phone_invalid"},
		"a session's id of 1 KB":   {"/Member/endsession", "id=" + long, "invalid_input"},
		"a purpose of 1 KB":        {"/Member/securitycode", "purpose=" + long, "purpose_unknown"},
		"points in words":          {"/Member/close", "points=all&code=123456", "invalid_input"},
		"a policy that is not":     {"/Login/single", "id=3", "text_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHarness(t, nil)
			fields := formFields(t, c.fields)
			fields["token"] = goodToken
			a := r.form(t, c.path, fields)
			require.Equal(t, http.StatusOK, a.Status)
			require.Equal(t, c.want, a.Error, a.Body)
			require.True(t, hasChinese(a.Msg))
			require.Nil(t, r.orders.locked)
			require.Nil(t, r.orders.paid)
		})
	}
}

func TestFailures_InternalOnesRevealNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.orders.err = http.ErrBodyNotAllowed // any error that is not classified
	a := r.form(t, "/Film/unlockseat", map[string]string{"token": goodToken, "oid": "1"})
	require.Equal(t, http.StatusInternalServerError, a.Status)
	require.Equal(t, "internal", a.Error)
	require.NotContains(t, a.Body, "http")
	require.Contains(t, r.log.String(), http.ErrBodyNotAllowed.Error())
}

func TestFailures_APanicIsAnEnvelope(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	a := r.form(t, "/Film/unpayorder", map[string]string{"token": goodToken}) // the fake has no such method
	require.Equal(t, http.StatusInternalServerError, a.Status)
	require.Equal(t, "internal", a.Error)
	require.Contains(t, r.log.String(), "request handler panicked")
	require.NotContains(t, a.Body, "goroutine")
}

func TestFailures_AProviderThatDoesNotAnswerIsNotARejection(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	cancel := func() any {
		return r.form(t, "/Film/unlockseat", map[string]string{"token": goodToken, "oid": "1"}).Error
	}
	r.orders.err = fmt.Errorf("%w: %w", fault.ErrUnknown, context.DeadlineExceeded)
	require.Equal(t, "provider_unknown", cancel())
	r.orders.err = fmt.Errorf("wait to hash: %w", context.DeadlineExceeded)
	require.Equal(t, "service_unavailable", cancel())
}

func TestFailures_TheShopReportsThatItsDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.orders.err = fmt.Errorf("cancel: %w", store.Fail(store.Unreachable, nil))
	a := r.form(t, "/Film/unlockseat", map[string]string{"token": goodToken, "oid": "1"})
	require.Equal(t, http.StatusServiceUnavailable, a.Status)
	require.Equal(t, "service_unavailable", a.Error)
	require.Equal(t, "2", a.Header.Get("Retry-After"))
	require.Contains(t, r.log.String(), "db_unreachable", "the cause is in the log")
}

func TestFailures_KeepTheMessageForTheBuyer(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.orders.err = order.ErrUnpaidOrder
	a := r.form(t, "/Film/lockseat", map[string]string{
		"token": goodToken, "opiid": "1", "seatids": "1", "totalSettleAmount": "7080",
	})
	require.Equal(t, "unpaid_order", a.Error)
	require.Equal(t, order.ErrUnpaidOrder.Message, a.Msg)
	require.NotEqual(t, account.ErrLoginRequired.Code, a.Error)
}

func TestPaths_UnknownAndWrongMethod(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	for _, path := range []string{
		"/Login/nothing", "/movie/route/Movie/nothing", "/newmovie/nothing", "/api/api.php/Card/nothing", "/nothing",
	} {
		a := r.form(t, path, nil)
		require.Equal(t, http.StatusNotFound, a.Status, path)
		require.Equal(t, "path_unknown", a.Error, path)
	}
	for _, path := range []string{"/Login/sendcode", "/movie/route/Movie/citylist"} {
		a := r.get(t, path)
		require.Equal(t, http.StatusMethodNotAllowed, a.Status, path)
		require.Equal(t, "http_method_not_allowed", a.Error, path)
	}
	a := r.get(t, "/newmovie/api/nothing")
	require.Equal(t, http.StatusNotFound, a.Status)
	require.Equal(t, "path_unknown", a.Error)
}

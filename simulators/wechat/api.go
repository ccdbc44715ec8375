package wechat

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// apiResult is the JSON of errors, and of some successes, of api.weixin.qq.com. The HTTP status of both is 200.
type apiResult struct {
	Code    int    `json:"errcode"`
	Message string `json:"errmsg"`
}

// apiTexts are the vendor's texts of its codes, for planned errors without a text. newAPIError adds to them.
var apiTexts = map[string]string{}

// newAPIError declares an error of api.weixin.qq.com.
func newAPIError(code, text string) *journal.Rejection {
	apiTexts[code] = text
	return journal.NewRejection(code, text)
}

// writeAPIError answers a rejected call and records the rejection in the journal.
func writeAPIError(w http.ResponseWriter, r *http.Request, rejection *journal.Rejection) {
	rejection.Record(journal.From(r.Context()))
	code, _ := strconv.Atoi(rejection.Code) // one of the codes below
	rid := randomHex(4) + "-" + randomHex(4) + "-" + randomHex(4)
	writeJSON(w, apiResult{code, rejection.Message + " rid: " + rid})
}

// The global return codes of the vendor's documentation that these calls use.
var (
	invalidToken     = newAPIError("40001", "invalid credential, access_token is invalid or not latest")
	invalidGrantType = newAPIError("40002", "invalid grant_type")
	invalidOpenID    = newAPIError("40003", "invalid openid")
	invalidAppID     = newAPIError("40013", "invalid appid")
	invalidCode      = newAPIError("40029", "invalid code")
	invalidRefresh   = newAPIError("40030", "invalid refresh_token")
	invalidType      = newAPIError("40097", "invalid args: type must be jsapi or wx_card")
	invalidSecret    = newAPIError("40125", "invalid appsecret")
	usedCode         = newAPIError("40163", "code been used")
	missingToken     = newAPIError("41001", "access_token missing")
	missingAppID     = newAPIError("41002", "appid missing")
	missingRefresh   = newAPIError("41003", "refresh_token missing")
	missingSecret    = newAPIError("41004", "appsecret missing")
	missingCode      = newAPIError("41008", "missing code")
	missingOpenID    = newAPIError("41009", "missing openid")
	quotaReached     = newAPIError("45009", "reach max api daily quota limit")
	expiredToken     = newAPIError("42001", "access_token expired")
	requirePost      = newAPIError("43002", "require POST method")
	badData          = newAPIError("47001", "data format error")
	noPermission     = newAPIError("48001", "api unauthorized")
)

// errcodeNotSimulated is the errcode of the answer to a call that is not simulated. The vendor has no such errcode. -1
// (system busy) is not used, because clients repeat a call after -1.
const errcodeNotSimulated = 501

// apiCall is one call of api.weixin.qq.com: its operation in faults and the journal, and its handler.
type apiCall struct {
	operation string
	answer    func(r *http.Request) (any, *journal.Rejection)
}

// apiHandler answers api.weixin.qq.com.
func apiHandler(l *login, t *appTokens, f faultInjector) *faults.Endpoint {
	calls := map[string]apiCall{
		"/sns/oauth2/access_token":         {opOAuthToken, l.exchangeCode},
		"/sns/oauth2/refresh_token":        {opOAuthToken, l.refreshToken},
		"/sns/auth":                        {opOAuthToken, l.checkToken},
		"/sns/userinfo":                    {opOAuthToken, l.userInfo},
		"/sns/jscode2session":              {opCodeToSession, l.codeToSession},
		"/wxa/business/getuserphonenumber": {opPhoneNumber, l.phoneNumber(t)},
		"/cgi-bin/token":                   {opToken, t.token},
		"/cgi-bin/stable_token":            {opToken, t.stableToken},
		"/cgi-bin/ticket/getticket":        {opTicket, t.getTicket},
	}
	endpoint := f.endpoint(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		result, rejection := calls[r.URL.Path].answer(r)
		if rejection != nil {
			writeAPIError(w, r, rejection)
			return
		}
		writeJSON(w, result)
	}))
	endpoint.Operation = func(r *http.Request, _ []byte) string { return calls[r.URL.Path].operation }
	// Only stubs need this: the calls above check their credentials themselves. A call below /sns/ has no access token
	// of the account.
	endpoint.Authenticate = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasPrefix(r.URL.Path, "/sns/") {
			return true
		}
		rejection := t.check(r.URL.Query().Get("access_token"))
		if rejection != nil {
			writeAPIError(w, r, rejection)
		}
		return rejection == nil
	}
	endpoint.BadBody = badData.Code
	endpoint.Error = func(w http.ResponseWriter, _ *http.Request, code, message string) {
		number, err := strconv.Atoi(code)
		switch {
		case code == faults.CodeNotSimulated:
			number = errcodeNotSimulated
		case err != nil:
			number = -1
		}
		writeJSON(w, apiResult{number, cmp.Or(message, apiTexts[code], "system error")})
	}
	return endpoint
}

// writeJSON sends an answer. The vendor declares its JSON as text.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(encode(v))
}

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

// The global return codes of the vendor's documentation that these calls use.
var (
	invalidToken     = journal.NewRejection("40001", "invalid credential, access_token is invalid or not latest")
	invalidGrantType = journal.NewRejection("40002", "invalid grant_type")
	invalidOpenID    = journal.NewRejection("40003", "invalid openid")
	invalidAppID     = journal.NewRejection("40013", "invalid appid")
	invalidCode      = journal.NewRejection("40029", "invalid code")
	invalidRefresh   = journal.NewRejection("40030", "invalid refresh_token")
	invalidType      = journal.NewRejection("40097", "invalid args: type must be jsapi or wx_card")
	invalidSecret    = journal.NewRejection("40125", "invalid appsecret")
	usedCode         = journal.NewRejection("40163", "code been used")
	missingToken     = journal.NewRejection("41001", "access_token missing")
	missingAppID     = journal.NewRejection("41002", "appid missing")
	missingRefresh   = journal.NewRejection("41003", "refresh_token missing")
	missingSecret    = journal.NewRejection("41004", "appsecret missing")
	missingCode      = journal.NewRejection("41008", "missing code")
	missingOpenID    = journal.NewRejection("41009", "missing openid")
	quotaReached     = journal.NewRejection("45009", "reach max api daily quota limit")
	expiredToken     = journal.NewRejection("42001", "access_token expired")
	requirePost      = journal.NewRejection("43002", "require POST method")
	badData          = journal.NewRejection("47001", "data format error")
	noPermission     = journal.NewRejection("48001", "api unauthorized")
)

// errcodeNotSimulated is not one of the vendor's codes. It differs from -1 (system busy), which clients retry.
const errcodeNotSimulated = 501

// failures are all of the above.
var failures = []*journal.Rejection{
	invalidToken, invalidGrantType, invalidOpenID, invalidAppID, invalidCode, invalidRefresh, invalidType,
	invalidSecret, usedCode, missingToken, missingAppID, missingRefresh, missingSecret, missingCode,
	missingOpenID, quotaReached, expiredToken, requirePost, badData, noPermission,
}

// failureText is the vendor's text for the code of a planned error that has no text.
func failureText(code int) string {
	for _, f := range failures {
		if f.Code == strconv.Itoa(code) {
			return f.Message
		}
	}
	return "system error"
}

// apiCall is one call of api.weixin.qq.com: its operation in faults and the journal, and its handler.
type apiCall struct {
	operation string
	answer    func(r *http.Request) (any, *journal.Rejection)
}

// apiHandler answers api.weixin.qq.com.
func apiHandler(l *login, t *appTokens, f faultInjector) http.Handler {
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
		result, failure := calls[r.URL.Path].answer(r)
		if failure != nil {
			failure.Record(journal.From(r.Context()))
			code, _ := strconv.Atoi(failure.Code) // one of the codes above
			result = apiResult{code, failure.Message + " rid: " + randomHex(4) + "-" + randomHex(4) + "-" + randomHex(4)}
		}
		writeJSON(w, result)
	}))
	endpoint.Operation = func(r *http.Request, _ []byte) string { return calls[r.URL.Path].operation }
	endpoint.Authenticate = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasPrefix(r.URL.Path, "/sns/") { // for people, who have codes and tokens of several kinds
			return true
		}
		failure := t.check(r.URL.Query().Get("access_token"))
		if failure != nil {
			failure.Record(journal.From(r.Context()))
			code, _ := strconv.Atoi(failure.Code)
			writeJSON(w, apiResult{code, failure.Message})
		}
		return failure == nil
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
		writeJSON(w, apiResult{number, cmp.Or(message, failureText(number))})
	}
	return endpoint
}

// writeJSON sends an answer. The vendor declares its JSON as text.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(encode(v))
}

package wechat

import (
	"cmp"
	"net/http"
	"strconv"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// apiFailure is a refusal of api.weixin.qq.com. Its HTTP status is 200, as that of a success.
type apiFailure struct {
	Code    int    `json:"errcode"`
	Message string `json:"errmsg"`
}

// The global return codes of the vendor's documentation that these calls use.
var (
	invalidToken     = &apiFailure{40001, "invalid credential, access_token is invalid or not latest"}
	invalidGrantType = &apiFailure{40002, "invalid grant_type"}
	invalidOpenID    = &apiFailure{40003, "invalid openid"}
	invalidAppID     = &apiFailure{40013, "invalid appid"}
	invalidCode      = &apiFailure{40029, "invalid code"}
	invalidRefresh   = &apiFailure{40030, "invalid refresh_token"}
	invalidType      = &apiFailure{40097, "invalid args: type must be jsapi or wx_card"}
	invalidSecret    = &apiFailure{40125, "invalid appsecret"}
	usedCode         = &apiFailure{40163, "code been used"}
	missingToken     = &apiFailure{41001, "access_token missing"}
	missingAppID     = &apiFailure{41002, "appid missing"}
	missingRefresh   = &apiFailure{41003, "refresh_token missing"}
	missingSecret    = &apiFailure{41004, "appsecret missing"}
	missingCode      = &apiFailure{41008, "missing code"}
	missingOpenID    = &apiFailure{41009, "missing openid"}
	quotaReached     = &apiFailure{45009, "reach max api daily quota limit"}
	expiredToken     = &apiFailure{42001, "access_token expired"}
	requirePost      = &apiFailure{43002, "require POST method"}
	badData          = &apiFailure{47001, "data format error"}
	noPermission     = &apiFailure{48001, "api unauthorized"}
)

// errcodeNotSimulated is not a code of the vendor. It is not -1 either, which clients take for busy and repeat.
const errcodeNotSimulated = 501

// failures are all of the above.
var failures = []*apiFailure{
	invalidToken, invalidGrantType, invalidOpenID, invalidAppID, invalidCode, invalidRefresh, invalidType,
	invalidSecret, usedCode, missingToken, missingAppID, missingRefresh, missingSecret, missingCode,
	missingOpenID, quotaReached, expiredToken, requirePost, badData, noPermission,
}

// failureText is the vendor's text for a code that a planned error names without one.
func failureText(code int) string {
	for _, f := range failures {
		if f.Code == code {
			return f.Message
		}
	}
	return "system error"
}

// apiCall is one call of api.weixin.qq.com: its operation in faults and the journal, and what answers it.
type apiCall struct {
	operation string
	answer    func(r *http.Request) (any, *apiFailure)
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
			journal.From(r.Context()).Reject(strconv.Itoa(failure.Code) + ": " + failure.Message)
			result = apiFailure{failure.Code, failure.Message + " rid: " + randomHex(4) + "-" + randomHex(4) + "-" +
				randomHex(4)}
		}
		writeJSON(w, result)
	}))
	endpoint.Operation = func(r *http.Request, _ []byte) string { return calls[r.URL.Path].operation }
	endpoint.BadBody = strconv.Itoa(badData.Code)
	endpoint.Error = func(w http.ResponseWriter, _ *http.Request, code, message string) {
		number, err := strconv.Atoi(code)
		switch {
		case code == faults.CodeNotSimulated:
			number = errcodeNotSimulated
		case err != nil:
			number = -1
		}
		writeJSON(w, apiFailure{number, cmp.Or(message, failureText(number))})
	}
	return endpoint
}

// writeJSON sends an answer. The vendor declares its JSON as text.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(encode(v))
}

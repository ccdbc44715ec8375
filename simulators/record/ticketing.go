package record

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
)

// gatewayReads are the methods that change nothing.
var gatewayReads = []string{
	"city.list", "film.hot", "drama.list", "film.detail", "cinema.list", "cinema.detail", "opi.list.v2", "opi.seat",
	"order.query", "order.list",
}

// gateway is the legacy ticketing gateway: every call is a signed form to one path.
var gateway = &provider{
	name: "gateway", mount: "/gateway",
	operation: func(q *Request) (string, bool) {
		method := q.formValue("method")
		return method, !slices.Contains(gatewayReads, method)
	},
	code: func(_ int, answer any) string {
		if field(answer, "success") == true {
			return "success"
		}
		return scalarText(field(answer, "error", "code"))
	},
	rejectsCaller: oneOf("1002", "1003", "1004"),
	secrets:       []string{"ticketcodelist", "ticketcodes", "smscontent"},
	fromAnswers: map[string]string{
		"cityid": "city", "movieid": "film", "moviecode": "filmcode", "projectid": "drama", "cinemaid": "cinema",
		"opiid":  "show",
		"seatid": "seat", "seatids": "seat", "orderid": "order", "amount": "amount", "dates": "date", "date": "date",
	},
	callerNumbers: map[string]string{"orderno": "orderno"},
	entityKinds:   []string{"seat", "show", "cinema", "film", "drama", "city"},
	stateKeys: func(e map[string]any) []string {
		status := scalarText(e["status"])
		return []string{status + "/" + scalarText(e["flag"]) + "/" + scalarText(e["showst"]) + "/" +
			hallKind(e["roomname"]), status}
	},
	prepare: func(q *Request, keys dataset.Credentials, now time.Time) error {
		if q.Body.Kind != bodyForm {
			return nil
		}
		form := q.Body.Form
		form["appkey"] = []string{keys.Gateway.AppKey}
		form["timestamp"] = []string{now.In(dataset.Zone).Format(time.DateTime)}
		sign, err := legacygateway.Sign(form, keys.Gateway.Secret,
			legacygateway.Dialect{Method: q.formValue("sign_method")})
		form["sign"] = []string{sign}
		return err
	},
	account: func(k dataset.Credentials) map[string]string {
		return map[string]string{"gateway.appkey": k.Gateway.AppKey, "gateway.secret": k.Gateway.Secret}
	},
}

// newmovieToken is the operation that returns the bearer token.
const newmovieToken = "oauth/token"

// newmovie is the newmovie provider: REST with a bearer token, which replay.login fetches.
var newmovie = &provider{
	name: "newmovie", mount: "/newmovie",
	operation: func(q *Request) (string, bool) {
		_, operation, known := strings.Cut(q.Path, "/api/")
		return operation, !known || q.Method != http.MethodGet && operation != newmovieToken
	},
	code:          func(_ int, answer any) string { return scalarText(field(answer, "code")) },
	rejectsCaller: oneOf("401001", "401002", "401003", "401004"),
	secrets:       []string{"ticketcode", "smscontent", "url"},
	fromAnswers: map[string]string{
		"cityid": "city", "movieid": "film", "moviecode": "filmcode", "cinemaid": "cinema",
		"cinemacode": "cinemacode", "sessionid": "session",
		"originseatid": "seat", "orderno": "order", "amount": "amount", "areaid": "area",
	},
	callerNumbers: map[string]string{"outorderno": "orderno"},
	entityKinds:   []string{"seat", "session", "cinema", "film", "city"},
	stateKeys: func(e map[string]any) []string {
		if _, seat := e["originSeatID"]; !seat {
			sellable := scalarText(e["sellable"])
			return []string{sellable + "/" + scalarText(e["showSt"]) + "/" + hallKind(e["hall"]), sellable}
		}
		free := scalarText(slices.Contains([]string{"-1", "1", "10", "11"}, scalarText(e["state"])))
		return []string{free + "/" + scalarText(e["type"]), free}
	},
	prepare: func(q *Request, keys dataset.Credentials, _ time.Time) error {
		q.set("entId", keys.NewMovie.EntID)
		q.set("appSecret", keys.NewMovie.AppSecret)
		return nil
	},
	account: func(k dataset.Credentials) map[string]string {
		return map[string]string{"newmovie.entId": k.NewMovie.EntID, "newmovie.appSecret": k.NewMovie.AppSecret}
	},
}

// hallKind is a hall's name without its number: halls of the same kind sell the same seats.
func hallKind(name any) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, scalarText(name))
}

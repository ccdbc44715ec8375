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

var gateway = &provider{
	name: "gateway",
	operation: func(q *Request) (string, bool) {
		method := q.formValue("method")
		return method, !slices.Contains([]string{
			"city.list", "film.hot", "drama.list", "film.detail", "cinema.list", "cinema.detail", "opi.list.v2", "opi.seat", "order.query",
		}, method)
	},
	code: func(_ int, answer any) string {
		if at(answer, "success") == true {
			return "success"
		}
		return text(at(answer, "error", "code"))
	},
	refusedCaller: oneOf("1002", "1003", "1004"),
	secrets:       []string{"ticketcodelist", "ticketcodes", "smscontent"},
	carried: map[string]string{
		"cityid": "city", "movieid": "film", "moviecode": "filmcode", "projectid": "drama", "cinemaid": "cinema", "opiid": "show",
		"seatid": "seat", "seatids": "seat", "orderid": "order", "amount": "amount", "dates": "date", "date": "date",
	},
	fresh:   map[string]string{"orderno": "orderno"},
	primary: []string{"seat", "show", "cinema", "film", "drama", "city"},
	traits: func(e map[string]any) []string {
		return []string{text(e["status"]) + "/" + text(e["flag"]) + "/" + text(e["showst"]) + "/" + hallKind(e["roomname"]), text(e["status"])}
	},
	mount: "/gateway",
	prepare: func(q *Request, keys dataset.Credentials, now time.Time) error {
		if q.Body.Kind != bodyForm {
			return nil
		}
		form := q.Body.Form
		form["appkey"] = []string{keys.Gateway.AppKey}
		form["timestamp"] = []string{now.In(dataset.Zone).Format(time.DateTime)}
		sign, err := legacygateway.Sign(form, keys.Gateway.Secret, legacygateway.Dialect{Method: q.formValue("sign_method")})
		form["sign"] = []string{sign}
		return err
	},
	authorize: func(*http.Request, []byte, dataset.Credentials, time.Time) error { return nil },
}

const newmovieToken = "oauth/token"

var newmovie = &provider{
	name: "newmovie",
	operation: func(q *Request) (string, bool) {
		_, operation, known := strings.Cut(q.Path, "/api/")
		return operation, !known || q.Method != http.MethodGet && operation != newmovieToken
	},
	code:          func(_ int, answer any) string { return text(at(answer, "code")) },
	refusedCaller: oneOf("401001", "401002", "401003", "401004"),
	secrets:       []string{"ticketcode", "smscontent", "url"},
	carried: map[string]string{
		"cityid": "city", "movieid": "film", "moviecode": "filmcode", "cinemaid": "cinema", "cinemacode": "cinemacode", "sessionid": "session",
		"originseatid": "seat", "orderno": "order", "amount": "amount", "areaid": "area",
	},
	fresh:   map[string]string{"outorderno": "orderno"},
	primary: []string{"seat", "session", "cinema", "film", "city"},
	traits: func(e map[string]any) []string {
		if _, seat := e["originSeatID"]; !seat {
			return []string{text(e["sellable"]) + "/" + text(e["showSt"]) + "/" + hallKind(e["hall"]), text(e["sellable"])}
		}
		free := text(slices.Contains([]string{"-1", "1", "10", "11"}, text(e["state"])))
		return []string{free + "/" + text(e["type"]), free}
	},
	mount: "/newmovie",
	prepare: func(q *Request, keys dataset.Credentials, _ time.Time) error {
		q.set("entId", keys.NewMovie.EntID)
		q.set("appSecret", keys.NewMovie.AppSecret)
		return nil
	},
	authorize: func(*http.Request, []byte, dataset.Credentials, time.Time) error { return nil }, // a replay has the token; see bearer
}

// hallKind is a hall's name without its number: in a hall of the same kind the same seats can be bought.
func hallKind(name any) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text(name))
}

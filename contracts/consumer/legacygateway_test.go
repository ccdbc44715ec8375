//go:build pact

package consumer_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/transport"
	"marquee/server/reconcile"
)

const gatewayName = "legacygateway"

// gateway returns the shop's client of the gateway, for a mock server at the address base.
func gateway(t *testing.T, base string) *legacygateway.Client {
	t.Helper()
	c, err := legacygateway.New(
		legacygateway.Config{
			BaseURL:    base + "/gateway",
			AppKey:     "10000001",
			Secret:     "secret",
			Operations: transport.Operations{Limit: time.Minute},
		},
	)
	require.NoError(t, err)
	return c
}

// Patterns of the times, days and decimal numbers in the providers' answers.
const (
	wallClock = `\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}`
	day       = `\d{4}-\d{2}-\d{2}`
	decimal   = `-?\d+\.\d+`
)

// signed is a gateway call. Only the format of timestamp and signature is matched, because verification stamps and
// signs each request again, with credentials that the provider knows.
func signed(method string, business fields) fields {
	f := fields{
		"method": method, "v": "2.0", "appkey": text("10000001", `.+`),
		"timestamp": text("2026-11-20 10:00:00", wallClock),
		"sign":      text("0123456789ABCDEF0123456789ABCDEF", `[0-9A-F]{32}`),
	}
	maps.Copy(f, business)
	return f
}

// asks is an exchange with the gateway.
func asks(state, what, method string, business fields, answer fields) exchange {
	return exchange{state: state, what: what, path: "/gateway", form: signed(method, business), answer: answer}
}

func accepts(data any) fields { return fields{"success": true, "error": nil, "data": data} }

func rejects(code string) fields {
	return fields{"success": false, "error": fields{"code": code, "msg": like("不行")}, "data": nil}
}

func gatewayFilm() fields {
	return fields{
		"movieid": like("m1"), "moviecode": like("c1"), "moviename": like("长夜"), "poster": like("/p.svg"),
		"score":    like("9.1"),
		"director": like("导演"), "star": like("甲 乙"), "category": like("剧情|爱情"), "version": like("IMAX 3D"),
		"duration": matchers.Integer(121),
		"wish":     matchers.Integer(7), "showst": matchers.Integer(1), "publishdate": text("2026-11-20", day),
	}
}

func gatewayCinema() fields {
	return fields{
		"cinemaid": like("1"), "cinemaname": like("星光"), "address": like("路1号"), "phone": like("021"),
		"cityid":   like("310100"),
		"regionid": like("r1"), "regionname": like("黄浦区"), "lat": text("31.23", decimal),
		"lng": text("121.47", decimal), "minprice": matchers.Integer(2990),
	}
}

func gatewayShowing() fields {
	return fields{
		"opiid": like("o1"), "cinemaid": like("1"), "cinemaname": like("星光"), "movieid": like("m1"),
		"moviecode": like("c1"), "moviename": like("长夜"),
		"poster": like("/p.svg"), "playdate": text("2026-11-20", day),
		"playtime": text("2026-11-20 19:30:00", wallClock),
		"endtime":  text("2026-11-20 21:31:00", wallClock), "closetime": text("2026-11-20 19:20:00", wallClock),
		"edition": like("3D"), "language": like("国语"),
		"roomid": like("h1"), "roomname": like("1号厅"), "showPrice": matchers.Integer(5200),
		"price":     matchers.Integer(4000),
		"areaPrice": text("A:4200,B:5200", `([^:,]+:\d+(,[^:,]+:\d+)*)?`),
	}
}

func gatewaySeat(id string, column int) fields {
	return fields{
		"seatid": like(id), "name": like("5排6座"), "row": matchers.Integer(5), "column": matchers.Integer(column),
		"rowname": like("5"),
		"area":    like(""), "status": matchers.Integer(1), "flag": matchers.Integer(0),
	}
}

func TestLegacyGateway_Catalogue(t *testing.T) {
	with(t, gatewayName, func(base string) {
		cities, err := gateway(t, base).Cities(t.Context())
		require.NoError(t, err)
		assert.Equal(
			t,
			[]catalog.City{{ID: "310100", LegacyID: "310100", Name: "上海市", Pinyin: "shanghai", Hot: true}},
			cities,
		)
	}, asks("the catalogue", "cities", "city.list", nil, accepts(fields{"cityList": some(fields{
		"cityid": text("310100", `\d{6}`), "cityname": like("上海市"), "pinyin": text("shanghai", `[a-z]+`),
		"hot": matchers.Integer(1),
	})})))

	with(t, gatewayName, func(base string) {
		films, err := gateway(t, base).Films(t.Context(), "310100")
		require.NoError(t, err)
		require.Len(t, films, 1)
		assert.Equal(t, "长夜", films[0].Name)
	}, asks(
		"the catalogue",
		"films of a city",
		"film.hot",
		fields{
			"cityid":   fromState("cityid", "310100"),
			"pageNo":   "1",
			"pageSize": "100",
		},
		accepts(fields{"total": matchers.Integer(1), "filmList": some(gatewayFilm())}),
	))

	with(t, gatewayName, func(base string) {
		film, err := gateway(t, base).Film(t.Context(), "m1")
		require.NoError(t, err)
		assert.Equal(t, []catalog.CastMember{{AvatarURL: "/a.svg", Name: "甲", Character: "船长"}}, film.Cast)
		assert.Equal(t, "2026-11-20", film.Released)
	}, asks("the catalogue", "a film", "film.detail", fields{"movieid": fromState("movieid", "m1")}, accepts(
		fields{"film": fields{
			"movieid": fromState("movieid", "m1"), "moviecode": like("c1"), "img": like("/p.svg"), "name": like("长夜"),
			"nm": like("Long Night"), "director": like("导演"),
			"star": like("甲 乙"), "cat": like("剧情|爱情"), "pubDesc": text("2026-11-20 中国大陆上映", "^"+day),
			"dur": matchers.Integer(121), "desc": like("故事"), "score": like("9.1"),
			"wish": matchers.Integer(7), "version": like("IMAX 3D"), "showst": matchers.Integer(1),
			"workerList": some(fields{"avatarUrl": like("/a.svg"), "actorName": like("甲"),
				"characterName": like("船长")}),
		}})))

	with(t, gatewayName, func(base string) {
		list, err := gateway(t, base).Cinemas(t.Context(), "310100", "")
		require.NoError(t, err)
		assert.Len(t, list.Cinemas, 1)
		assert.Equal(t, []catalog.Region{{ID: "r1", Name: "黄浦区", Cinemas: 3}}, list.Regions)
	}, asks("the catalogue", "cinemas of a city", "cinema.list", fields{"cityid": fromState("cityid",
		"310100")}, accepts(fields{
		"total":      matchers.Integer(1),
		"regionList": some(fields{"id": like("r1"), "name": like("黄浦区"), "num": matchers.Integer(3)}),
		"cinemaList": some(gatewayCinema()),
	})))

	cinema := gatewayCinema()
	cinema["cinemaid"] = fromState("cinemaid", "1")
	with(t, gatewayName, func(base string) {
		cinema, films, err := gateway(t, base).Cinema(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, "星光", cinema.Name)
		assert.Len(t, films, 1)
	}, asks("the catalogue", "a cinema", "cinema.detail", fields{"cinemaid": fromState("cinemaid", "1")}, accepts(
		fields{
			"cinema": cinema, "filmList": some(gatewayFilm()),
		})))

	showing := gatewayShowing()
	showing["cinemaid"], showing["movieid"] = fromState("cinemaid", "1"), fromState("movieid", "m1")
	with(t, gatewayName, func(base string) {
		list, err := gateway(t, base).Showings(t.Context(), "1", "m1", "")
		require.NoError(t, err)
		assert.Equal(t, []string{"2026-11-20"}, list.Dates)
		assert.Len(t, list.Shows, 1)
	}, asks("the catalogue", "showings", "opi.list.v2", fields{"cinemaid": fromState("cinemaid", "1"),
		"movieid": fromState("movieid", "m1")}, accepts(fields{
		"dates": some(text("2026-11-20", day)), "opiList": some(showing),
	})))

	with(t, gatewayName, func(base string) {
		dramas, total, err := gateway(t, base).Dramas(t.Context(), "", 1, 25)
		require.NoError(t, err)
		assert.Equal(t, 1, total)
		assert.Len(t, dramas, 1)
	}, asks("the catalogue", "dramas", "drama.list", fields{"pageNo": "1",
		"pageSize": "25"}, accepts(fields{"total": matchers.Integer(1), "projectList": some(fields{
		"projectid": like("d1"), "name": like("茶馆"), "poster": like("/d.svg"), "venue": like("大剧院"),
		"city": like("上海市"), "showtime": like("2026.12.01"), "minprice": matchers.Integer(18000),
	})})))

	opi := gatewayShowing()
	opi["opiid"] = fromState("opiid", "o1")
	with(t, gatewayName, func(base string) {
		seats, err := gateway(t, base).SeatMap(t.Context(), "o1")
		require.NoError(t, err)
		assert.Len(t, seats.Seats, 1)
		assert.Len(t, seats.Areas, 2)
	}, asks("the catalogue", "a seat map", "opi.seat", fields{"opiid": fromState("opiid", "o1")}, accepts(fields{
		"opi": opi, "seatList": some(gatewaySeat("s1", 6)),
	})))
}

func TestLegacyGateway_UnknownThings(t *testing.T) {
	for _, tt := range []struct {
		what, method, code string
		form               fields
		want               *fault.Fault
		do                 func(context.Context, *legacygateway.Client) error
	}{
		{"cinemas of an unknown city", "cinema.list", "2001", fields{"cityid": "000000"}, catalog.ErrCityNotFound,
			func(ctx context.Context, c *legacygateway.Client) error {
				_, err := c.Cinemas(ctx, "000000", "")
				return err
			}},
		{"an unknown film", "film.detail", "2002", fields{"movieid": "none"}, catalog.ErrFilmNotFound,
			func(ctx context.Context, c *legacygateway.Client) error { _, err := c.Film(ctx, "none"); return err }},
		{"an unknown cinema", "cinema.detail", "2003", fields{"cinemaid": "none"}, catalog.ErrCinemaNotFound,
			func(ctx context.Context, c *legacygateway.Client) error {
				_, _, err := c.Cinema(ctx, "none")
				return err
			}},
		{"an unknown seat map", "opi.seat", "2004", fields{"opiid": "none"}, catalog.ErrShowNotFound,
			func(ctx context.Context, c *legacygateway.Client) error { _, err := c.SeatMap(ctx, "none"); return err }},
		{"an unknown order", "order.query", "4001", fields{"orderno": "none"}, order.ErrProviderOrderNotFound,
			func(ctx context.Context, c *legacygateway.Client) error { _, err := c.Query(ctx, "none"); return err }},
	} {
		with(t, gatewayName, func(base string) {
			assert.ErrorIs(t, tt.do(t.Context(), gateway(t, base)), tt.want)
		}, asks("no such thing", tt.what, tt.method, tt.form, rejects(tt.code)))
	}
}

// lockForm is a lock of the seats that the state has chosen.
func lockForm() fields {
	return fields{
		"orderno": fromState("orderno", "n1"), "opiid": fromState("opiid", "o1"),
		"seatids": fromState("seatids", "s1|s2"), "mobile": text("13900000001", `1\d{10}`),
	}
}

func gatewayLock(ctx context.Context, c *legacygateway.Client) (order.Lock, error) {
	return c.Lock(ctx, order.LockRequest{
		OrderNo: "n1", Show: catalog.Show{ID: "o1"}, Seats: []catalog.Seat{{ID: "s1"}, {ID: "s2"}},
		Mobile: "13900000001",
	})
}

func TestLegacyGateway_Lock(t *testing.T) {
	with(t, gatewayName, func(base string) {
		lock, err := gatewayLock(t.Context(), gateway(t, base))
		require.NoError(t, err)
		assert.Equal(t, order.Lock{ProviderNo: "G1", ExpiresAt: time.Unix(1795141800, 0).UTC(), Total: 8000}, lock)
	}, asks("two free seats", "a lock", "seat.lock", lockForm(), accepts(fields{
		"orderno": fromState("orderno", "n1"), "orderid": like("G1"), "state": "LOCKED",
		"amount": matchers.Integer(8000), "expiretime": matchers.Integer(1795141800),
	})))
	for _, tt := range []struct {
		state, what, code string
		want              *fault.Fault
	}{
		{"a seat is taken", "a lock of a taken seat", "3001", order.ErrSeatTaken},
		{"a seat that the hall does not have", "a lock of no seat", "3002", order.ErrSeatNotInMap},
		{"half a couples seat", "a lock of half a couples seat", "3003", order.ErrSplitCouple},
		{"five free seats", "a lock of five seats", "3004", order.ErrTooManySeats},
		{"a showing that is closed", "a lock for a closed showing", "3005", order.ErrSaleStopped},
		{"an order with other seats", "a lock under a used number", "4004", order.ErrOrderState},
	} {
		with(t, gatewayName, func(base string) {
			_, err := gatewayLock(t.Context(), gateway(t, base))
			assert.ErrorIs(t, err, tt.want)
		}, asks(tt.state, tt.what, "seat.lock", lockForm(), rejects(tt.code)))
	}
}

func TestLegacyGateway_Unlock(t *testing.T) {
	no := fields{"orderno": fromState("orderno", "n1")}
	unlocked := accepts(fields{"orderno": fromState("orderno", "n1"), "state": "UNLOCKED"})
	for _, state := range []string{"locked seats", "unlocked seats"} {
		with(t, gatewayName, func(base string) {
			assert.NoError(t, gateway(t, base).Unlock(t.Context(), "n1"))
		}, asks(state, "an unlock of "+state, "seat.unlock", no, unlocked))
	}
	with(t, gatewayName, func(base string) {
		assert.ErrorIs(t, gateway(t, base).Unlock(t.Context(), "n1"), order.ErrOrderState)
	}, asks("a confirmed order", "an unlock of sold seats", "seat.unlock", no, rejects("4003")))
	with(t, gatewayName, func(base string) {
		assert.NoError(t, gateway(t, base).Unlock(t.Context(), "none"))
	}, asks("no such thing", "an unlock of an unknown order", "seat.unlock", fields{"orderno": "none"}, rejects(
		"4001")))
}

func TestLegacyGateway_Issue(t *testing.T) {
	confirm := fields{
		"orderno": fromState("orderno", "n1"),
		"amount":  fromState("amount", "8000"),
		"mobile":  text("13900000001", `1\d{10}`),
	}
	request := order.IssueRequest{OrderNo: "n1", Amount: 8000, Mobile: "13900000001"}
	created := asks("locked seats", "a sale of locked seats", "order.create", confirm, accepts(fields{
		"orderno": fromState("orderno", "n1"), "orderid": like("G1"), "state": "CREATED",
	}))
	issuing := asks(
		"a confirmed order",
		"a request for tickets",
		"ticket.issue",
		fields{"orderno": fromState("orderno", "n1")},
		accepts(fields{
			"orderno": fromState("orderno", "n1"), "orderid": like("G1"), "state": "ISSUING",
		}),
	)
	with(
		t,
		gatewayName,
		func(base string) { assert.NoError(t, gateway(t, base).Issue(t.Context(), request)) },
		created,
		issuing,
	)

	with(t, gatewayName, func(base string) {
		assert.ErrorIs(t, gateway(t, base).Issue(t.Context(), request), order.ErrAmountMismatch)
	}, asks("locked seats and another amount", "a sale for another amount", "order.create", confirm, rejects("4002")))
	with(
		t,
		gatewayName,
		func(base string) {
			assert.ErrorIs(t, gateway(t, base).Issue(t.Context(), request), order.ErrIssueRejected)
		},
		asks("unlocked seats", "a sale of unlocked seats", "order.create", confirm, rejects("4003")),
		asks(
			"unlocked seats",
			"a query of unlocked seats",
			"order.query",
			fields{"orderno": fromState("orderno", "n1")},
			accepts(gatewayOrder("UNLOCKED")),
		),
	)
}

func gatewayOrder(state string) fields {
	return fields{
		"orderno": fromState("orderno", "n1"), "orderid": like("G1"), "state": state, "opiid": like("o1"),
		"seatids": like("s1|s2"), "amount": matchers.Integer(8000),
		"expiretime": matchers.Integer(1795141800), "ticketcodeList": []any{}, "smscontent": like(""),
		"failreason": like(""),
	}
}

func TestLegacyGateway_Query(t *testing.T) {
	no := fields{"orderno": fromState("orderno", "n1")}
	for _, tt := range []struct {
		state, wire string
		want        order.ProviderState
	}{
		{"locked seats", "LOCKED", order.ProviderLocked}, {"a confirmed order", "CREATED", order.ProviderLocked},
		{"tickets on their way", "ISSUING", order.ProviderIssuing},
	} {
		with(t, gatewayName, func(base string) {
			o, err := gateway(t, base).Query(t.Context(), "n1")
			require.NoError(t, err)
			assert.Equal(t, tt.want, o.State)
		}, asks(tt.state, "a query of "+tt.state, "order.query", no, accepts(gatewayOrder(tt.wire))))
	}
	issued := gatewayOrder("ISSUED")
	issued["ticketcodeList"] = some(fields{"name": like("取票码"), "code": like("123456")})
	issued["smscontent"] = text("您的取票码是123456", ".+")
	with(t, gatewayName, func(base string) {
		o, err := gateway(t, base).Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, []order.TicketCode{{Name: "取票码", Code: "123456"}}, o.Tickets)
	}, asks("issued tickets", "a query of issued tickets", "order.query", no, accepts(issued)))
	failed := gatewayOrder("FAILED")
	failed["failreason"] = text("影院停业", ".+")
	with(t, gatewayName, func(base string) {
		o, err := gateway(t, base).Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, order.ProviderIssueRejected, o.State)
		assert.Equal(t, "影院停业", o.Reason)
	}, asks("rejected tickets", "a query of rejected tickets", "order.query", no, accepts(failed)))
}

func TestLegacyGateway_OrderList(t *testing.T) {
	ask := fields{"date": fromState("date", "2026-11-20"), "page": "1", "pagesize": "200"}
	with(t, gatewayName, func(base string) {
		assert.Equal(t, []reconcile.Row{{
			Kind: reconcile.TicketRow, Number: "n1", Ref: "G1", State: reconcile.RowHeld, Amount: 8000,
		}}, rowsOf(t, gateway(t, base).OrderList))
	}, asks("locked seats", "the orders of a day", "order.list", ask, accepts(fields{
		"total": matchers.Integer(1), "list": some(fields{
			"orderno": like("n1"), "orderid": like("G1"), "amount": matchers.Integer(8000),
			"state": text("LOCKED", "LOCKED|UNLOCKED|EXPIRED|CREATED|ISSUING|ISSUED|FAILED"),
		}),
	})))
}

// The provider rejects every call of a misconfigured shop. The client returns ErrUnavailable, and the text of the error
// contains the provider's code.
func TestLegacyGateway_Signature(t *testing.T) {
	for state, code := range map[string]string{
		"an unknown appkey": "1002", "a wrong signature": "1003", "a stale timestamp": "1004",
	} {
		with(t, gatewayName, func(base string) {
			_, err := gateway(t, base).Cities(t.Context())
			assert.ErrorIs(t, err, fault.ErrUnavailable)
			assert.ErrorContains(t, err, code)
		}, asks(state, "a call with "+state, "city.list", nil, rejects(code)))
	}
}

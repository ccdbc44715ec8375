//go:build pact

package consumer_test

import (
	"context"
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/transport"
	"marquee/server/reconcile"
)

const (
	newMovieName = "newmovie"
	yuan         = `\d+\.\d{2}`
	phone        = `1\d{10}`
)

func newMovie(t *testing.T, base string) *newmovie.Client {
	t.Helper()
	c, err := newmovie.New(newmovie.Config{
		BaseURL: base + "/newmovie", EntID: "ent0000001", AppSecret: "secret",
		Operations: transport.Operations{Limit: time.Minute},
		Poll:       time.Millisecond,
	})
	require.NoError(t, err)
	return c
}

// bearer matches only the format of the token, because verification sets one that the provider has issued.
func bearer() map[string]matchers.Matcher {
	return map[string]matchers.Matcher{"Authorization": text("Bearer token", `Bearer .+`)}
}

func succeeds(data any) fields { return fields{"code": 0, "msg": like("ok"), "data": data} }

func denies(code int) fields { return fields{"code": code, "msg": like("不行"), "data": nil} }

// token is the exchange that precedes all others.
func token() exchange {
	return exchange{
		state: "known credentials", what: "a token", path: "/newmovie/api/oauth/token",
		json: fields{"entId": like("ent0000001"), "appSecret": like("secret")},
		answer: succeeds(
			fields{"token_type": like("Bearer"), "access_token": like("token"), "expires_in": matchers.Integer(7200)},
		),
	}
}

func gets(state, what, path string, query map[string]matchers.Matcher, answer fields) exchange {
	return exchange{
		state:   state,
		what:    what,
		method:  "GET",
		path:    "/newmovie" + path,
		query:   query,
		headers: bearer(),
		answer:  answer,
	}
}

func posts(state, what, path string, body, answer fields) exchange {
	return exchange{state: state, what: what, path: "/newmovie" + path, json: body, headers: bearer(), answer: answer}
}

type query = map[string]matchers.Matcher

func newFilm(showSt int) fields {
	return fields{
		"movieId": like("m1"), "movieCode": like("c1"), "name": like("长夜"), "posterUrl": like("/p.svg"),
		"score": like("9.1"), "star": like("甲 乙"),
		"director": like("导演"), "category": like("剧情|爱情"), "version": like("IMAX 3D"), "wish": matchers.Integer(7),
		"isPreShow": matchers.Integer(0),
		"showSt":    matchers.Integer(showSt), "duration": matchers.Integer(121), "openDay": text("2026-11-20", day),
	}
}

func newCinema() fields {
	return fields{
		"cinemaId": like("1"), "cinemaCode": like("cc1"), "sourceId": like("7"), "name": like("星光"),
		"address": like("路1号"), "phone": like("021"),
		"cityId": like("2001"), "regionId": like("r1"), "regionName": like("黄浦区"), "latitude": text("31.23", decimal),
		"longitude": text("121.47", decimal),
		"minPrice":  text("29.90", yuan),
	}
}

func newSession() fields {
	return fields{
		"sessionId": like("o1"), "showTime": text("2026-11-20 19:30:00", wallClock),
		"endTime": text("2026-11-20 21:31:00", wallClock), "version": like("3D"),
		"language": like("国语"), "hall": like("1号厅"), "originPrice": text("40.00", yuan),
		"listPrice": text("52.00", yuan), "sellable": like(true),
	}
}

func fullSession() fields {
	s := newSession()
	for k, v := range (fields{
		"cinemaId": like("1"), "cinemaCode": like("cc1"), "cinemaName": like("星光"), "movieId": like("m1"),
		"movieCode": like("c1"), "movieName": like("长夜"),
		"posterUrl": like("/p.svg"), "stopSellTime": text("2026-11-20 19:20:00", wallClock),
		"sessionId": fromState("sessionId", "o1"),
	}) {
		s[k] = v
	}
	return s
}

func TestNewMovie_Catalogue(t *testing.T) {
	city := query{"cityId": fromState("cityId", "2001")}
	with(t, newMovieName, func(base string) {
		cities, err := newMovie(t, base).Cities(t.Context())
		require.NoError(t, err)
		assert.Equal(
			t,
			[]catalog.City{{ID: "310100", NewMovieID: "2001", Name: "上海市", Pinyin: "shanghai", Hot: true}},
			cities,
		)
	}, token(), gets("the catalogue", "cities", "/api/movie/cities", nil, succeeds(some(fields{
		"cityId": like("2001"), "cityName": like("上海市"), "pinyin": text("shanghai", `[a-z]+`),
		"adcode": text("310100", `\d{6}`), "hot": matchers.Integer(1),
	}))))

	paged := query{
		"cityId":   fromState("cityId", "2001"),
		"pageSize": matchers.String("100"),
		"pageNum":  matchers.String("1"),
	}
	with(t, newMovieName, func(base string) {
		films, err := newMovie(t, base).Films(t.Context(), "2001")
		require.NoError(t, err)
		assert.Len(t, films, 1)
	}, token(), gets("the catalogue", "films of a city", "/api/movie/movies", paged, succeeds(
		fields{"total": matchers.Integer(1), "list": some(newFilm(1))})))

	with(t, newMovieName, func(base string) {
		films, err := newMovie(t, base).ComingFilms(t.Context(), "2001")
		require.NoError(t, err)
		assert.Equal(t, catalog.Coming, films[0].State)
	}, token(), gets("the catalogue", "coming films", "/api/movie/coming_movies", city, succeeds(
		fields{"total": matchers.Integer(1), "list": some(newFilm(3))})))

	with(t, newMovieName, func(base string) {
		film, err := newMovie(t, base).Film(t.Context(), "m1")
		require.NoError(t, err)
		assert.Len(t, film.Cast, 1)
	}, token(), gets("the catalogue", "a film", "/api/movie/movie_detail", query{"movieId": fromState("movieId",
		"m1")}, succeeds(fields{
		"movieId": fromState("movieId", "m1"), "movieCode": like("c1"), "img": like("/p.svg"), "name": like("长夜"),
		"nm": like("Long Night"), "director": like("导演"),
		"star": like("甲 乙"), "cat": like("剧情|爱情"), "pubDesc": text("2026-11-20 中国大陆上映", "^"+day),
		"dur": matchers.Integer(121), "desc": like("故事"), "score": like("9.1"),
		"wish": matchers.Integer(7), "version": like("IMAX 3D"), "showSt": matchers.Integer(1),
		"isPreShow":  matchers.Integer(0),
		"workerList": some(fields{"avatarUrl": like("/a.svg"), "actorName": like("甲"), "characterName": like("船长")}),
	})))

	with(t, newMovieName, func(base string) {
		list, err := newMovie(t, base).Cinemas(t.Context(), "2001", "")
		require.NoError(t, err)
		assert.Equal(t, "cc1", list.Cinemas[0].Code)
	}, token(), gets("the catalogue", "cinemas of a city", "/api/movie/cinemas", city, succeeds(fields{
		"total":   matchers.Integer(1),
		"regions": some(fields{"id": like("r1"), "name": like("黄浦区"), "num": matchers.Integer(3)}),
		"list":    some(newCinema()),
	})))

	cinema := newCinema()
	cinema["cinemaId"] = fromState("cinemaId", "1")
	with(t, newMovieName, func(base string) {
		shows, err := newMovie(t, base).CinemaShows(t.Context(), "1", "")
		require.NoError(t, err)
		assert.Len(t, shows.Films[0].Shows, 1)
	}, token(),
		gets("the catalogue", "sessions of a cinema", "/api/movie/cinema_shows",
			query{"cinemaId": fromState("cinemaId", "1")}, succeeds(fields{
				"cinema": cinema, "movies": some(fields{
					"movieId": like("m1"), "movieCode": like("c1"), "name": like("长夜"), "posterUrl": like("/p.svg"),
					"showmark": like("IMAX 3D"), "duration": matchers.Integer(121),
					"category": like("剧情"), "score": like("9.1"),
					"shows": some(fields{"showDate": text("2026-11-20", day), "sessions": some(newSession())}),
				}),
			})))

	session := query{"sessionId": fromState("sessionId", "o1")}
	with(t, newMovieName, func(base string) {
		show, err := newMovie(t, base).Session(t.Context(), "o1")
		require.NoError(t, err)
		assert.Equal(t, "cc1", show.CinemaCode)
	}, token(), gets("the catalogue", "a session", "/api/movie/session", session, succeeds(fullSession())))

	with(t, newMovieName, func(base string) {
		m, err := newMovie(t, base).SeatMap(t.Context(), "o1")
		require.NoError(t, err)
		assert.Len(t, m.Seats, 1)
		assert.Equal(t, []catalog.AreaPrice{{AreaID: "A", Name: "黄金区", Price: 5200}}, m.Areas)
	}, token(), gets("a hall with areas", "a seat map", "/api/seat/map", session, succeeds(fields{
		"session": fullSession(),
		"rows": some(fields{"rowsId": like("R1"), "rowsNum": like("1"), "columns": some(fields{
			"state": matchers.Integer(1), "type": matchers.Integer(1), "colNum": like("1"), "areaId": like("A"),
			"originSeatID": like("s1"), "seatName": like("1排1座"), "price": like("52.00"),
		})}),
		"areas": some(fields{"areaId": like("A"), "areaName": like("黄金区"), "originPrice": text("52.00", yuan)}),
	})))
}

func TestNewMovie_UnknownThings(t *testing.T) {
	none := matchers.String("none")
	for _, tt := range []struct {
		what, path string
		query      query
		code       int
		want       *fault.Fault
		do         func(context.Context, *newmovie.Client) error
	}{
		{"an unknown film", "/api/movie/movie_detail", query{"movieId": none}, 404001, catalog.ErrFilmNotFound,
			func(ctx context.Context, c *newmovie.Client) error { _, err := c.Film(ctx, "none"); return err }},
		{"an unknown cinema", "/api/movie/cinema_shows", query{"cinemaId": none}, 404002, catalog.ErrCinemaNotFound,
			func(ctx context.Context, c *newmovie.Client) error {
				_, err := c.CinemaShows(ctx, "none", "")
				return err
			}},
		{"an unknown session", "/api/seat/map", query{"sessionId": none}, 404003, catalog.ErrShowNotFound,
			func(ctx context.Context, c *newmovie.Client) error { _, err := c.SeatMap(ctx, "none"); return err }},
		{"an unknown order", "/api/order/query", query{"outOrderNo": none}, 404004, order.ErrProviderOrderNotFound,
			func(ctx context.Context, c *newmovie.Client) error { _, err := c.Query(ctx, "none"); return err }},
		{"an unknown city", "/api/movie/cinemas", query{"cityId": none}, 404005, catalog.ErrCityNotFound,
			func(ctx context.Context, c *newmovie.Client) error { _, err := c.Cinemas(ctx, "none", ""); return err }},
	} {
		with(t, newMovieName, func(base string) {
			assert.ErrorIs(t, tt.do(t.Context(), newMovie(t, base)), tt.want)
		}, token(), gets("no such thing", tt.what, tt.path, tt.query, denies(tt.code)))
	}
}

func newOrder(state any) fields {
	return fields{
		"outOrderNo": fromState("outOrderNo", "n1"), "orderNo": like("P1"), "state": state,
		"amount": text("80.00", yuan), "expireAt": matchers.Integer(1795141800),
		"ticketCode": []any{}, "smsContent": like(""), "failReason": like(""),
	}
}

func newLockBody() fields {
	return fields{
		"outOrderNo": fromState("outOrderNo", "n1"), "sessionId": fromState("sessionId", "o1"),
		"cinemaCode": fromState("cinemaCode", "cc1"),
		"seats": []any{
			fields{"originSeatID": fromState("seat1", "s1")},
			fields{"originSeatID": fromState("seat2", "s2")},
		},
		"mobile": fromState("mobile", "13900000001"),
	}
}

func newLock(ctx context.Context, c *newmovie.Client) (order.Lock, error) {
	return c.Lock(ctx, order.LockRequest{
		OrderNo: "n1", Show: catalog.Show{ID: "o1", CinemaCode: "cc1"}, Seats: []catalog.Seat{{ID: "s1"}, {ID: "s2"}},
		Mobile: "13900000001",
	})
}

var orderQuery = query{"outOrderNo": fromState("outOrderNo", "n1")}

func TestNewMovie_Lock(t *testing.T) {
	locked := order.Lock{ProviderNo: "P1", ExpiresAt: time.Unix(1795141800, 0).UTC(), Total: 8000}
	with(t, newMovieName, func(base string) {
		lock, err := newLock(t.Context(), newMovie(t, base))
		require.NoError(t, err)
		assert.Equal(t, locked, lock)
	}, token(), posts("two free seats", "a lock", "/api/order/lock", newLockBody(), succeeds(
		newOrder(text("LOCKED", "LOCKED|DOING")))))

	with(t, newMovieName, func(base string) {
		lock, err := newLock(t.Context(), newMovie(t, base))
		require.NoError(t, err)
		assert.Equal(t, locked, lock)
	}, token(),
		posts("two free seats and a slow cinema", "a lock that settles later", "/api/order/lock", newLockBody(),
			succeeds(newOrder("DOING"))),
		gets("locked seats", "a query of locked seats", "/api/order/query", orderQuery, succeeds(newOrder("LOCKED"))))

	failed := newOrder("LOCK_FAILED")
	failed["failCode"], failed["failReason"] = matchers.Integer(409001), text("座位已被占用", ".+")
	with(
		t,
		newMovieName,
		func(base string) {
			_, err := newLock(t.Context(), newMovie(t, base))
			assert.ErrorIs(t, err, order.ErrSeatTaken)
		},
		token(),
		posts(
			"two free seats and a slow cinema",
			"a lock that is rejected later",
			"/api/order/lock",
			newLockBody(),
			succeeds(newOrder("DOING")),
		),
		gets(
			"a lock that was rejected later",
			"a query of a rejected lock",
			"/api/order/query",
			orderQuery,
			succeeds(failed),
		),
	)

	for _, tt := range []struct {
		state, what string
		code        int
		want        *fault.Fault
	}{
		{"a seat is taken", "a lock of a taken seat", 409001, order.ErrSeatTaken},
		{"an order with other seats", "a lock under a used number", 409004, order.ErrOrderState},
		{"a session that is stopped", "a lock for a stopped session", 410001, order.ErrSaleStopped},
		{"a seat that the hall does not have", "a lock of no seat", 422001, order.ErrSeatNotInMap},
		{"seats of two areas", "a lock across areas", 422002, order.ErrMixedAreas},
		{"half a couples seat", "a lock of half a couples seat", 422003, order.ErrSplitCouple},
	} {
		with(t, newMovieName, func(base string) {
			_, err := newLock(t.Context(), newMovie(t, base))
			assert.ErrorIs(t, err, tt.want)
		}, token(), posts(tt.state, tt.what, "/api/order/lock", newLockBody(), denies(tt.code)))
	}
}

func TestNewMovie_Cancel(t *testing.T) {
	no := fields{"outOrderNo": fromState("outOrderNo", "n1")}
	for _, state := range []string{"locked seats", "cancelled seats"} {
		with(t, newMovieName, func(base string) {
			assert.NoError(t, newMovie(t, base).Unlock(t.Context(), "n1"))
		}, token(), posts(state, "a cancel of "+state, "/api/order/cancel", no, succeeds(newOrder("CANCELLED"))))
	}
	with(t, newMovieName, func(base string) {
		assert.ErrorIs(t, newMovie(t, base).Unlock(t.Context(), "n1"), order.ErrOrderState)
	}, token(), posts("tickets on their way", "a cancel of sold seats", "/api/order/cancel", no, denies(409002)))
	with(t, newMovieName, func(base string) {
		assert.NoError(t, newMovie(t, base).Unlock(t.Context(), "none"))
	}, token(),
		posts("no such thing", "a cancel of an unknown order", "/api/order/cancel", fields{"outOrderNo": "none"},
			denies(404004)))
}

func TestNewMovie_Submit(t *testing.T) {
	body := fields{
		"outOrderNo": fromState("outOrderNo", "n1"),
		"amount":     fromState("amount", "80.00"),
		"mobile":     text("13900000001", phone),
	}
	submit := func(base string) error {
		return newMovie(
			t,
			base,
		).Issue(t.Context(), order.IssueRequest{OrderNo: "n1", Amount: 8000, Mobile: "13900000001"})
	}
	with(t, newMovieName, func(base string) { assert.NoError(t, submit(base)) },
		token(), posts("locked seats", "a sale of locked seats", "/api/order/submit", body, succeeds(newOrder("ISSUING"))))
	with(
		t,
		newMovieName,
		func(base string) { assert.ErrorIs(t, submit(base), order.ErrAmountMismatch) },
		token(),
		posts(
			"locked seats and another amount",
			"a sale for another amount",
			"/api/order/submit",
			body,
			denies(409003),
		),
	)
	with(
		t,
		newMovieName,
		func(base string) { assert.ErrorIs(t, submit(base), order.ErrIssueRejected) },
		token(),
		posts("cancelled seats", "a sale of cancelled seats", "/api/order/submit", body, denies(409002)),
		gets(
			"cancelled seats",
			"a query of cancelled seats",
			"/api/order/query",
			orderQuery,
			succeeds(newOrder("CANCELLED")),
		),
	)
}

func TestNewMovie_Query(t *testing.T) {
	for _, tt := range []struct {
		state, wire string
		want        order.ProviderState
	}{{"a lock under way", "DOING", order.ProviderPending}, {"tickets on their way", "ISSUING",
		order.ProviderIssuing}} {
		with(t, newMovieName, func(base string) {
			o, err := newMovie(t, base).Query(t.Context(), "n1")
			require.NoError(t, err)
			assert.Equal(t, tt.want, o.State)
		}, token(), gets(tt.state, "a query of "+tt.state, "/api/order/query", orderQuery, succeeds(newOrder(tt.wire))))
	}
	issued := newOrder("ISSUED")
	issued["ticketCode"] = some(fields{"name": like("取票码"), "code": like("123456")})
	issued["smsContent"] = text("您的取票码是123456", ".+")
	with(t, newMovieName, func(base string) {
		o, err := newMovie(t, base).Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, []order.TicketCode{{Name: "取票码", Code: "123456"}}, o.Tickets)
	}, token(), gets("issued tickets", "a query of issued tickets", "/api/order/query", orderQuery, succeeds(issued)))
	failed := newOrder("ISSUE_FAILED")
	failed["failReason"] = text("影院停业", ".+")
	with(t, newMovieName, func(base string) {
		o, err := newMovie(t, base).Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, order.ProviderIssueRejected, o.State)
	}, token(), gets("rejected tickets", "a query of rejected tickets", "/api/order/query", orderQuery, succeeds(failed)))
	with(t, newMovieName, func(base string) {
		page, err := newMovie(t, base).TicketPage(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, 5*time.Minute, page.ExpiresIn)
	}, token(),
		posts("issued tickets", "a token for the ticket page", "/api/ticket/token",
			fields{"outOrderNo": fromState("outOrderNo", "n1")}, succeeds(fields{
				"token": like("x"), "expires_in": matchers.Integer(300),
				"url": text("https://tickets.example/x", `https?://.+`),
			})))
}

func TestNewMovie_OrderList(t *testing.T) {
	ask := query{
		"date": fromState("date", "2026-11-20"), "pageNo": matchers.String("1"), "pageSize": matchers.String("200"),
	}
	with(t, newMovieName, func(base string) {
		assert.Equal(t, []reconcile.Row{{
			Kind: reconcile.TicketRow, Number: "n1", Ref: "P1", State: reconcile.RowHeld, Amount: 8400,
		}}, rowsOf(t, newMovie(t, base).OrderList))
	}, token(), gets("locked seats", "the orders of a day", "/api/order/list", ask, succeeds(fields{
		"total": matchers.Integer(1), "list": some(fields{
			"outOrderNo": like("n1"), "orderNo": like("P1"), "amount": text("84.00", yuan),
			"state": text("LOCKED", "DOING|LOCKED|LOCK_FAILED|CANCELLED|EXPIRED|ISSUING|ISSUED|ISSUE_FAILED"),
		}),
	})))
}

func TestNewMovie_Tokens(t *testing.T) {
	with(t, newMovieName, func(base string) {
		_, err := newMovie(t, base).Cities(t.Context())
		assert.ErrorIs(t, err, fault.ErrUnavailable)
		assert.ErrorContains(t, err, "401004")
	}, exchange{
		state: "unknown credentials", what: "a token for unknown credentials", path: "/newmovie/api/oauth/token",
		json: fields{"entId": like("ent0000001"), "appSecret": like("secret")}, answer: denies(401004),
	})
	// The client fetches a new token and retries once; here the provider rejects that call, too.
	with(t, newMovieName, func(base string) {
		_, err := newMovie(t, base).Cities(t.Context())
		assert.ErrorIs(t, err, fault.ErrUnavailable)
	}, token(), gets("an unknown token", "a call with an unknown token", "/api/movie/cities", nil, denies(401003)))
}

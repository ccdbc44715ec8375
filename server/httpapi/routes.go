package httpapi

import (
	"context"
	"net/http"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/fault"
)

// route is one call of the specification's section 7.
type route struct {
	method string
	path   string
	traits traits
	call   call
}

// traits are what a route requires of a request and does to its answer.
type traits int

const (
	signed     traits = 1 << iota // the form carries the channel signature
	buyer                         // the field token holds a live session
	limited                       // the stricter rate applies: guessing or flooding pays here
	password                      // a form with the field pass counts against the stricter rate
	compressed                    // the answer is large, and holds no secret that its compressed length could reveal
)

func (t traits) has(wanted traits) bool { return t&wanted != 0 }

// ErrGatewayMethod refuses a gateway method that is not on the list: the shop never passes a call through.
var ErrGatewayMethod = fault.New(fault.Invalid, "method_not_allowed", "接口方法不支持")

// gateway answers POST /movie/route, the legacy gateway's own protocol, for the methods on the list. Each answers from
// checked values, in the gateway's envelope. Errors: method_not_allowed and those of the methods.
func gateway(methods map[string]call) call {
	return func(ctx context.Context, r *request) (any, error) {
		do, listed := methods[r.form.Text("method")]
		if !listed {
			return nil, ErrGatewayMethod
		}
		return do(ctx, r)
	}
}

// routes is the only list of calls. Tests compare it with README.md and with the specification (routes_test.go).
func routes(c Config) []route {
	urls := newShopURLs(c.Hosts)
	signer := pageSigner{urls, c.JS}
	login := login{
		codes: c.CodeLogin, devices: c.Devices, app: c.AppLogin, links: c.LinkLogin, dormant: c.DormantLogin, urls: urls,
		logo: c.Logo, service: c.App.Links.Service, secure: c.Secure,
	}
	member := member{passwords: c.PaymentPasswords, cards: c.CardCounter, orders: c.Orders}
	safety := accountSafety{
		safety: c.AccountSafety, identities: c.Identities, closer: c.AccountCloser, exporter: c.DataExporter,
	}
	texts := texts{c.Texts}
	home := home{showcase: c.Showcase, dramas: c.Dramas, now: c.Now}
	cities := cities{c.Cities}
	cinemas := cinemas{c.Cinemas}
	films := films{c.Films}
	showings := showings{catalog: c.Showings, now: c.Now}
	seats := seatMaps{
		seats: c.SeatMaps, shows: c.Shows, sessions: c.Sessions, anonymous: newRateLimiter(c.Rates.SeatMaps), now: c.Now,
	}
	locks := seatLocks{
		locker: c.SeatLocker, sessions: c.SessionFinder, unpaid: c.UnpaidOrders, canceller: c.OrderCanceller,
	}
	pay := payments{
		checkout: c.TicketCheckout, confirmer: c.PaymentConfirmer, orders: c.Orders, cards: c.PayingCards,
		identities: c.Identities, now: c.Now,
	}
	orders := orderPages{
		orders: c.Orders, codes: c.GoodsCodes, texts: c.Texts, ticketPages: c.TicketPages, identities: c.Identities,
		now: c.Now,
	}
	goods := goodsPages{catalog: c.Goods, showcase: c.Showcase, service: c.App.Links.Service}
	buy := goodsPayments{checkout: c.GoodsCheckout, cards: c.PayingCards, identities: c.Identities, now: c.Now}
	card := cardPages{cards: c.Cards, now: c.Now}
	bind := cardBinding{binder: c.CardBinder, texts: c.Texts, signer: signer}
	merge := cardMerging{c.CardMerger}
	recharge := recharges{
		recharger: c.CardRecharger, confirmer: c.PaymentConfirmer, cards: c.RechargeOffers, now: c.Now,
	}

	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{post, "/movie/route", signed | compressed, gateway(map[string]call{
			"city.list":     cities.gatewayList,
			"film.hot":      films.gatewayHot,
			"film.detail":   films.gatewayDetail,
			"drama.list":    home.gatewayDramas,
			"cinema.detail": cinemas.gatewayDetail,
			"opi.list.v2":   showings.gatewayList,
			"opi.seat":      seats.gatewaySeats,
		})},

		{post, "/movie/route/Movie/citylist", signed | compressed, cities.list},
		{post, "/movie/route/Movie/hotcity", signed | compressed, cities.hot},
		{post, "/movie/route/Movie/cinema", signed | compressed, cinemas.list},
		{post, "/movie/route/Movie/guide", signed | compressed, texts.guide},
		{post, "/movie/route/Movie/sylbt", signed | compressed, home.showcaseAt(content.Home)},
		{post, "/movie/route/Movie/yclbt", signed | compressed, home.showcaseAt(content.Cinemas)},
		{post, "/movie/route/Movie/getLocation", signed | compressed, signer.location},
		{post, "/movie/route/Movie/gettime", signed | compressed, home.time},
		{post, "/movie/route/Movie/create_order", signed | buyer, locks.lockLegacy},
		{post, "/movie/route/Movie/unpayorder", signed | buyer, locks.findUnpaid},
		{post, "/movie/route/Movie/unorder", signed | buyer, locks.cancel},
		{post, "/movie/route/Movie/jsordershow", signed | buyer, pay.show},
		{post, "/movie/route/Movie/card", signed | buyer, pay.ticketCards},
		{post, "/movie/route/Movie/pay_date", signed | buyer, pay.quote},
		{post, "/movie/route/Movie/flkpay", signed | buyer | password, pay.payWithCards},
		{post, "/movie/route/Movie/wxpay", signed | buyer | password, pay.payWithApp},
		{post, "/movie/route/Movie/pay_success", signed | buyer, pay.result},

		{post, "/Film/lockseat", buyer, locks.lockLegacy},
		{post, "/Film/unpayorder", buyer, locks.findUnpaid},
		{post, "/Film/unlockseat", buyer, locks.cancel},
		{post, "/Film/jsordershow", buyer, pay.show},
		{post, "/Film/card", buyer, forGoods(buy.usableCards, pay.ticketCards)},
		{post, "/Film/pay_date", buyer, forGoods(buy.quote, pay.quote)},
		{post, "/Film/flkpay", buyer | password, forGoods(buy.payWithCards, pay.payWithCards)},
		{post, "/Film/wxpay", buyer | password, forGoods(buy.payWithApp, pay.payWithApp)},
		{post, "/Film/pay_success", buyer, pay.result},

		{get, "/newmovie/api/movie/movies", compressed, films.showing},
		{get, "/newmovie/api/movie/coming_movies", compressed, films.coming},
		{get, "/newmovie/api/movie/movie_detail", compressed, films.detail},
		{get, "/newmovie/api/movie/cinema_shows", compressed, showings.ofCinema},
		{get, "/newmovie/api/movie/session", compressed, showings.session},
		{post, "/newmovie/seat/cinemaDetail", compressed, showings.ofCinema},
		{post, "/newmovie/seat/map", compressed, seats.newMovieSeats},
		{post, "/newmovie/seat/city", compressed, cities.list},
		{post, "/newmovie/seat/time", compressed, home.time},
		{post, "/newmovie/seat/lock", buyer, locks.lockNewMovie},
		{post, "/newmovie/seat/unpaid", buyer, locks.findUnpaid},
		{post, "/newmovie/seat/cancel", buyer, locks.cancel},
		{post, "/newmovie/seat/userinfo", buyer, member.userInfo},
		{post, "/newmovie/seat/ticketToken", buyer, orders.ticketPage},
		{post, quickLoginPath, limited, login.quick},

		{post, "/Login/index", 0, login.info},
		{post, "/Login/single", 0, texts.policy},
		{post, "/Login/sendcode", limited, login.sendCode},
		{post, "/Login/phoneLogin", limited, login.byPhone},
		{post, "/Login/wxlogin", limited, login.startOAuth},
		{post, "/Login/getopenid", limited, login.finishOAuth},
		{post, "/Login/wxbindingPhone", limited, login.bindPhone},
		{post, "/Login/dormant", limited, login.confirmDormant},
		{post, "/Login/linkcode", buyer | limited, login.linkCode},
		{post, "/Login/linkLogin", limited, login.byLink},
		{post, "/Login/logout", 0, login.logout},

		{post, "/Member/index", buyer, member.home},
		{post, "/Member/getsendcode", buyer | limited, member.sendPasswordCode},
		{post, "/Member/editpassword", buyer | limited, member.setPassword},
		{post, "/Member/security", buyer, safety.show},
		{post, "/Member/securitycode", buyer | limited, safety.sendCode},
		{post, "/Member/newphonecode", buyer | limited, safety.sendNewPhoneCode},
		{post, "/Member/changephone", buyer | limited, safety.changePhone},
		{post, "/Member/unbindphone", buyer | limited, safety.unbindPhone},
		{post, "/Member/unbindwechat", buyer | limited, safety.unbindIdentity},
		{post, "/Member/closing", buyer, safety.previewClosing},
		{post, "/Member/close", buyer | limited, safety.closeAccount},
		{post, "/Member/export", buyer | limited, safety.export},

		{post, "/Dyorder/order", buyer, orders.list},
		{post, "/Dyorder/show", buyer, orders.ticketOrder},
		{post, "/Dyorder/kqshow", buyer, orders.goodsOrder},

		{post, "/Kaquan/index", compressed, goods.home},
		{post, "/Kaquan/classify", compressed, goods.categories},
		{post, "/Kaquan/lists", compressed, goods.list(allGoods)},
		{post, "/Kaquan/music", compressed, goods.list(musicGoods)},
		{post, "/Kaquan/read", compressed, goods.list(readGoods)},
		{post, "/Kaquan/show", compressed, goods.detail},
		{post, "/Kaquan/pay_date", buyer, buy.quote},
		{post, "/Kaquan/flkpay", buyer | password, buy.payWithCards},
		{post, "/Kaquan/wxpay", buyer | password, buy.payWithApp},
		{post, "/Kaquan/pay_success", buyer, pay.result},

		{post, "/api/api.php/Card/lists", buyer, card.usable},
		{post, "/api/api.php/Card/nucard", buyer, card.unusable},
		{post, "/api/api.php/Card/show", buyer, card.show},
		{post, "/api/api.php/Card/consume", buyer, card.records(cards.Consumption)},
		{post, "/api/api.php/Card/recharge", buyer, card.records(cards.Recharges)},
		{post, "/api/api.php/Card/bindingcard", buyer, bind.guide},
		{post, "/api/api.php/Card/addbinding", buyer | limited, bind.byNumber},
		{post, "/api/api.php/Card/scanbinding", buyer | limited, bind.byScan},
		{post, "/api/api.php/Card/chongzhi", buyer, recharge.offers},
		{post, "/api/api.php/Card/czwxpay", buyer, recharge.pay},
		{post, "/api/api.php/Card/cxpay_success", buyer, recharge.result},
		{post, "/api/api.php/Card/delcard", buyer, card.delete},
		{post, "/api/api.php/Card/checkmergecards", buyer, merge.check},
		{post, "/api/api.php/Card/mergecards", buyer, merge.merge},
	}
}

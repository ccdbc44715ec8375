package httpapi

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/httpapi/admission"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
)

// route is one call of the specification's section 7.
type route struct {
	method string
	path   string
	traits traits
	operation
}

// traits are what a route requires of a request and does to its answer.
type traits int

const (
	signed       traits = 1 << iota // the form carries the channel signature
	buyer                           // the field token must be that of a live session, with more than limited access
	anyAccess                       // with buyer: limited access is enough, to look around and to buy without points
	trusted                         // with buyer: the session must have full access
	loginRate                       // the rate of logins applies, because guessing or flooding is worthwhile here
	passwordRate                    // a form with the field pass counts against the rate of logins
	starting                        // starts a purchase: it is shed after the calls that only look
	paying                          // belongs to an order or a payment: it is never shed
)

// class returns the class of a call with these traits, by which calls are shed under too much load.
func (t traits) class() admission.Class {
	switch {
	case t.has(paying):
		return admission.Paying
	case t.has(starting):
		return admission.Starting
	}
	return admission.Browsing
}

func (t traits) has(wanted traits) bool { return t&wanted != 0 }

// errGatewayMethod means that a gateway method is not on the list. The shop does not forward calls to the gateway.
var errGatewayMethod = fault.New(fault.Invalid, "method_not_allowed", "接口方法不支持")

// gateway returns the operation of POST /movie/route, the legacy gateway's protocol: the form's field method selects
// one of the operations in methods. The shop makes the answer itself, in the gateway's envelope, and does not forward
// the call.
func gateway(methods map[string]operation) operation {
	made := operation{call: func(ctx context.Context, r *request) (*wire.Text, error) {
		method, listed := methods[r.form.Text("method")]
		if !listed {
			return nil, errGatewayMethod
		}
		return method.call(ctx, r)
	}}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		made.choices = append(made.choices, choice{"method", name, methods[name]})
	}
	made.faults = []*fault.Fault{errGatewayMethod}
	return made
}

// handlers are the handlers of all calls, by subject.
type handlers struct {
	login    login
	member   member
	security accountSecurity
	texts    texts
	home     home
	cities   cities
	cinemas  cinemas
	films    films
	showings showings
	seats    seatMaps
	locks    seatLocks
	pay      payments
	orders   orderPages
	goods    goodsPages
	buy      goodsPayments
	card     cardPages
	bind     cardBinding
	merge    cardMerging
	recharge recharges
	signer   pageSigner

	now func() time.Time // business time
}

func newHandlers(c Config) handlers {
	urls := newShopHosts(c.Hosts)
	signer := pageSigner{urls, c.JS}
	return handlers{
		signer: signer, now: c.Now,
		login: login{
			codes: c.CodeLogin, devices: c.Devices, app: c.AppLogin, links: c.LinkLogin, sessions: c.SessionConfirmer,
			urls: urls, logo: c.Logo, service: c.App.Links.Service, secure: c.Secure,
		},
		member: member{passwords: c.PaymentPasswords, cards: c.CardCounter, orders: c.Orders},
		security: accountSecurity{
			security: c.AccountSecurity, identities: c.Identities, closer: c.AccountCloser, exporter: c.DataExporter,
		},
		texts:    texts{c.Texts},
		home:     home{showcase: c.Showcase, dramas: c.Dramas, now: c.Now},
		cities:   cities{c.Cities},
		cinemas:  cinemas{c.Cinemas},
		films:    films{c.Films},
		showings: showings{catalog: c.Showings, now: c.Now},
		seats:    seatMaps{seats: c.SeatMaps, shows: c.Shows, sessions: c.Sessions, now: c.Now},
		locks: seatLocks{
			locker: c.SeatLocker, sessions: c.SessionFinder, unpaid: c.UnpaidOrders, canceller: c.OrderCanceller,
		},
		pay: payments{
			checkout: c.TicketCheckout, confirmer: c.PaymentConfirmer, orders: c.Orders, cards: c.PayingCards,
			identities: c.Identities, now: c.Now,
		},
		orders: orderPages{
			orders: c.Orders, codes: c.GoodsCodes, texts: c.Texts, ticketPages: c.TicketPages, identities: c.Identities,
			now: c.Now,
		},
		goods: goodsPages{catalog: c.Goods, showcase: c.Showcase, service: c.App.Links.Service},
		buy:   goodsPayments{checkout: c.GoodsCheckout, cards: c.PayingCards, identities: c.Identities, now: c.Now},
		card:  cardPages{cards: c.Cards, now: c.Now},
		bind:  cardBinding{binder: c.CardBinder, texts: c.Texts, signer: signer},
		merge: cardMerging{c.CardMerger},
		recharge: recharges{
			recharger: c.CardRecharger, confirmer: c.PaymentConfirmer, cards: c.RechargeOffers, now: c.Now,
		},
	}
}

// routes lists all calls except pictureUpload. A test compares the paths with the specification (routes_test.go).
func routes(c Config) []route {
	h := newHandlers(c)
	return slices.Concat(
		h.movieRoutes(), h.filmRoutes(), h.newMovieRoutes(), h.accountRoutes(), h.goodsRoutes(), h.cardRoutes(),
	)
}

const get, post = http.MethodGet, http.MethodPost

// movieRoutes are the calls under /movie: the catalogue of the signed gateway, and tickets.
func (h handlers) movieRoutes() []route {
	return []route{
		{post, "/movie/route", signed, gateway(map[string]operation{
			"city.list":     share(h.now, h.cities.gatewayList, providerFaults...),
			"film.hot":      share(h.now, h.films.gatewayHot, catalogFaults...),
			"film.detail":   share(h.now, h.films.gatewayDetail, catalogFaults...),
			"drama.list":    share(h.now, h.home.gatewayDramas, dramaFaults...),
			"cinema.detail": share(h.now, h.cinemas.gatewayDetail, showCinemaFaults...),
			"opi.list.v2":   share(h.now, h.showings.gatewayList, catalogFaults...),
			"opi.seat":      shareState(h.now, h.seats.gatewaySeats, seatMapFaults...),
		})},

		{post, "/movie/route/Movie/citylist", signed, share(h.now, h.cities.list, providerFaults...)},
		{post, "/movie/route/Movie/hotcity", signed, share(h.now, h.cities.hot, providerFaults...)},
		{post, "/movie/route/Movie/cinema", signed, share(h.now, h.cinemas.list, listCinemasFaults...)},
		{post, "/movie/route/Movie/guide", signed, share(h.now, h.texts.guide)},
		{post, "/movie/route/Movie/sylbt", signed, share(h.now, h.home.showcaseAt(content.Home))},
		{post, "/movie/route/Movie/yclbt", signed, share(h.now, h.home.showcaseAt(content.Cinemas))},
		{post, "/movie/route/Movie/getLocation", signed, do(h.signer.location, signPageFaults...)},
		{post, "/movie/route/Movie/gettime", signed, share(h.now, h.home.time)},
		{post, "/movie/route/Movie/create_order", signed | buyer | anyAccess | starting,
			do(h.locks.lockLegacy, lockFaults...)},
		{post, "/movie/route/Movie/unpayorder", signed | buyer | anyAccess | paying, do(h.locks.findUnpaid)},
		{post, "/movie/route/Movie/unorder", signed | buyer | anyAccess | paying, do(h.locks.cancel, cancelFaults...)},
		{post, "/movie/route/Movie/jsordershow", signed | buyer | anyAccess | paying,
			do(h.pay.show, order.ErrOrderNotFound)},
		{post, "/movie/route/Movie/card", signed | buyer | anyAccess | paying, do(h.pay.ticketCards)},
		{post, "/movie/route/Movie/pay_date", signed | buyer | anyAccess | paying, do(h.pay.quote, quoteFaults...)},
		{post, "/movie/route/Movie/flkpay", signed | buyer | passwordRate | paying,
			do(h.pay.payWithCards, payFaults...)},
		{post, "/movie/route/Movie/wxpay", signed | buyer | anyAccess | passwordRate | paying,
			do(h.pay.payWithApp, payWithAppFaults...)},
		{post, "/movie/route/Movie/pay_success", signed | buyer | anyAccess | paying,
			do(h.pay.result, resultFaults...)},
	}
}

// filmRoutes are the calls under /Film: tickets, and with the field ggid also goods (forGoods), as the specification
// requires.
func (h handlers) filmRoutes() []route {
	return []route{
		{post, "/Film/lockseat", buyer | anyAccess | starting, do(h.locks.lockLegacy, lockFaults...)},
		{post, "/Film/unpayorder", buyer | anyAccess | paying, do(h.locks.findUnpaid)},
		{post, "/Film/unlockseat", buyer | anyAccess | paying, do(h.locks.cancel, cancelFaults...)},
		{post, "/Film/jsordershow", buyer | anyAccess | paying, do(h.pay.show, order.ErrOrderNotFound)},
		{post, "/Film/card", buyer | anyAccess | paying,
			forGoods(do(h.buy.usableCards, goods.ErrGoodsNotFound), do(h.pay.ticketCards))},
		{post, "/Film/pay_date", buyer | anyAccess | paying, forGoods(
			do(h.buy.quote, quoteGoodsFaults...), do(h.pay.quote, quoteFaults...))},
		{post, "/Film/flkpay", buyer | passwordRate | paying, forGoods(
			do(h.buy.payWithCards, buyGoodsFaults...), do(h.pay.payWithCards, payFaults...))},
		{post, "/Film/wxpay", buyer | anyAccess | passwordRate | paying, forGoods(
			do(h.buy.payWithApp, buyGoodsWithAppFaults...), do(h.pay.payWithApp, payWithAppFaults...))},
		{post, "/Film/pay_success", buyer | anyAccess | paying, do(h.pay.result, resultFaults...)},
	}
}

// newMovieRoutes are the calls under /newmovie: the catalogue and the tickets of the second source.
func (h handlers) newMovieRoutes() []route {
	return []route{
		{get, "/newmovie/api/movie/movies", 0, share(h.now, h.films.showing, catalogFaults...)},
		{get, "/newmovie/api/movie/coming_movies", 0, share(h.now, h.films.coming, catalogFaults...)},
		{get, "/newmovie/api/movie/movie_detail", 0, share(h.now, h.films.detail, catalogFaults...)},
		{get, "/newmovie/api/movie/cinema_shows", 0, share(h.now, h.showings.ofCinema, catalogFaults...)},
		{get, "/newmovie/api/movie/session", 0, share(h.now, h.showings.session, catalogFaults...)},
		{post, "/newmovie/seat/cinemaDetail", 0, share(h.now, h.showings.ofCinema, catalogFaults...)},
		{post, "/newmovie/seat/map", 0, shareState(h.now, h.seats.newMovieSeats, seatMapFaults...)},
		{post, "/newmovie/seat/city", 0, share(h.now, h.cities.list, providerFaults...)},
		{post, "/newmovie/seat/time", 0, share(h.now, h.home.time)},
		{post, "/newmovie/seat/lock", buyer | anyAccess | starting, do(h.locks.lockNewMovie, lockFaults...)},
		{post, "/newmovie/seat/unpaid", buyer | anyAccess | paying, do(h.locks.findUnpaid)},
		{post, "/newmovie/seat/cancel", buyer | anyAccess | paying, do(h.locks.cancel, cancelFaults...)},
		{post, "/newmovie/seat/userinfo", buyer | anyAccess, do(h.member.userInfo)},
		{post, "/newmovie/seat/ticketToken", buyer | anyAccess | paying, do(h.orders.ticketPage, ticketPageFaults...)},
		{post, quickLoginPath, loginRate | starting, do(h.login.quick, errorsOf(identityFaults, openFaults)...)},
	}
}

// accountRoutes are the calls under /Login and /Member.
func (h handlers) accountRoutes() []route {
	return []route{
		{post, "/Login/index", 0, do(h.login.info)},
		{post, "/Login/single", 0, do(h.texts.policy, content.ErrTextNotFound)},
		{post, "/Login/sendcode", loginRate | starting, do(h.login.sendCode, sendCodeFaults...)},
		{post, "/Login/phoneLogin", loginRate | starting, do(h.login.byPhone, errorsOf(codeFaults, openFaults)...)},
		{post, "/Login/wxlogin", loginRate | starting, do(h.login.startOAuth, errURLForeign)},
		{post, "/Login/getopenid", loginRate | starting, do(h.login.finishOAuth, oauthFaults...)},
		{post, "/Login/wxbindingPhone", loginRate | starting, do(h.login.bindPhone, bindPhoneFaults...)},
		{post, "/Login/linkLogin", loginRate | starting, do(h.login.byLink, account.ErrLinkToken)},
		{post, "/Login/confirm", buyer | anyAccess | loginRate | paying,
			do(h.login.confirm, errorsOf(reauthFaults, passwordFaults)...)},
		{post, "/Login/logout", 0, do(h.login.logout)},

		{post, "/Member/index", buyer | anyAccess, do(h.member.home)},
		{post, "/Member/getsendcode", buyer | loginRate | paying,
			do(h.member.sendPasswordCode, sendPasswordCodeFaults...)},
		{post, "/Member/editpassword", buyer | loginRate | paying, do(h.member.setPassword, setPasswordFaults...)},
		{post, "/Member/security", buyer | anyAccess, do(h.security.show)},
		{post, "/Member/securitycode", buyer | anyAccess | loginRate | paying,
			do(h.security.sendCode, sendOwnCodeFaults...)},
		{post, "/Member/newphonecode", buyer | loginRate, do(h.security.sendNewPhoneCode, sendCodeFaults...)},
		{post, "/Member/changephone", buyer | loginRate, do(h.security.changePhone, changePhoneFaults...)},
		{post, "/Member/unbindphone", buyer | loginRate, do(h.security.unbindPhone, unbindPhoneFaults...)},
		{post, "/Member/unbindwechat", buyer | loginRate, do(h.security.unbindIdentity, unbindIdentityFaults...)},
		{post, "/Member/sessions", buyer, do(h.security.sessions)},
		{post, "/Member/endsession", buyer, do(h.security.endSession, account.ErrSessionUnknown)},
		{post, "/Member/endsessions", buyer, do(h.security.endOtherSessions)},
		{post, "/Member/closing", buyer, do(h.security.previewClosing)},
		{post, "/Member/close", buyer | loginRate, do(h.security.closeAccount, closeAccountFaults...)},
		{post, "/Member/export", buyer | loginRate, do(h.security.export, reauthFaults...)},
	}
}

// goodsRoutes are the calls under /Dyorder and /Kaquan: orders and goods.
func (h handlers) goodsRoutes() []route {
	return []route{
		{post, "/Dyorder/order", buyer | anyAccess | paying, do(h.orders.list)},
		{post, "/Dyorder/show", buyer | anyAccess | paying, do(h.orders.ticketOrder, order.ErrOrderNotFound)},
		{post, "/Dyorder/kqshow", buyer | anyAccess | paying, do(h.orders.goodsOrder, order.ErrOrderNotFound)},

		{post, "/Kaquan/index", 0, doPublic(h.goods.home)},
		{post, "/Kaquan/classify", 0, doPublic(h.goods.categories)},
		{post, "/Kaquan/lists", 0, doPublic(h.goods.list(allGoods))},
		{post, "/Kaquan/music", 0, doPublic(h.goods.list(musicGoods))},
		{post, "/Kaquan/read", 0, doPublic(h.goods.list(readGoods))},
		{post, "/Kaquan/show", 0, doPublic(h.goods.detail, goods.ErrGoodsNotFound)},
		{post, "/Kaquan/pay_date", buyer | anyAccess | paying, do(h.buy.quote, quoteGoodsFaults...)},
		{post, "/Kaquan/flkpay", buyer | passwordRate | paying, do(h.buy.payWithCards, buyGoodsFaults...)},
		{post, "/Kaquan/wxpay", buyer | anyAccess | passwordRate | paying,
			do(h.buy.payWithApp, buyGoodsWithAppFaults...)},
		{post, "/Kaquan/pay_success", buyer | anyAccess | paying, do(h.pay.result, resultFaults...)},
	}
}

// cardRoutes are the calls under /api/api.php: welfare cards.
func (h handlers) cardRoutes() []route {
	return []route{
		{post, "/api/api.php/Card/lists", buyer, do(h.card.usable)},
		{post, "/api/api.php/Card/nucard", buyer, do(h.card.unusable)},
		{post, "/api/api.php/Card/show", buyer, do(h.card.show, cards.ErrCardNotFound)},
		{post, "/api/api.php/Card/consume", buyer, do(h.card.records(cards.Consumption), cards.ErrCardNotFound)},
		{post, "/api/api.php/Card/recharge", buyer, do(h.card.records(cards.Recharges), cards.ErrCardNotFound)},
		{post, "/api/api.php/Card/bindingcard", buyer, do(h.bind.guide, errURLForeign)},
		{post, "/api/api.php/Card/addbinding", buyer | trusted | loginRate | starting,
			do(h.bind.byNumber, bindByNumberFaults...)},
		{post, "/api/api.php/Card/scanbinding", buyer | trusted | loginRate | starting,
			do(h.bind.byScan, bindByScanFaults...)},
		{post, "/api/api.php/Card/chongzhi", buyer | paying, do(h.recharge.offers, cards.ErrCardNotFound)},
		{post, "/api/api.php/Card/czwxpay", buyer | paying, do(h.recharge.pay, rechargeFaults...)},
		{post, "/api/api.php/Card/cxpay_success", buyer | paying, do(h.recharge.result, resultFaults...)},
		{post, "/api/api.php/Card/delcard", buyer, do(h.card.delete, cards.ErrCardNotFound, cards.ErrCardHasBalance)},
		{post, "/api/api.php/Card/checkmergecards", buyer, do(h.merge.check, checkMergeFaults...)},
		{post, "/api/api.php/Card/mergecards", buyer, do(h.merge.merge, mergeFaults...)},
	}
}

package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"marquee/server/cards"
	"marquee/server/content"
)

func (h *handler) routes() (http.Handler, error) {
	sameOrigin, err := h.sameOrigin()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(addressed(h.TrustedProxies), h.logged, h.recovered, h.hardened, middleware.GetHead)
	r.Get("/healthz", h.healthy)
	r.Get("/readyz", h.ready)
	r.Post("/notify/wechat/pay", h.payNotified)
	r.Post("/notify/wechat/refund", h.refundNotified)
	r.Post("/notify/gateway", h.ticketPushed)
	r.Get("/avatars/{name}", h.serveAvatar)
	if h.App.SimulatorURL != "" {
		r.Get(artPath+"*", h.simulatedArt)
	}
	r.Group(func(r chi.Router) {
		r.Use(sameOrigin, h.limited(h.Rates.Calls))
		h.catalogRoutes(r)
		h.buyerRoutes(r)
		r.Group(func(r chi.Router) {
			r.Use(h.limited(h.Rates.Logins))
			h.loginRoutes(r)
		})
	})
	r.NotFound(h.notFound)
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		note(r.Context(), ErrMethodUnknown.Code, nil)
		writeJSON(w, http.StatusMethodNotAllowed, backendOf(r.URL.Path).failure(ErrMethodUnknown))
	})
	return r, nil
}

// catalogRoutes are read without a session and are large enough to be worth compressing. They hold no secret that
// compression could give away.
func (h *handler) catalogRoutes(r chi.Router) {
	r = r.With(middleware.Compress(5, "application/json"))
	r.Post("/movie/route", h.post(gatewayBackend, signed, h.gateway))
	for op, do := range map[string]run{
		"citylist": h.cityList, "hotcity": h.hotCities, "cinema": h.cinemas, "guide": h.guide,
		"sylbt": h.showcase(content.Home), "yclbt": h.showcase(content.Cinemas), "getLocation": h.getLocation, "gettime": h.getTime,
	} {
		r.Post("/movie/route/Movie/"+op, h.post(mainBackend, signed, do))
	}
	for op, do := range h.shelves() {
		r.Post("/Kaquan/"+op, h.post(mainBackend, anyone, do))
	}
	r.Get("/newmovie/api/movie/movies", h.get(newmovieBackend, h.films))
	r.Get("/newmovie/api/movie/coming_movies", h.get(newmovieBackend, h.comingFilms))
	r.Get("/newmovie/api/movie/movie_detail", h.get(newmovieBackend, h.filmDetail))
	r.Get("/newmovie/api/movie/cinema_shows", h.get(newmovieBackend, h.cinemaShows))
	r.Get("/newmovie/api/movie/session", h.get(newmovieBackend, h.session))
	for op, do := range map[string]run{
		"cinemaDetail": h.cinemaShows, "map": h.newmovieSeatMap, "city": h.cityList, "time": h.getTime,
	} {
		r.Post("/newmovie/seat/"+op, h.post(newmovieBackend, anyone, do))
	}
}

func (h *handler) buyerRoutes(r chi.Router) {
	for op, do := range map[string]run{
		"create_order": h.lockLegacySeats, "unpayorder": h.unpaidOrder, "unorder": h.cancelOrder, "jsordershow": h.orderToPay,
		"card": h.ticketCards, "pay_date": h.quote, "flkpay": h.payWithCards, "wxpay": h.payWithApp, "pay_success": h.paySuccess,
	} {
		r.Post("/movie/route/Movie/"+op, h.post(mainBackend, signed|buyer, do))
	}
	for op, do := range map[string]run{
		"lockseat": h.lockLegacySeats, "unpayorder": h.unpaidOrder, "unlockseat": h.cancelOrder, "jsordershow": h.orderToPay,
		"card": forGoods(h.payingCards, h.ticketCards), "pay_date": forGoods(h.quoteGoods, h.quote),
		"flkpay": forGoods(h.buyGoodsWithCards, h.payWithCards), "wxpay": forGoods(h.buyGoodsWithApp, h.payWithApp), "pay_success": h.paySuccess,
	} {
		r.Post("/Film/"+op, h.post(mainBackend, buyer, do))
	}
	for op, do := range map[string]run{
		"lock": h.lockNewMovieSeats, "unpaid": h.unpaidOrder, "cancel": h.cancelOrder, "userinfo": h.userInfo, "ticketToken": h.ticketPage,
	} {
		r.Post("/newmovie/seat/"+op, h.post(newmovieBackend, buyer, do))
	}
	for op, do := range map[string]run{
		"pay_date": h.quoteGoods, "flkpay": h.buyGoodsWithCards, "wxpay": h.buyGoodsWithApp, "pay_success": h.paySuccess,
	} {
		r.Post("/Kaquan/"+op, h.post(mainBackend, buyer, do))
	}
	r.Post("/Dyorder/kqshow", h.post(mainBackend, buyer, h.cardOrderShow))
	r.Post("/Dyorder/order", h.post(mainBackend, buyer, h.orderList))
	r.Post("/Dyorder/show", h.post(mainBackend, buyer, h.orderShow))
	r.Post("/Member/index", h.post(mainBackend, buyer, h.memberIndex))
	r.Post("/Member/editpassword", h.post(mainBackend, buyer, h.editPassword))
	for op, do := range map[string]run{
		"lists": h.usableCards, "nucard": h.unusableCards, "show": h.showCard, "bindingcard": h.bindingGuide,
		"consume": h.cardRecords(cards.Consumption), "recharge": h.cardRecords(cards.Recharges),
		"chongzhi": h.rechargeOffer, "czwxpay": h.recharge, "cxpay_success": h.rechargeSuccess, "delcard": h.deleteCard, "checkmergecards": h.checkMerge, "mergecards": h.mergeCards,
	} {
		r.Post("/api/api.php/Card/"+op, h.post(cardBackend, buyer, do))
	}
	r.Post("/Login/index", h.post(mainBackend, anyone, h.loginIndex))
	r.Post("/Login/single", h.post(mainBackend, anyone, h.policy))
	r.Post("/Login/logout", h.post(mainBackend, anyone, h.logout))
}

// loginRoutes are those where guessing or flooding pays, or one call costs much.
func (h *handler) loginRoutes(r chi.Router) {
	for op, do := range map[string]run{
		"sendcode": h.sendLoginCode, "phoneLogin": h.phoneLogin, "wxlogin": h.wxLogin, "getopenid": h.getOpenID, "wxbindingPhone": h.bindPhone,
	} {
		r.Post("/Login/"+op, h.post(mainBackend, anyone, do))
	}
	r.Post("/newmovie/seat/quicklogin", h.post(newmovieBackend, anyone, h.quickLogin))
	r.Post("/Member/uploadimg", h.uploadAvatar)
	r.Post("/Member/getsendcode", h.post(mainBackend, buyer, h.sendPasswordCode))
	r.Post("/api/api.php/Card/addbinding", h.post(cardBackend, buyer, h.bindCard))
	r.Post("/api/api.php/Card/scanbinding", h.post(cardBackend, buyer, h.scanCard))
}

// notFound is the web app for a reader, and an envelope for a program.
func (h *handler) notFound(w http.ResponseWriter, r *http.Request) {
	if (r.Method == http.MethodGet || r.Method == http.MethodHead) && !apiPath(r.URL.Path) && h.pages.serve(w, r) {
		return
	}
	h.nothing(w, r)
}

// nothing says that there is nothing at the address.
func (h *handler) nothing(w http.ResponseWriter, r *http.Request) {
	note(r.Context(), ErrPathUnknown.Code, nil)
	writeJSON(w, http.StatusNotFound, backendOf(r.URL.Path).failure(ErrPathUnknown))
}

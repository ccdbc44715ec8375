package httpapi

import (
	"net/http"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/goods"
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
	compressed                    // the answer is large, and holds no secret that its compressed length could reveal
)

func (t traits) has(wanted traits) bool { return t&wanted != 0 }

// routes is the only list of calls. TestReadme_NamesEveryRoute compares README.md with it.
func (h *handler) calls() []route {
	const get, post = http.MethodGet, http.MethodPost
	const read = compressed
	return []route{
		{post, "/movie/route", signed | read, h.gateway},

		{post, "/movie/route/Movie/citylist", signed | read, h.cityList},
		{post, "/movie/route/Movie/hotcity", signed | read, h.hotCities},
		{post, "/movie/route/Movie/cinema", signed | read, h.cinemas},
		{post, "/movie/route/Movie/guide", signed | read, h.guide},
		{post, "/movie/route/Movie/sylbt", signed | read, h.showcase(content.Home)},
		{post, "/movie/route/Movie/yclbt", signed | read, h.showcase(content.Cinemas)},
		{post, "/movie/route/Movie/getLocation", signed | read, h.getLocation},
		{post, "/movie/route/Movie/gettime", signed | read, h.getTime},
		{post, "/movie/route/Movie/create_order", signed | buyer, h.lockLegacySeats},
		{post, "/movie/route/Movie/unpayorder", signed | buyer, h.unpaidOrder},
		{post, "/movie/route/Movie/unorder", signed | buyer, h.cancelOrder},
		{post, "/movie/route/Movie/jsordershow", signed | buyer, h.orderToPay},
		{post, "/movie/route/Movie/card", signed | buyer, h.ticketCards},
		{post, "/movie/route/Movie/pay_date", signed | buyer, h.quote},
		{post, "/movie/route/Movie/flkpay", signed | buyer, h.payWithCards},
		{post, "/movie/route/Movie/wxpay", signed | buyer, h.payWithApp},
		{post, "/movie/route/Movie/pay_success", signed | buyer, h.paySuccess},

		{post, "/Film/lockseat", buyer, h.lockLegacySeats},
		{post, "/Film/unpayorder", buyer, h.unpaidOrder},
		{post, "/Film/unlockseat", buyer, h.cancelOrder},
		{post, "/Film/jsordershow", buyer, h.orderToPay},
		{post, "/Film/card", buyer, forGoods(h.payingCards, h.ticketCards)},
		{post, "/Film/pay_date", buyer, forGoods(h.quoteGoods, h.quote)},
		{post, "/Film/flkpay", buyer, forGoods(h.buyGoodsWithCards, h.payWithCards)},
		{post, "/Film/wxpay", buyer, forGoods(h.buyGoodsWithApp, h.payWithApp)},
		{post, "/Film/pay_success", buyer, h.paySuccess},

		{get, "/newmovie/api/movie/movies", read, h.films},
		{get, "/newmovie/api/movie/coming_movies", read, h.comingFilms},
		{get, "/newmovie/api/movie/movie_detail", read, h.filmDetail},
		{get, "/newmovie/api/movie/cinema_shows", read, h.cinemaShows},
		{get, "/newmovie/api/movie/session", read, h.session},
		{post, "/newmovie/seat/cinemaDetail", read, h.cinemaShows},
		{post, "/newmovie/seat/map", read, h.newmovieSeatMap},
		{post, "/newmovie/seat/city", read, h.cityList},
		{post, "/newmovie/seat/time", read, h.getTime},
		{post, "/newmovie/seat/lock", buyer, h.lockNewMovieSeats},
		{post, "/newmovie/seat/unpaid", buyer, h.unpaidOrder},
		{post, "/newmovie/seat/cancel", buyer, h.cancelOrder},
		{post, "/newmovie/seat/userinfo", buyer, h.userInfo},
		{post, "/newmovie/seat/ticketToken", buyer, h.ticketPage},
		{post, "/newmovie/seat/quicklogin", limited, h.quickLogin},

		{post, "/Login/index", 0, h.loginIndex},
		{post, "/Login/single", 0, h.policy},
		{post, "/Login/sendcode", limited, h.sendLoginCode},
		{post, "/Login/phoneLogin", limited, h.phoneLogin},
		{post, "/Login/wxlogin", limited, h.wxLogin},
		{post, "/Login/getopenid", limited, h.getOpenID},
		{post, "/Login/wxbindingPhone", limited, h.bindPhone},
		{post, "/Login/logout", 0, h.logout},

		{post, "/Member/index", buyer, h.memberIndex},
		{post, "/Member/getsendcode", buyer | limited, h.sendPasswordCode},
		{post, "/Member/editpassword", buyer, h.editPassword},

		{post, "/Dyorder/order", buyer, h.orderList},
		{post, "/Dyorder/show", buyer, h.orderShow},
		{post, "/Dyorder/kqshow", buyer, h.cardOrderShow},

		{post, "/Kaquan/index", read, h.memberHome},
		{post, "/Kaquan/classify", read, h.categories},
		{post, "/Kaquan/lists", read, h.goodsList(10, nil, goods.MemberShelves, []goods.Shelf{goods.Recharge})},
		{post, "/Kaquan/music", read, h.goodsList(maxPage, []goods.Shelf{goods.Music}, []goods.Shelf{goods.Music})},
		{post, "/Kaquan/read", read, h.goodsList(maxPage, []goods.Shelf{goods.Reading, goods.Tools}, []goods.Shelf{goods.Reading}, []goods.Shelf{goods.Tools})},
		{post, "/Kaquan/show", read, h.goodsShow},
		{post, "/Kaquan/pay_date", buyer, h.quoteGoods},
		{post, "/Kaquan/flkpay", buyer, h.buyGoodsWithCards},
		{post, "/Kaquan/wxpay", buyer, h.buyGoodsWithApp},
		{post, "/Kaquan/pay_success", buyer, h.paySuccess},

		{post, "/api/api.php/Card/lists", buyer, h.usableCards},
		{post, "/api/api.php/Card/nucard", buyer, h.unusableCards},
		{post, "/api/api.php/Card/show", buyer, h.showCard},
		{post, "/api/api.php/Card/consume", buyer, h.cardRecords(cards.Consumption)},
		{post, "/api/api.php/Card/recharge", buyer, h.cardRecords(cards.Recharges)},
		{post, "/api/api.php/Card/bindingcard", buyer, h.bindingGuide},
		{post, "/api/api.php/Card/addbinding", buyer | limited, h.bindCard},
		{post, "/api/api.php/Card/scanbinding", buyer | limited, h.scanCard},
		{post, "/api/api.php/Card/chongzhi", buyer, h.rechargeOffer},
		{post, "/api/api.php/Card/czwxpay", buyer, h.recharge},
		{post, "/api/api.php/Card/cxpay_success", buyer, h.rechargeSuccess},
		{post, "/api/api.php/Card/delcard", buyer, h.deleteCard},
		{post, "/api/api.php/Card/checkmergecards", buyer, h.checkMerge},
		{post, "/api/api.php/Card/mergecards", buyer, h.mergeCards},
	}
}

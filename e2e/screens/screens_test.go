package screens

import (
	"testing"
	"time"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/server/account"
	"marquee/server/durations"
	"marquee/simulators/faults"
)

// longFilm has a long synopsis, which is collapsed.
const longFilm = "潮汐以北"

// Pages that need no login: films, cities, login.
func TestScreens_Browsing(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		return []scene{
			{"index", func(v *pages.Visit) { v.Open("/index"); v.Home().Films() }},
			{"index-coming", func(v *pages.Visit) { v.Open("/index"); v.Home().Tab("即将上映"); v.Home().Films() }},
			{"index-wished", func(v *pages.Visit) {
				v.Open("/index")
				v.Home().Tab("即将上映")
				v.Home().Wish()
				v.Home().Tab("我想看")
				v.Home().Films()
			}},
			{"index-nothing-found", func(v *pages.Visit) {
				v.Open("/index")
				v.Home().Search("没有这部影片")
				v.SeesText("没有找到")
			}},
			{"citylist", func(v *pages.Visit) { v.Open("/citylist"); v.CityList() }},
			{
				"citylist-search",
				func(v *pages.Visit) { v.Open("/citylist"); v.CityList().Search("shan"); v.SeesText("上海") },
			},
			{"login", func(v *pages.Visit) { v.Open("/login"); v.Login() }},
			{"login-too-many-codes", func(v *pages.Visit) {
				phone := s.NewPhone()
				for range account.DefaultLimits.PhoneHour {
					s.Client.Post("", "/Login/sendcode", map[string]string{"phone": phone})
					s.AdvanceClock(durations.ResendCode)
				}
				v.Open("/login")
				v.Login().TypePhone(phone)
				v.Login().PressSendCode()
				v.SeesText("后可重新获取")
			}},
			{"login-binding", func(v *pages.Visit) {
				v.Open("/login?isphone=1&openid=" + harness.UnboundOpenID + "&yz_code=x")
				v.Login()
			}},
			opens("quickLogin", "/quickLogin", "请在微信中打开"),
			{"hotlist", func(v *pages.Visit) { v.Open("/hotlist"); v.HotList() }},
		}
	})
}

// A film, the cinemas that show it, and the legal texts of the login.
func TestScreens_Finding(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		showing, preSale := s.Catalog.Films()
		legacy, newmovie := s.Catalog.CinemaPage(harness.Legacy), s.Catalog.CinemaPage(harness.NewMovie)
		return []scene{
			opens("filmdetail", "/filmdetail?id="+showing, "演职人员"),
			{"filmdetail-long", func(v *pages.Visit) {
				v.Open("/index")
				v.Home().Read(longFilm).SeesText("展开")
			}},
			opens("filmdetail-presale", "/filmdetail?showSt=2&id="+preSale, "立即预订"),
			opens("filmdetail-coming", "/filmdetail?showSt=3&id="+preSale, "立即购票"),
			{"multiplex", func(v *pages.Visit) { v.Cinemas().SeesText("家影院") }},
			opens("multiplex-film", "/multiplex?movieId="+showing, "家影院"),
			{"multiplex-region", func(v *pages.Visit) { v.Cinemas().AskRegion() }},
			{"multiplex-order", func(v *pages.Visit) { v.Cinemas().AskOrder() }},
			{"multiplex-nothing-found", func(v *pages.Visit) { v.Cinemas().Search("没有这家影院"); v.SeesText("没有找到") }},
			opens("multiplexDetail", legacy, "散场"),
			opens("multiplexNewDetail", newmovie, "散场"),
			opens("yinsizhengce", "/yinsizhengce", "隐私"),
			opens("useexplain", "/useexplain", "使用说明"),
			opens("helloWord", "/helloWord"),
			opens("not-found", "/nowhere", "页面不存在"),
		}
	})
}

// Choosing seats and paying for them.
func TestScreens_Buying(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(300_00), harness.WithCard(10_00))
		v.As(buyer)
		var hall pages.SeatMap
		var pay pages.Payment
		scenes := []scene{}
		for _, source := range harness.Sources {
			name := map[string]string{"legacy": "filmSeat", "newmovie": "filmNewSeat"}[source.Name]
			scenes = append(scenes,
				scene{name, func(v *pages.Visit) { hall = v.SeatsOf(source) }},
				scene{name + "-chosen", func(*pages.Visit) { hall.Best(3) }},
				scene{name + "-notice", func(*pages.Visit) { hall.OpenNotice() }},
			)
		}
		return append(scenes,
			scene{"filmNewSeat-rescue", func(v *pages.Visit) {
				hall = v.SeatsOf(harness.NewMovie)
				s.NewBuyer().Lock(hall.Showing(), hall.Best(2)[0])
				hall.LostSeats()
			}},
			scene{"filmSeat-unpaid", func(v *pages.Visit) {
				pay = v.PayFor(buyer.LockSomeSeats(harness.Legacy, 2))
				v.Cinema(harness.Legacy).Buy(s.Catalog.ShowingOf(harness.Legacy))
				v.SeesText("您有未支付的订单")
			}},
			scene{"filmSeat-unpaid-cancel", func(v *pages.Visit) { v.SeatMap().AskCancelUnpaidOrder() }},
			scene{"paymentpage", func(v *pages.Visit) { pay = v.PayFor(buyer.LatestOrder().ID) }},
			scene{"paymentpage-cards", func(*pages.Visit) { pay.OpenCards() }},
			scene{"paymentpage-chosen", func(v *pages.Visit) {
				v.Reload()
				pay.UseCards(buyer.Cards[1])
				pay.UsesApp()
			}},
			scene{"paymentpage-inapp", func(v *pages.Visit) { pay.Pay(); v.LedToApp() }},
			scene{"paymentpage-password", func(v *pages.Visit) {
				v.Reload()
				pay.UseCards(buyer.Cards[0])
				pay.Pay()
				pay.TypePassword("135790")
				v.SeesText("支付密码错误，还可尝试 4 次")
			}},
			scene{"paymentpage-password-locked", func(v *pages.Visit) {
				for range 4 {
					pay.TypePassword("135790")
				}
				v.SeesText("解锁")
			}},
		)
	})
}

// The pages of a buyer with cards and orders in every state.
func TestScreens_Mine(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00), harness.WithCard(10_00))
		for _, card := range s.Backoffice.DemoCards() {
			buyer.Bind(card)
		}
		issued := map[string]string{}
		for _, source := range harness.Sources {
			issued[source.Name] = buyer.LockSomeSeats(source, 2)
			buyer.PayByCards(issued[source.Name])
			buyer.AwaitState(issued[source.Name], source.Issued)
		}
		s.PlanFault(harness.Legacy.Provider, "*", "issue-refused")
		refunded := buyer.LockSomeSeats(harness.Legacy, 1)
		buyer.PayByCards(refunded)
		buyer.AwaitState(refunded, harness.Legacy.Refunded)
		buyer.AwaitRefunds(refunded)
		cancelled := buyer.LockSomeSeats(harness.NewMovie, 1)
		buyer.Cancel(cancelled)
		pending := buyer.LockSomeSeats(harness.Legacy, 4)
		v.As(buyer)
		order := func(name, id string) scene {
			return scene{"orderpage-" + name, func(v *pages.Visit) { v.Open("/orderpage?id=" + id); v.Order() }}
		}
		return []scene{
			{"personCenter", func(v *pages.Visit) { v.Open("/personCenter"); v.Me() }},
			{"orderInfo", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=0"); v.Orders().Count(5) }},
			{"orderInfo-pending", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=1"); v.Orders().Count(1) }},
			order("issued", issued["legacy"]),
			{"orderpage-issued-fullscreen", func(v *pages.Visit) { v.Order().ShowToStaff() }},
			order("issued-new", issued["newmovie"]),
			{"orderpage-issued-new-fullscreen", func(v *pages.Visit) { v.Order().ShowToStaff() }},
			order("refunded", refunded),
			order("cancelled", cancelled),
			order("pending", pending),
			{"orderpage-cancel", func(v *pages.Visit) {
				v.Open("/orderpage?id=" + pending)
				v.Order().AskCancel()
			}},
			{
				"securitycards",
				func(v *pages.Visit) { v.Open("/securitycards"); v.WelfareCards().Shows(buyer.Cards[0]) },
			},
			{
				"securitycards-unusable",
				func(v *pages.Visit) { v.Open("/securitycards?active=1"); v.WelfareCards(); v.SeesText("已过期") },
			},
			{"bindingCard", func(v *pages.Visit) { v.Open("/bindingCard"); v.BindCard() }},
			{"payPassword", func(v *pages.Visit) { v.Open("/payPassword"); v.PayPassword(); v.SeesText("修改支付密码") }},
			{"personCenter-logout", func(v *pages.Visit) { v.Open("/personCenter"); v.Me().AskLogOut() }},
		}
	})
}

// Paid orders while the ticketing source issues their tickets, and while goods are delivered.
func TestScreens_Issuing(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00))
		s.PlanFault(harness.Legacy.Provider, "*", "issue-never")
		stuck := buyer.LockSomeSeats(harness.Legacy, 1)
		buyer.PayByCards(stuck)
		buyer.AwaitOverdue(stuck)
		order := buyer.LockSomeSeats(harness.Legacy, 2)
		s.FreezeClock() // so that orders keep their state, however long the page takes
		buyer.PayByCards(order)
		goods := buyer.BuyGoods("手机话费直充", "13800138000")
		v.As(buyer)
		return []scene{
			{"orderpage-issuing",
				func(v *pages.Visit) { v.Open("/orderpage?id=" + order); v.Order().HasState("通知处理中") }},
			{"orderpage-stuck",
				func(v *pages.Visit) { v.Open("/orderpage?id=" + stuck); v.SeesText("系统正在核实") }},
			{"cardorderinfo-delivering",
				func(v *pages.Visit) { v.Open("/cardorderinfo?id=" + goods); v.CardOrder().HasState("充值处理中") }},
		}
	})
}

// A paid order whose issue failed, before the messaging app's refund is complete.
func TestScreens_Failed(t *testing.T) {
	look(t, inApp, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		v.As(buyer)
		s.PlanFault(harness.Legacy.Provider, "*", "issue-refused")
		s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "refund", Do: faults.Status, Status: 500})
		order := buyer.LockSomeSeats(harness.Legacy, 2)
		return []scene{
			{"inapp-orderpage-failed", func(v *pages.Visit) {
				v.PayFor(order).Pay()
				v.PaymentSheet().ApprovePay()
				v.At("/orderInfo")
				buyer.AwaitState(order, "F")
				v.Open("/orderpage?id=" + order)
				v.SeesText("出票失败，等待退款")
			}},
			{"inapp-orderInfo-failed", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=0"); v.Orders().Count(1) }},
		}
	})
}

// The pages of a buyer without cards and orders.
func TestScreens_Empty(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer()
		v.As(buyer)
		return []scene{
			opens("personCenter-empty", "/personCenter", "未设置"),
			opens("orderInfo-empty", "/orderInfo", "暂无订单"),
			opens("securitycards-empty", "/securitycards", "暂无可用的福利卡"),
			{"paymentpage-no-cards", func(v *pages.Visit) {
				v.PayFor(buyer.LockSomeSeats(harness.NewMovie, 1))
				v.SeesText("暂无可用福利卡")
			}},
		}
	})
}

// Inside the messaging app: an identity without a phone, and the pay sheet above the page.
func TestScreens_InApp(t *testing.T) {
	look(t, inApp, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		v.As(buyer)
		return []scene{
			{"inapp-paymentpage", func(v *pages.Visit) { v.PayFor(buyer.LockSomeSeats(harness.Legacy, 1)) }},
			{"inapp-paysheet", func(v *pages.Visit) { v.Payment().Pay(); v.PaymentSheet() }},
		}
	})
}

// When the providers do not answer.
func TestScreens_Failing(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		newmovie, hall := s.Catalog.CinemaPage(harness.NewMovie), s.Catalog.SeatPage(harness.NewMovie)
		v.As(s.NewBuyer())
		// The shop's cached answers of the providers have expired by then.
		s.AdvanceClock(48 * time.Hour)
		for _, provider := range []string{"gateway", "newmovie"} {
			s.PlanFaults(faults.Fault{Provider: provider, Operation: "*", Do: faults.Status, Status: 500})
		}
		retry := "重试"
		return []scene{
			opens("multiplexNewDetail-failing", newmovie, retry),
			opens("filmNewSeat-failing", hall, retry),
			opens("hotlist-failing", "/hotlist", retry),
			opens("multiplex-failing", "/multiplex"),
			opens("index-failing", "/index"),
		}
	})
}

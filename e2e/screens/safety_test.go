package screens

import (
	"testing"
	"time"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// Account and security: changing and removing phone and messaging app, the copy of personal data, closing the account.
func TestScreens_Safety(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(88_00), harness.WithIdentity(harness.BoundOpenID))
		v.As(buyer)
		return []scene{
			opens("accountSecurity", "/accountSecurity", "账号与安全"),
			opens("changePhone", "/changePhone", "新手机号"),
			opens("changePhone-lost", "/changePhone?lost=1", "支付密码"),
			opens("unbind-phone", "/unbind?what=phone", "确认解绑"),
			opens("unbind-wechat", "/unbind?what=wechat", "确认解绑"),
			opens("closeAccount", "/closeAccount", "将放弃的权益"),
			{"closeAccount-unfinished", func(v *pages.Visit) {
				order := buyer.LockSomeSeats(harness.Legacy, 1)
				v.Open("/closeAccount")
				v.SeesText("待付款")
				buyer.Cancel(order)
			}},
			{"exportData", func(v *pages.Visit) {
				v.Open("/exportData")
				s.AdvanceClock(time.Minute)
				v.AccountSecurity().EnterCode(buyer.Phone)
				v.AccountSecurity().Press("获取副本")
				v.SeesText("下载完整副本")
			}},
		}
	})
}

// Sessions with restricted access: of a phone that was not used for long, and by a link.
func TestScreens_Access(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithPassword(), harness.WithIdentity(harness.BoundOpenID))
		linked := s.NewBuyer()
		return []scene{
			{"personCenter-linked", func(v *pages.Visit) {
				v.Open("/personCenter?token=" + linked.Token)
				v.SeesText("不是我，退出")
				v.Me().ShowsPhone(linked.Phone)
			}},
			{"confirmAccount-linked", func(v *pages.Visit) {
				v.Open("/confirmAccount")
				v.SeesText("请先验证手机号")
			}},
			{"personCenter-limited", func(v *pages.Visit) {
				s.AdvanceClock(100 * 24 * time.Hour)
				v.Open("/login")
				v.Login().LogIn(buyer.Phone)
				v.SeesToast("登录成功")
				v.Open("/personCenter")
				v.SeesText("账号归属待确认")
			}},
			{"confirmAccount-limited", func(v *pages.Visit) {
				v.Open("/confirmAccount")
				v.SeesText("号码可能已更换机主")
			}},
		}
	})
}

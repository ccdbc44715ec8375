package visiting

import (
	"testing"
	"time"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

func TestPaymentPassword_Set(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s)
	visit.Open("/personCenter")
	visit.Me().Open("支付密码")
	page := visit.PayPassword()
	for _, row := range []struct{ password, again, code, message string }{
		{"12345", "", "", "请输入6位密码"},
		{"246810", "", "", "请再次输入6位密码"},
		{"246810", "246811", "", "两次输入密码不一致"},
		{"246810", "246810", "", "请输入验证码"},
	} {
		page.Fill(row.password, row.again, row.code)
		page.RejectsIncompleteForm("确定", row.message)
	}
	page.Submit("246810", "246810", "000000")
	visit.SeesFieldMessage("验证码", "验证码错误或已过期")
	s.AdvanceClock(time.Minute)
	page.Set("246810", buyer)
	visit.Me()
	visit.SeesText("已设置")
}

func TestBindCard(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	_, visit := visiting(s)
	card, foreign := s.Backoffice.NewCard(88_00), s.Backoffice.NewCard(5_00)
	s.NewBuyer().Bind(foreign)

	visit.Open("/personCenter")
	visit.Me().Open("我的福利卡")
	visit.WelfareCards().Bind()
	page := visit.BindCard()
	page.RejectsIncompleteForm("立即绑定", "请输入卡号")
	page.Fill(harness.Card{Number: card.Number})
	page.RejectsIncompleteForm("立即绑定", "请输入密码")
	for _, row := range []struct {
		card    harness.Card
		message string
	}{
		{harness.Card{Number: card.Number, Password: "00000000"}, "卡号或密码错误，还可尝试 4 次"},
		{harness.Card{Number: "8019999999999999", Password: card.Password}, "卡号或密码错误，还可尝试 3 次"},
		{foreign, "该卡已被绑定"},
	} {
		page.Submit(row.card)
		visit.SeesFieldMessage("密码", row.message)
	}
	page.Submit(card)
	visit.SeesToast("绑定成功")
	visit.Me().Open("我的福利卡")
	visit.WelfareCards().Shows(card)
}

func TestCards_Tabs(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s)
	small, large := s.Backoffice.NewCard(5_00), s.Backoffice.NewCard(300_00)
	buyer.Bind(small)
	buyer.Bind(large)
	visit.Open("/securitycards")
	cards := visit.WelfareCards()
	cards.Shows(small)
	cards.Shows(large)
	cards.Sort("到期优先")
	cards.First(large)
	cards.Sort("点数降序")
	cards.First(small)
	cards.Tab("即将过期")
	visit.SeesText("没有即将过期的福利卡")
	cards.Tab("不可用")
	visit.SeesText("暂无福利卡")
}

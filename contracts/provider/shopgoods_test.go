//go:build pact

package provider_test

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/goods"
)

// goodsStates are goods to buy and orders of goods.
func (s *shop) goodsStates() map[string]func() values {
	return map[string]func() values{
		"goods on the shelves": func() values {
			one := s.offered("melody")
			return values{"id": id(one.Goods.ID), "fid": id(one.Goods.CategoryID)}
		},
		"goods for a buyer with a card": func() values { return s.goodsFor("melody", harness.WithCard(enough)) },
		"goods for a buyer with too little on a card": func() values {
			return s.goodsDue("melody", harness.WithCard(tooLittle), s.withIdentity())
		},
		"goods that recharge an account, for a buyer with a card": func() values {
			return s.goodsFor("phone", harness.WithCard(enough))
		},
		"goods that are sold out, for a buyer with a card": func() values {
			s.Backoffice.CountStock("sing-1", 0)
			return s.goodsFor("sing", harness.WithCard(enough))
		},
		"an unpaid goods order": s.unpaidGoods,
		"an unpaid goods order for the messaging app": func() values {
			v := s.unpaidGoods() // without a card: the fields for cards stay as in the pact
			delete(v, "ka_ids")
			delete(v, "fulika")
			return v
		},
		"a goods order with codes": func() values { return s.bought("melody") },
		"a refunded goods order":   s.refundedGoods,
	}
}

func id(n int64) string { return strconv.FormatInt(n, 10) }

// offered is the first specification of the demo goods with this code in the back office.
func (s *shop) offered(code string) goods.Offer {
	offers, err := s.Shop.Goods().All(s.T.Context())
	require.NoError(s.T, err)
	for _, o := range offers {
		if o.Goods.Code == code {
			return o
		}
	}
	require.Fail(s.T, "the demo data has no goods "+code)
	return goods.Offer{}
}

// goodsFor is a new buyer and a specification to buy. The account to recharge is the one in the pact.
func (s *shop) goodsFor(code string, traits ...harness.Trait) values {
	return s.goodsOf(s.NewBuyer(traits...), code)
}

func (s *shop) goodsOf(b *harness.Buyer, code string) values {
	v := payerValues(b)
	delete(v, "phone")
	v["ggid"], v["key"] = id(s.offered(code).SKU.ID), orderNo()
	return v
}

// goodsDue is goodsFor with the amount that the cards leave to the messaging app.
func (s *shop) goodsDue(code string, traits ...harness.Trait) values {
	v := s.goodsFor(code, traits...)
	var quote struct{ Wxprice string }
	s.post(v, "/Film/pay_date", map[string]string{
		"ggid": v.text("ggid"), "number": "1", "position": "1", "fulika": v.text("fulika"),
	}, &quote)
	return with(v, "wxprice", quote.Wxprice)
}

// bought is an order of goods that a card has paid.
func (s *shop) bought(code string) values {
	v := s.goodsFor(code, harness.WithCard(enough))
	var paid struct {
		OrderNo string `json:"order_no"`
	}
	s.post(v, "/Film/flkpay", map[string]string{
		"ggid": v.text("ggid"), "number": "1", "position": "1",
		"ka_ids": v.text("ka_ids"), "pass": harness.PaymentPassword,
	}, &paid)
	v["id"], v["oid"], v["order_no"] = paid.OrderNo, paid.OrderNo, paid.OrderNo
	return v
}

// unpaidGoods is an order for the messaging app, by a buyer who has a card as well.
func (s *shop) unpaidGoods() values {
	v := s.goodsFor("melody", harness.WithCard(enough), s.withIdentity())
	var opened struct {
		OrderNo string `json:"order_no"`
	}
	s.post(v, "/Kaquan/wxpay", map[string]string{
		"ggid": v.text("ggid"), "number": "1", "position": "1", "openid": v.text("openid"),
	}, &opened)
	v["id"], v["oid"], v["order_no"], v["wxprice"] = opened.OrderNo, opened.OrderNo, opened.OrderNo, "15.00"
	return v
}

// refundedGoods is the recharge of an account that cannot be recharged, with a complete refund.
func (s *shop) refundedGoods() values {
	b := s.NewBuyer(harness.WithCard(enough))
	v := s.goodsOf(b, "phone")
	no := b.BuyGoods("手机话费直充", "13800130000")
	v["id"], v["oid"], v["order_no"] = no, no, no
	require.Len(s.T, b.AwaitCardOrder(no, 7).Refunds, 1)
	return v
}

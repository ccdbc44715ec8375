//go:build pact

package provider_test

import (
	"fmt"
	"strconv"
)

// goodsStates are those around goods.
func (s *shop) goodsStates() map[string]state {
	return map[string]state{
		"goods on the shelves":                                    s.shelves,
		"goods for a buyer with a card":                           s.goodsFor("melody", s.password, s.card(50000)),
		"goods for a buyer with too little on a card":             s.goodsDue("melody", s.password, s.card(1000), s.identity),
		"goods for a buyer in the messaging app":                  s.goodsDue("melody", s.identity),
		"goods that recharge an account, for a buyer with a card": s.goodsFor("phone", s.password, s.card(50000)),
		"goods that are sold out, for a buyer with a card":        s.soldOut,
		"an unpaid goods order":                                   s.unpaidGoods,
		"an unpaid goods order for the messaging app":             s.unpaidGoodsForTheApp,
		"a goods order with codes":                                s.boughtCodes,
		"a refunded goods order":                                  s.refundedGoods,
	}
}

// offered is the first specification of the demo goods, which the back office knows by this name.
func (s *shop) offered(code string) (goodsID, categoryID, skuID string, err error) {
	offers, err := s.app.Goods().All(s.t.Context())
	if err != nil {
		return "", "", "", err
	}
	for _, o := range offers {
		if o.Goods.Code == code {
			id := func(n int64) string { return strconv.FormatInt(n, 10) }
			return id(o.Goods.ID), id(o.Goods.CategoryID), id(o.SKU.ID), nil
		}
	}
	return "", "", "", fmt.Errorf("no goods %s", code)
}

func (s *shop) shelves() (values, error) {
	id, fid, _, err := s.offered("melody")
	return values{"id": id, "fid": fid}, err
}

// goodsFor is a new buyer and a specification to buy. The account to be recharged is the pact's.
func (s *shop) goodsFor(code string, traits ...trait) state {
	return func() (values, error) {
		v, err := s.buyer(traits...)
		if err != nil {
			return nil, err
		}
		delete(v, "phone")
		_, _, v["ggid"], err = s.offered(code)
		v["key"] = orderNo()
		return v, err
	}
}

// goodsDue is goodsFor with what the cards leave to the messaging app.
func (s *shop) goodsDue(code string, traits ...trait) state {
	return func() (values, error) {
		v, err := s.goodsFor(code, traits...)()
		if err != nil {
			return nil, err
		}
		cards, _ := v["fulika"].(string)
		var quote struct{ Wxprice string }
		err = s.call(v["token"].(string), "/Film/pay_date", map[string]string{"ggid": v["ggid"].(string), "number": "1", "position": "1", "fulika": cards}, &quote)
		v["wxprice"] = quote.Wxprice
		return v, err
	}
}

func (s *shop) soldOut() (values, error) {
	if err := s.app.Goods().SetStock(s.t.Context(), "sing-1", 0, "pact"); err != nil {
		return nil, err
	}
	return s.goodsFor("sing", s.password, s.card(50000))()
}

// buyGoods buys with the buyer's card, and notes the order's number.
func (s *shop) buyGoods(v values, account string) (values, error) {
	var paid struct {
		OrderNo string `json:"order_no"`
	}
	err := s.call(v["token"].(string), "/Film/flkpay", map[string]string{
		"ggid": v["ggid"].(string), "number": "1", "position": "1", "phone": account, "ka_ids": v["ka_ids"].(string), "pass": paymentPassword,
	}, &paid)
	v["id"], v["oid"], v["order_no"] = paid.OrderNo, paid.OrderNo, paid.OrderNo
	return v, err
}

func (s *shop) boughtCodes() (values, error) {
	v, err := s.goodsFor("melody", s.password, s.card(50000))()
	if err != nil {
		return nil, err
	}
	return s.buyGoods(v, "")
}

// unpaidGoods is an order that the messaging app was to pay, by a buyer who has a card as well.
func (s *shop) unpaidGoods() (values, error) {
	v, err := s.goodsFor("melody", s.password, s.card(50000), s.identity)()
	if err != nil {
		return nil, err
	}
	var opened struct {
		OrderNo string `json:"order_no"`
	}
	err = s.call(v["token"].(string), "/Kaquan/wxpay", map[string]string{
		"ggid": v["ggid"].(string), "number": "1", "position": "1", "openid": v["openid"].(string),
	}, &opened)
	v["id"], v["oid"], v["order_no"], v["wxprice"] = opened.OrderNo, opened.OrderNo, opened.OrderNo, "15.00"
	return v, err
}

// unpaidGoodsForTheApp is one whose buyer uses no card: the field for cards stays as the pact has it.
func (s *shop) unpaidGoodsForTheApp() (values, error) {
	v, err := s.unpaidGoods()
	delete(v, "ka_ids")
	delete(v, "fulika")
	return v, err
}

// refundedGoods is a recharge of an account that cannot be recharged, with everything paid back.
func (s *shop) refundedGoods() (values, error) {
	v, err := s.goodsFor("phone", s.password, s.card(50000))()
	if err != nil {
		return nil, err
	}
	if v, err = s.buyGoods(v, "13800130000"); err != nil {
		return nil, err
	}
	return v, poll(nil, func() (bool, error) {
		var shown struct {
			Order struct {
				State   int
				Refunds []struct{ State string }
			} `json:"kqorder"`
		}
		err := s.call(v["token"].(string), "/Dyorder/kqshow", map[string]string{"id": v["id"].(string)}, &shown)
		done := shown.Order.State == 7 && len(shown.Order.Refunds) == 1 && shown.Order.Refunds[0].State == "done"
		if err == nil && !done {
			s.sims.Default().Clock().Advance(2e9)
		}
		return done, err
	})
}

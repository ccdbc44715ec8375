//go:build pact

package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"marquee/server/backoffice"
	"marquee/server/demo"
)

// cardStates are those of welfare cards. Of a card its id goes by three names on the wire.
func (s *shop) cardStates() map[string]state {
	return map[string]state{
		"a card of the buyer":        func() (values, error) { return s.buyer(s.shownCard(50000), s.identity) },
		"an empty card of the buyer": func() (values, error) { return s.buyer(s.shownCard(100), s.emptied) },
		"a card with records":        func() (values, error) { return s.buyer(s.shownCard(50000), s.recorded) },
		"somebody else's card":       s.foreignCard,
		"two cards of a type":        func() (values, error) { return s.buyer(s.pair(1, 1)) },
		"two cards of two types":     func() (values, error) { return s.buyer(s.pair(1, 3)) },
		"two cards whose merge was shown": func() (values, error) {
			return s.buyer(s.pair(1, 1), s.mergeShown)
		},
		"two cards whose merge was shown before a balance changed": func() (values, error) {
			return s.buyer(s.pair(1, 1), s.mergeShown, s.recorded)
		},
		"a card that can be scanned": s.scannable,
		"a page to be signed": func() (values, error) {
			v, err := s.buyer()
			return s.with(v, "url", s.url+"/bindingCard"), err
		},
		"a recharge paid in the messaging app": s.rechargePaid(true),
		"a recharge that waits for its money":  s.rechargePaid(false),
	}
}

func (s *shop) with(v values, name, value string) values {
	if v != nil {
		v[name] = value
	}
	return v
}

// shownCard binds a new card with hundredths of a point, and names it as its own calls do.
func (s *shop) shownCard(points int64) trait {
	return func(v values) error {
		number, pass, err := s.newCard(points)
		if err != nil {
			return err
		}
		id, err := s.bindTo(v, number, pass)
		v["khid"], v["kid"], v["card_id"], v["number"] = id, id, id, number
		return err
	}
}

func (s *shop) bindTo(v values, number, pass string) (string, error) {
	var bound struct{ ID string }
	err := s.call(v["token"].(string), "/api/api.php/Card/addbinding", map[string]string{"kahao": number, "pass": pass}, &bound)
	return bound.ID, err
}

// adjust changes a card in the back office.
func (s *shop) adjust(number, points string, deduct bool) error {
	office, err := s.app.BackOffice("pact")
	if err != nil {
		return err
	}
	change := office.Cards.Recharge
	if deduct {
		change = office.Cards.Deduct
	}
	_, err = change(s.t.Context(), backoffice.Adjustment{Number: number, Points: points, Days: 365, Reason: "契约测试"})
	return err
}

func (s *shop) emptied(v values) error { return s.adjust(v["number"].(string), "1.00", true) }

func (s *shop) recorded(v values) error {
	if err := s.adjust(v["number"].(string), "12.34", false); err != nil {
		return err
	}
	return s.adjust(v["number"].(string), "2.00", true)
}

// foreignCard is a buyer, and the card of another.
func (s *shop) foreignCard() (values, error) {
	v, err := s.buyer(s.shownCard(50000))
	if err != nil {
		return nil, err
	}
	other, err := s.buyer(s.identity)
	maps.Copy(v, other)
	return v, err
}

// pair binds two cards, of 300 and 20.5 points.
func (s *shop) pair(first, second int) trait {
	return func(v values) error {
		var ids []string
		for i, c := range []demo.Card{{PID: first, Points: 30000}, {PID: second, Points: 2050}} {
			n := s.last.Add(1)
			c.Kahao, c.Pass, c.ExpiresInDays = fmt.Sprintf("80188889%d", 10_000_000+n), fmt.Sprint(20_000_000+n), 365
			if err := s.app.SeedDemo(s.t.Context(), []demo.Card{c}); err != nil {
				return err
			}
			id, err := s.bindTo(v, c.Kahao, c.Pass)
			if err != nil {
				return err
			}
			if ids = append(ids, id); i == 0 {
				v["number"] = c.Kahao
			}
		}
		v["fulika"] = strings.Join(ids, ",")
		return nil
	}
}

// mergeShown asks what the merge would do, and keeps the code that confirms it.
func (s *shop) mergeShown(v values) error {
	var check struct{ Code string }
	err := s.call(v["token"].(string), "/api/api.php/Card/checkmergecards", map[string]string{"fulika": v["fulika"].(string), "pid": "1"}, &check)
	v["code"] = check.Code
	return err
}

func (s *shop) scannable() (values, error) {
	v, err := s.buyer()
	if err != nil {
		return nil, err
	}
	number, pass, err := s.newCard(50000)
	v["content"] = number + ":" + pass
	return v, err
}

// rechargePaid is an order for points, and whether the phone has paid it.
func (s *shop) rechargePaid(paid bool) state {
	return func() (values, error) {
		v, err := s.buyer(s.shownCard(50000), s.identity)
		if err != nil {
			return nil, err
		}
		var prepaid struct {
			Params  struct{ Package string } `json:"jsApiParameters"`
			OrderNo string                   `json:"order_no"`
		}
		err = s.call(v["token"].(string), "/api/api.php/Card/czwxpay", map[string]string{
			"card_id": v["card_id"].(string), "num": "12.34", "openid": v["openid"].(string),
		}, &prepaid)
		if err != nil {
			return nil, err
		}
		v["order_no"] = prepaid.OrderNo
		if !paid {
			return v, nil
		}
		return v, s.payOnPhone(prepaid.Params.Package)
	}
}

// payOnPhone pays what a page was prepared to pay, as somebody with the phone in their hand.
func (s *shop) payOnPhone(pack string) error {
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":"pay"}`, strings.TrimPrefix(pack, "prepay_id="))
	resp, err := http.Post(s.sims.URL()+"/sim/v1/wechat/pay", "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("pay: status %d", resp.StatusCode)
	}
	return nil
}

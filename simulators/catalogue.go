package simulators

import (
	"strconv"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// catalogue is every value of the world that an outside client needs.
func (w *World) catalogue() control.Catalogue {
	c := control.Catalogue{
		World: w.ID(), Seed: w.Seed(), ChannelNo: w.credentials.Shop.ChannelNo, Credentials: w.credentials,
		Phones: append([]dataset.Magic{
			{Value: sms.PhoneLimited, Effect: "SMS: refused with isv.BUSINESS_LIMIT_CONTROL"},
			{Value: sms.PhoneIllegal, Effect: "SMS: refused with isv.MOBILE_NUMBER_ILLEGAL"},
			{Value: sms.PhoneNoBalance, Effect: "SMS: refused with isv.AMOUNT_NOT_ENOUGH"},
			{Value: sms.PhoneSystemError, Effect: "SMS: fails with isp.SYSTEM_ERROR"},
			{Value: sms.PhoneNotDelivered, Effect: "SMS: accepted, and nothing arrives"},
		}, dataset.MagicMobiles...),
		Amounts: []dataset.Magic{
			{Value: strconv.Itoa(wechat.AmountCancelAfterPay), Effect: "payment: the bridge says cancel although the money moved"},
			{Value: strconv.Itoa(wechat.AmountAbnormalRefund), Effect: "payment: a refund of it ends as ABNORMAL"},
		},
		CardTypes:   dataset.CardTypes(),
		Addresses:   w.addresses(),
		Environment: w.environment(),
	}
	for _, coupon := range w.credentials.Coupons {
		c.CouponCodes = append(c.CouponCodes, coupon.Pass)
	}
	for _, i := range wechat.Identities() {
		c.OpenIDs = append(c.OpenIDs, control.Identity{OpenID: i.OpenID, Name: i.Name, Note: i.Note})
	}
	return c
}

// codes is what can be scanned: the demo cards as number:password, and the coupons' codes.
func codes(c dataset.Credentials) (list []wechat.Code) {
	types := dataset.CardTypes()
	name := func(card dataset.Card) string { return types[strconv.Itoa(card.PID)] + " " + card.Kahao }
	for _, card := range c.Cards {
		list = append(list, wechat.Code{Name: name(card), Content: card.Kahao + ":" + card.Pass})
	}
	for _, coupon := range c.Coupons {
		list = append(list, wechat.Code{Name: name(coupon) + "（兑换码）", Content: coupon.Pass})
	}
	return list
}

func (w *World) addresses() control.Addresses {
	a := control.Addresses{
		Gateway: w.URL() + "/gateway", NewMovie: w.URL() + "/newmovie", Control: w.URL() + "/sim/v1", Console: w.URL() + "/",
		Phone: w.URL() + "/phone", Shop: w.AppURL(),
	}
	if w.id != "" {
		a.Console += "?world=" + w.id
		a.Phone += "?world=" + w.id
	}
	return a
}

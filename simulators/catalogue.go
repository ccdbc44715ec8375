package simulators

import (
	"strconv"

	"marquee/simulators/control"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
	"marquee/simulators/world"
)

// catalogue is every value of the demo world that an outside client needs.
func catalogue(env Env) control.Catalogue {
	c := control.Catalogue{
		Seed: env.Seed, ChannelNo: env.Credentials.Shop.ChannelNo, Credentials: env.Credentials,
		Phones: append([]world.Magic{
			{Value: sms.PhoneLimited, Effect: "SMS: refused with isv.BUSINESS_LIMIT_CONTROL"},
			{Value: sms.PhoneIllegal, Effect: "SMS: refused with isv.MOBILE_NUMBER_ILLEGAL"},
			{Value: sms.PhoneNoBalance, Effect: "SMS: refused with isv.AMOUNT_NOT_ENOUGH"},
			{Value: sms.PhoneSystemError, Effect: "SMS: fails with isp.SYSTEM_ERROR"},
			{Value: sms.PhoneNotDelivered, Effect: "SMS: accepted, and nothing arrives"},
		}, world.MagicMobiles...),
		Amounts: []world.Magic{
			{Value: strconv.Itoa(wechat.AmountCancelAfterPay), Effect: "payment: the bridge says cancel although the money moved"},
			{Value: strconv.Itoa(wechat.AmountAbnormalRefund), Effect: "payment: a refund of it ends as ABNORMAL"},
		},
		Addresses: control.Addresses{
			Gateway: env.URL() + "/gateway", NewMovie: env.URL() + "/newmovie", Control: env.URL() + "/sim/v1", Console: env.URL() + "/",
			Phone: env.URL() + "/phone", Shop: env.AppURL(),
		},
		Environment: shopEnvironment(env),
	}
	for _, coupon := range env.Credentials.Coupons {
		c.CouponCodes = append(c.CouponCodes, coupon.Pass)
	}
	for _, i := range wechat.Identities() {
		c.OpenIDs = append(c.OpenIDs, control.Identity{OpenID: i.OpenID, Name: i.Name, Note: i.Note})
	}
	return c
}

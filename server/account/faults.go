package account

import (
	"errors"
	"fmt"
	"math"
	"time"

	"marquee/server/durations"
	"marquee/server/fault"
)

// ErrNoLiveCode is joined to ErrCodeWrong if no code was sent, or no usable one is left.
var ErrNoLiveCode = errors.New("account: no code is live")

// Faults of login, identities and payment passwords.
var (
	ErrLoginRequired = fault.New(fault.Unauthenticated, "login_required", "请先登录")
	ErrPhoneInvalid  = fault.New(fault.Invalid, "phone_invalid", "请输入正确的手机号")
	ErrPhoneRejected = fault.New(fault.Invalid, "phone_refused", "该手机号无法接收短信")
	ErrSMSLimited    = fault.New(fault.Limited, "sms_limited", "发送过于频繁，请稍后再试")
	// ErrSMSCeiling means that the shop has sent as many codes as Limits.ShopHour allows.
	ErrSMSCeiling = fault.New(fault.Limited, "sms_ceiling", "短信服务繁忙，请稍后再试或使用微信登录")
	// ErrChallengeRequired asks the web app to show the challenge and to repeat the request with its answer.
	ErrChallengeRequired = fault.New(fault.Forbidden, "challenge_required", "请先完成安全验证")
	ErrChallengeFailed   = fault.New(fault.Forbidden, "challenge_failed", "安全验证未通过，请重试")

	ErrCodeRequired = fault.New(fault.Invalid, "code_required", "请输入验证码")
	// ErrCodeWrong has TriesLeft only if the client that entered the code had also asked for it.
	ErrCodeWrong      = fault.New(fault.Invalid, "code_wrong", "验证码错误或已过期")
	ErrCodeLocked     = fault.New(fault.Limited, "code_locked", "验证码错误次数过多，请重新获取")
	ErrOAuthCode      = fault.New(fault.Invalid, "oauth_code_invalid", "微信授权已失效，请重试")
	ErrOAuthState     = fault.New(fault.Forbidden, "oauth_state_invalid", "微信授权已失效，请重试")
	ErrOpenIDUnproven = fault.New(fault.Forbidden, "openid_unproven", "微信身份已过期，请重新登录")
	ErrOpenIDInvalid  = fault.New(fault.Invalid, "openid_invalid", "微信身份有误，请重新授权")
	// ErrProofBrowser means that the proof is valid, but only in the browser for which it was made.
	ErrProofBrowser    = fault.New(fault.Forbidden, "proof_other_browser", "微信授权只在原浏览器有效，请在此重新授权")
	ErrLinkToken       = fault.New(fault.Invalid, "link_token_invalid", "登录链接已失效，请重新登录")
	ErrPhoneMissing    = fault.New(fault.Conflict, "phone_missing", "请先绑定手机号")
	ErrPhoneTaken      = fault.New(fault.Conflict, "phone_taken", "该手机号已注册其他账号")
	ErrPhoneSame       = fault.New(fault.Invalid, "phone_same", "新手机号不能与当前手机号相同")
	ErrIdentityMissing = fault.New(fault.Conflict, "identity_missing", "请先绑定微信，再解绑手机号")
	ErrIdentityUnbound = fault.New(fault.Conflict, "identity_unbound", "未绑定微信")
	// ErrIdentityMismatch means that the proven identity is not bound to the account.
	ErrIdentityMismatch = fault.New(fault.Forbidden, "identity_mismatch", "请使用已绑定的微信验证")

	ErrSessionUnknown = fault.New(fault.NotFound, "session_unknown", "该设备已退出登录")
	ErrReauthRequired = fault.New(fault.Forbidden, "reauth_required", "请先验证身份")
	// ErrAccessLimited rejects what a session with LimitedAccess may not do.
	ErrAccessLimited = fault.New(fault.Forbidden, "access_limited", "请先确认账号归属")
	// ErrLinkUnconfirmed rejects what a session with LinkAccess may not do.
	ErrLinkUnconfirmed = fault.New(fault.Forbidden, "link_unconfirmed", "请先验证手机号")
	ErrIdentityTaken   = fault.New(fault.Conflict, "identity_taken", "该微信已绑定其他账号")
	// ErrIdentityFurther asks the web app to let the buyer confirm that the account should have a further identity.
	ErrIdentityFurther = fault.New(fault.Conflict, "identity_further", "该账号已绑定其他微信，请确认是否再绑定一个")
	// ErrIdentityUnconfirmed means that no SMS code was entered when the identity was bound; see
	// BoundIdentity.Confirmed.
	ErrIdentityUnconfirmed = fault.New(
		fault.Forbidden, "identity_unconfirmed", "该微信绑定时未验证手机号，请先在“账号与安全”中确认",
	)
	ErrPasswordFormat  = fault.New(fault.Invalid, "password_format", "请输入6位数字密码")
	ErrPasswordWeak    = fault.New(fault.Invalid, "password_weak", "密码过于简单，请更换")
	ErrPasswordMissing = fault.New(fault.Conflict, "payment_password_missing", "请先设置支付密码")
	// ErrPasswordOutdated means that the pepper of the stored hash is no longer configured.
	ErrPasswordOutdated = fault.New(fault.Conflict, "payment_password_outdated", "支付密码已失效，请重新设置")
	ErrPasswordRequired = fault.New(fault.Invalid, "payment_password_required", "请输入支付密码")
	// ErrPasswordWrong contains, in TriesLeft, how many tries are left before the lock.
	ErrPasswordWrong = fault.New(fault.Forbidden, "payment_password_wrong", "支付密码错误")
	// ErrPasswordLocked is returned by PasswordLockedUntil, with the time at which the lock ends.
	ErrPasswordLocked = fault.New(fault.Limited, "payment_password_locked", "密码错误次数过多")
)

// PasswordLockedUntil returns ErrPasswordLocked with the end of the lock, until, and the wait from now to it.
func PasswordLockedUntil(until, now time.Time) error {
	wait := until.Sub(now)
	rest := fmt.Sprintf("请%d分钟后再试", int(math.Ceil(wait.Minutes())))
	switch {
	case wait > 2*durations.Day:
		rest = fmt.Sprintf("请%d天后再试，或重新设置支付密码", int(math.Ceil(wait.Hours()/24)))
	case wait > durations.PasswordLock:
		rest = fmt.Sprintf("请%d小时后再试，或重新设置支付密码", int(math.Ceil(wait.Hours())))
	}
	return ErrPasswordLocked.WithLock(until, now).WithMessage(ErrPasswordLocked.Message + "，" + rest)
}

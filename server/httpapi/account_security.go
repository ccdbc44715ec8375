package httpapi

import (
	"context"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/personal"
)

// AccountSecurity changes what gives access to an account: its phone, its identities and its sessions.
type AccountSecurity interface {
	// SendOwnCode sends a code for the purpose to the account's own phone. It returns account.ErrPhoneMissing, and the
	// errors of CodeLogin.SendLoginCode.
	SendOwnCode(ctx context.Context, userID int64, purpose account.Purpose, from account.Origin) error
	// SendNewPhoneCode sends a code to the phone that the account will get. It returns the errors of
	// CodeLogin.SendLoginCode.
	SendNewPhoneCode(ctx context.Context, userID int64, phone string, from account.Origin) error
	// ChangePhone gives the account another phone, and ends all its sessions except the one with the token. It returns
	// account.ErrPhoneInvalid, account.ErrPhoneSame, account.ErrPhoneTaken, account.ErrReauthRequired, and the errors
	// of codes, passwords and proofs.
	ChangePhone(ctx context.Context, u account.User, token string, c account.ChangePhone) error
	// UnbindPhone removes the phone, and ends all sessions except the one with the token. code is the one that was sent
	// to the phone. It returns account.ErrPhoneMissing, account.ErrIdentityMissing or an error of the code.
	UnbindPhone(ctx context.Context, u account.User, token, code string) error
	// UnbindIdentity removes an identity in the messaging app, or all if openID is "", and ends all sessions except the
	// one with the token. code is the one that was sent to the phone. It returns account.ErrPhoneMissing,
	// account.ErrIdentityUnbound or an error of the code.
	UnbindIdentity(ctx context.Context, u account.User, token, code, openID string) error
	// Sessions lists the sessions of a buyer, the latest used first.
	Sessions(ctx context.Context, userID int64) ([]account.LiveSession, error)
	// Identities lists the identities of a buyer, the latest proven first.
	Identities(ctx context.Context, userID int64) ([]account.BoundIdentity, error)
	// EndSession ends a session. It returns account.ErrSessionUnknown if the buyer has no such session.
	EndSession(ctx context.Context, userID int64, id string) error
	// EndOtherSessions ends all sessions except the one with the token.
	EndOtherSessions(ctx context.Context, userID int64, token string) error
}

// AccountCloser closes accounts.
type AccountCloser interface {
	// Preview returns what closing the account would mean now, and changes nothing.
	Preview(ctx context.Context, userID int64) (personal.Closing, error)
	// Close closes the account for good and ends all sessions. points is the exact number of points that the buyer
	// gives up. It returns personal.ErrOrdersUnfinished, personal.ErrPointsUnconfirmed and the errors of the proof.
	Close(ctx context.Context, u account.User, points money.Points, proof account.Reauth) error
}

// DataExporter copies what the shop holds of a buyer.
type DataExporter interface {
	// Export uses up the proof and returns the copy. It returns the errors of the proof.
	Export(ctx context.Context, u account.User, proof account.Reauth) (personal.Copy, error)
}

// accountSecurity serves the page of account and security, the closing of accounts and the copy of personal data.
type accountSecurity struct {
	security   AccountSecurity
	identities Identities
	closer     AccountCloser
	exporter   DataExporter
}

// errPurpose means that the field purpose is missing or has an unknown value.
var errPurpose = fault.New(fault.Invalid, "purpose_unknown", "请求参数有误")

// SecurityPage is what the page of account and security shows.
type SecurityPage struct {
	Phone       string `json:"phone"`        // masked; "" without one
	WeChat      bool   `json:"wechat"`       // whether the account has an identity in the messaging app
	HasPassword bool   `json:"has_password"` // whether the buyer has set a payment password
	// What confirming the session needs: "code", or "owner" for the payment password or an identity; missing if the
	// session may do everything.
	NextProof account.NextProof `json:"next_proof,omitempty" enum:"code,owner"`
}

// show returns the phone of the account, and whether the account has an identity and a payment password.
func (s accountSecurity) show(ctx context.Context, r *request, _ none) (SecurityPage, error) {
	openID, err := s.identities.OpenID(ctx, r.user.ID)
	return SecurityPage{account.MaskPhone(r.user.Phone), openID != "", r.user.HasPassword, r.session.NextProof()}, err
}

// SendOwnCode asks for a code to the buyer's own phone.
type SendOwnCode struct {
	Purpose CodePurpose `form:"purpose"` // what the code is for; a missing one is an error
}

// sendCode sends a code for a purpose to the buyer's own phone, and returns when the next one may be sent. A session
// with limited access gets codes for the purpose "session" only.
func (s accountSecurity) sendCode(ctx context.Context, r *request, in SendOwnCode) (wire.Wait, error) {
	purpose := account.Purpose(in.Purpose)
	if purpose != account.ForSession {
		if err := r.session.Owner(); err != nil {
			return wire.Wait{}, err
		}
	}
	return codeSent, s.security.SendOwnCode(ctx, r.user.ID, purpose, originOf(r))
}

// SendNewPhoneCode asks for a code to a phone that the account will get.
type SendNewPhoneCode struct {
	ChallengeAnswer
	Phone PhoneNumber `form:"phone"` // the phone that the account will get; a missing one is an error
}

// sendNewPhoneCode sends a code to the phone that the account will get, and returns when the next one may be sent.
func (s accountSecurity) sendNewPhoneCode(ctx context.Context, r *request, in SendNewPhoneCode) (wire.Wait, error) {
	from := originOf(r)
	from.Answer = account.ChallengeAnswer(in.ChallengeAnswer)
	return codeSent, s.security.SendNewPhoneCode(ctx, r.user.ID, string(in.Phone), from)
}

// passwordFaults are the errors of every call that compares the payment password.
var passwordFaults = []*fault.Fault{
	account.ErrPasswordRequired, account.ErrPasswordFormat, account.ErrPasswordMissing, account.ErrPasswordOutdated,
	account.ErrPasswordWrong, account.ErrPasswordLocked, account.ErrPasswordBusy,
}

// reauthFaults are the errors of every call that requires a proof that the buyer owns the account.
var reauthFaults = errorsOf(codeFaults, identityFaults, []*fault.Fault{
	account.ErrReauthRequired, account.ErrIdentityMismatch, account.ErrIdentityUnconfirmed,
})

// sendOwnCodeFaults are the errors of sending a code to the buyer's own phone.
var sendOwnCodeFaults = errorsOf(sendCodeFaults, []*fault.Fault{
	account.ErrPhoneMissing, account.ErrAccessLimited, errPurpose,
})

// changePhoneFaults are the errors of giving the account another phone.
var changePhoneFaults = errorsOf(reauthFaults, passwordFaults, []*fault.Fault{
	account.ErrPhoneSame, account.ErrPhoneTaken, account.ErrLinkUnconfirmed,
})

// unbindPhoneFaults are the errors of removing the phone.
var unbindPhoneFaults = errorsOf(codeFaults, []*fault.Fault{
	account.ErrPhoneMissing, account.ErrIdentityMissing, account.ErrIdentityUnconfirmed,
})

// unbindIdentityFaults are the errors of removing an identity.
var unbindIdentityFaults = errorsOf(codeFaults, []*fault.Fault{account.ErrPhoneMissing, account.ErrIdentityUnbound})

// closeAccountFaults are the errors of closing the account.
var closeAccountFaults = errorsOf(reauthFaults, []*fault.Fault{
	personal.ErrOrdersUnfinished, personal.ErrPointsUnconfirmed, cards.ErrCardBusy,
})

// Reauth is the proof that the buyer owns the account. Each call accepts some of the fields.
type Reauth struct {
	// the code that was sent to the buyer's own phone; missing if the phone is lost or removed
	Code     SMSCode `form:"code"`
	OpenID   string  `form:"openid"`   // a confirmed identity of the account; it is sent together with yz_code
	Proof    string  `form:"yz_code"`  // the proof of the identity; it is sent together with openid
	Password string  `form:"password"` // the payment password; missing if another proof is enough
}

// reauth returns the proof together with the browser that sent the request, because the proof of an identity is valid
// in one browser only.
func (a Reauth) reauth(r *request) account.Reauth {
	return account.Reauth{
		Code: string(a.Code), Identity: identityProof(r, a.OpenID, a.Proof), Password: a.Password,
	}
}

// ChangePhone is a new phone for the account.
type ChangePhone struct {
	Phone   PhoneNumber `form:"phone"`   // the new phone; a missing one is an error
	NewCode SMSCode     `form:"newcode"` // the code that was sent to the new phone; a missing one is an error
	Reauth
}

// changePhone gives the account another phone. The proof is the code sent to the present phone. Instead of the code, a
// session that was not opened by a link may send the payment password and the identity. If the account has no phone,
// the identity is enough. All other sessions end.
func (s accountSecurity) changePhone(ctx context.Context, r *request, in ChangePhone) (none, error) {
	if in.Code == "" {
		if err := r.session.Trusted(); err != nil {
			return none{}, err
		}
	}
	return none{}, s.security.ChangePhone(ctx, r.user, r.token(), account.ChangePhone{
		Phone: string(in.Phone), Code: string(in.NewCode), Reauth: in.reauth(r),
	})
}

// UnbindPhone is the proof for removing the phone.
type UnbindPhone struct {
	Code SMSCode `form:"code"` // the code sent to the phone for the purpose "safety"; a missing one is an error
}

// unbindPhone removes the phone from the account, which needs a confirmed identity. All other sessions end.
func (s accountSecurity) unbindPhone(ctx context.Context, r *request, in UnbindPhone) (none, error) {
	return none{}, s.security.UnbindPhone(ctx, r.user, r.token(), string(in.Code))
}

// UnbindIdentity selects an identity to remove from the account.
type UnbindIdentity struct {
	Code   SMSCode `form:"code"`   // the code sent to the phone for the purpose "safety"; a missing one is an error
	OpenID string  `form:"openid"` // the identity; missing for all
}

// unbindIdentity removes an identity of the account, or all. All other sessions end.
func (s accountSecurity) unbindIdentity(ctx context.Context, r *request, in UnbindIdentity) (none, error) {
	return none{}, s.security.UnbindIdentity(ctx, r.user, r.token(), string(in.Code), in.OpenID)
}

// OpenSession is a session that has not ended.
type OpenSession struct {
	ID        string `json:"id"`         // identifies the session in endsession; it is not the token
	Device    string `json:"device"`     // the device and the browser of the login; "" if unknown
	Network   string `json:"network"`    // a part of the address that used the session last; "" if unknown
	CreatedAt string `json:"created_at"` // when it was opened, yyyy-MM-dd HH:mm:ss in Beijing
	UsedAt    string `json:"used_at"`    // when it was last used, to the hour, yyyy-MM-dd HH:mm:ss in Beijing
	Current   bool   `json:"current"`    // whether it is the session of this call
}

// BoundIdentity is an identity in the messaging app that the account has.
type BoundIdentity struct {
	OpenID    string `json:"openid"`    // the identity
	BoundAt   string `json:"bound_at"`  // when it was bound, yyyy-MM-dd HH:mm:ss in Beijing
	UsedAt    string `json:"used_at"`   // when it was last proven, yyyy-MM-dd HH:mm:ss in Beijing
	Confirmed bool   `json:"confirmed"` // whether a code to the phone was entered for it; only then it proves the owner
}

// AccountOpeners are the sessions and identities that have access to the account.
type AccountOpeners struct {
	Sessions   []OpenSession   `json:"sessions"`   // the latest used first
	Identities []BoundIdentity `json:"identities"` // the latest proven first
}

// sessions returns the sessions and the identities that have access to the account.
func (s accountSecurity) sessions(ctx context.Context, r *request, _ none) (AccountOpeners, error) {
	live, err := s.security.Sessions(ctx, r.user.ID)
	if err != nil {
		return AccountOpeners{}, err
	}
	bound, err := s.security.Identities(ctx, r.user.ID)
	return AccountOpeners{
		each(live, func(l account.LiveSession) OpenSession {
			return OpenSession{
				l.Handle(), l.Device, l.Network, clockText(l.Created), clockText(l.Used), l.IsOf(r.token()),
			}
		}), each(bound, func(b account.BoundIdentity) BoundIdentity {
			return BoundIdentity{b.OpenID, clockText(b.BoundAt), clockText(b.UsedAt), b.Confirmed}
		}),
	}, err
}

// EndSession selects a session to end.
type EndSession struct {
	ID string `form:"id"` // the id of the session; a missing one is an error
}

// endSession ends a session of the buyer, and ends quick login (without a code) on all devices.
func (s accountSecurity) endSession(ctx context.Context, r *request, in EndSession) (none, error) {
	return none{}, s.security.EndSession(ctx, r.user.ID, in.ID)
}

// endOtherSessions ends all sessions except the one that makes the call, and ends quick login on all devices. It
// removes the identities that are not confirmed.
func (s accountSecurity) endOtherSessions(ctx context.Context, r *request, _ none) (none, error) {
	return none{}, s.security.EndOtherSessions(ctx, r.user.ID, r.token())
}

// UnfinishedOrder is an order that must end before the account can be closed.
type UnfinishedOrder struct {
	OrderNo string `json:"order_no"`                                          // the order's number
	Kind    string `json:"kind" enum:"ticket,goods,recharge"`                 // what was ordered
	Reason  string `json:"reason" enum:"unpaid,undelivered,refunding,unused"` // why it has not ended
}

// ClosingPreview is what closing the account would do now.
type ClosingPreview struct {
	Unfinished []UnfinishedOrder `json:"unfinished"` // the orders that prevent the closing
	Cards      int               `json:"cards"`      // the number of welfare cards that are lost
	Points     string            `json:"points"`     // the points that are lost, with two decimals
	Vouchers   int               `json:"vouchers"`   // orders with valid codes, which will no longer be shown
	Phone      string            `json:"phone"`      // where the code for closing is sent, masked; "" without one
}

// previewClosing returns what prevents the closing of the account, and what would be lost. It changes nothing.
func (s accountSecurity) previewClosing(ctx context.Context, r *request, _ none) (ClosingPreview, error) {
	c, err := s.closer.Preview(ctx, r.user.ID)
	return ClosingPreview{
		each(c.Unfinished, func(u personal.Unfinished) UnfinishedOrder {
			return UnfinishedOrder{u.OrderNo, u.Kind, string(u.Reason)}
		}), c.Cards, c.Points.String(), c.Vouchers, account.MaskPhone(r.user.Phone),
	}, err
}

// CloseAccount is the buyer's consent to close the account.
type CloseAccount struct {
	// The points that the buyer gives up, exactly as the preview has shown them; a missing number is an error.
	Points PointsAmount `form:"points"`
	Reauth
}

// closeAccount closes the account for good, and ends all sessions. The proof is the code for the purpose "closing", or
// the identity if the account has no phone.
func (s accountSecurity) closeAccount(ctx context.Context, r *request, in CloseAccount) (none, error) {
	return none{}, s.closer.Close(ctx, r.user, money.Points(in.Points), in.reauth(r))
}

// export returns a copy of the buyer's account, sessions, cards, orders and journal. The proof is the code for the
// purpose "safety", or the identity if the account has no phone.
func (s accountSecurity) export(ctx context.Context, r *request, in Reauth) (personal.Copy, error) {
	return s.exporter.Export(ctx, r.user, in.reauth(r))
}

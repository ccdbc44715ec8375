package httpapi

import (
	"context"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/input"
	"marquee/server/money"
	"marquee/server/personal"
)

// AccountSafety changes and removes phone and identity of an account.
type AccountSafety interface {
	// SendOwnCode sends a code for the purpose to the account's own phone. It returns account.ErrPhoneMissing, and the
	// errors of CodeLogin.SendLoginCode.
	SendOwnCode(ctx context.Context, userID int64, purpose account.Purpose, from account.Origin) error
	// SendNewPhoneCode sends a code to the phone that the account shall get. It returns the errors of
	// CodeLogin.SendLoginCode.
	SendNewPhoneCode(ctx context.Context, userID int64, phone string, from account.Origin) error
	// ChangePhone gives the account another phone, and ends all its sessions but that of token. It returns
	// account.ErrPhoneInvalid, account.ErrPhoneSame, account.ErrPhoneTaken, account.ErrReauthRequired, and the errors
	// of codes, passwords and proofs.
	ChangePhone(ctx context.Context, u account.User, token string, c account.ChangePhone) error
	// UnbindPhone removes the phone, and ends all sessions but that of token. code was sent to the phone. It returns
	// account.ErrPhoneMissing, account.ErrIdentityMissing or an error of the code.
	UnbindPhone(ctx context.Context, u account.User, token, code string) error
	// UnbindIdentity removes an identity in the messaging app, or with "" all, and ends all sessions but that of token.
	// code was sent to the phone. It returns account.ErrPhoneMissing, account.ErrIdentityUnbound or an error of the code.
	UnbindIdentity(ctx context.Context, u account.User, token, code, openID string) error
	// Sessions lists the sessions of a buyer, the latest used first.
	Sessions(ctx context.Context, userID int64) ([]account.LiveSession, error)
	// Identities lists the identities of a buyer, the latest first.
	Identities(ctx context.Context, userID int64) ([]account.BoundIdentity, error)
	// EndSession ends a session. It returns account.ErrSessionUnknown if the buyer has no such session.
	EndSession(ctx context.Context, userID int64, id string) error
	// EndOtherSessions ends all sessions but that of the token.
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
	// Export returns the copy after it has used up the proof, whose errors it returns.
	Export(ctx context.Context, u account.User, proof account.Reauth) (personal.Copy, error)
}

// accountSafety serves the page of account and security, the closing of accounts and the copy of personal data.
type accountSafety struct {
	safety     AccountSafety
	identities Identities
	closer     AccountCloser
	exporter   DataExporter
}

// ErrPurpose refuses a purpose for which no code is sent.
var ErrPurpose = fault.New(fault.Invalid, "purpose_unknown", "请求参数有误")

// show answers /Member/security: what the page of account and security shows.
func (s accountSafety) show(ctx context.Context, r *request) (any, error) {
	openID, err := s.identities.OpenID(ctx, r.user.ID)
	return struct {
		Phone       string `json:"phone"` // masked, "" without one
		WeChat      bool   `json:"wechat"`
		HasPassword bool   `json:"has_password"`

		NextProof account.NextProof `json:"next_proof,omitempty"` // that /Login/confirm needs
	}{account.MaskPhone(r.user.Phone), openID != "", r.user.HasPassword, r.session.NextProof()}, err
}

// sendCode answers /Member/securitycode: it sends a code for the field purpose (safety, closing or session) to the
// buyer's own phone and returns {wait} in seconds. Errors: purpose_unknown, phone_missing, sms_limited (with
// {wait,until?}).
func (s accountSafety) sendCode(ctx context.Context, r *request) (any, error) {
	purpose := account.Purpose(r.form.Text("purpose"))
	switch purpose {
	case account.ForSession:
	case account.ForSafety, account.ForClosing:
		if err := r.session.Owner(); err != nil {
			return nil, err
		}
	default:
		return nil, ErrPurpose
	}
	return codeSent, s.safety.SendOwnCode(ctx, r.user.ID, purpose, originOf(r))
}

// sendNewPhoneCode answers /Member/newphonecode: it sends a code to the phone that the account shall get and returns
// {wait} in seconds. Errors: phone_invalid, sms_limited (with {wait,until?}).
func (s accountSafety) sendNewPhoneCode(ctx context.Context, r *request) (any, error) {
	from := originOf(r)
	from.Answer = challengeAnswer(r.form)
	return codeSent, s.safety.SendNewPhoneCode(ctx, r.user.ID, r.form.Input("phone", input.Phone), from)
}

// reauth reads the proof of the buyer.
func reauth(r *request) account.Reauth {
	return account.Reauth{
		Code: r.form.Input("code", input.Code), Identity: identityProof(r), Password: r.form.Text("password"),
	}
}

// changePhone answers /Member/changephone: the account gets the phone, to which newcode was sent. The proof is code,
// sent to the present phone, or password with openid and yz_code, which is no proof in a session by link. Errors:
// phone_same, phone_taken, reauth_required, link_unconfirmed, code_wrong, payment_password_wrong, openid_unproven,
// proof_other_browser, identity_mismatch, identity_unconfirmed.
func (s accountSafety) changePhone(ctx context.Context, r *request) (any, error) {
	f := r.form
	change := account.ChangePhone{
		Phone: f.Input("phone", input.Phone), Code: f.Input("newcode", input.Code), Reauth: reauth(r),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	if change.Reauth.Code == "" {
		if err := r.session.Trusted(); err != nil {
			return nil, err
		}
	}
	return nil, s.safety.ChangePhone(ctx, r.user, f.Text("token"), change)
}

// unbindPhone answers /Member/unbindphone: it takes the phone off the account. Errors: identity_missing,
// identity_unconfirmed, code_wrong.
func (s accountSafety) unbindPhone(ctx context.Context, r *request) (any, error) {
	return nil, s.safety.UnbindPhone(ctx, r.user, r.form.Text("token"), r.form.Input("code", input.Code))
}

// unbindIdentity answers /Member/unbindwechat: it removes the identity of the field openid, or all. Errors: phone_missing,
// identity_unbound, code_wrong.
func (s accountSafety) unbindIdentity(ctx context.Context, r *request) (any, error) {
	return nil, s.safety.UnbindIdentity(
		ctx, r.user, r.form.Text("token"), r.form.Input("code", input.Code), r.form.Text("openid"))
}

// openSession is a session in the answer of sessions.
type openSession struct {
	ID        string `json:"id"`
	Device    string `json:"device"`  // "" if it is unknown
	Network   string `json:"network"` // "" if it is unknown
	CreatedAt string `json:"created_at"`
	UsedAt    string `json:"used_at"`
	Current   bool   `json:"current"`
}

// boundIdentity is an identity in the answer of sessions.
type boundIdentity struct {
	OpenID    string `json:"openid"`
	BoundAt   string `json:"bound_at"`
	UsedAt    string `json:"used_at"`
	Confirmed bool   `json:"confirmed"`
}

// sessions answers /Member/sessions: what can open the account, the sessions and the identities.
func (s accountSafety) sessions(ctx context.Context, r *request) (any, error) {
	live, err := s.safety.Sessions(ctx, r.user.ID)
	if err != nil {
		return nil, err
	}
	bound, err := s.safety.Identities(ctx, r.user.ID)
	return struct {
		Sessions   []openSession   `json:"sessions"`
		Identities []boundIdentity `json:"identities"`
	}{
		each(live, func(l account.LiveSession) openSession {
			return openSession{
				l.Handle(), l.Device, l.Network, clockText(l.Created), clockText(l.Used), l.IsOf(r.form.Text("token")),
			}
		}), each(bound, func(b account.BoundIdentity) boundIdentity {
			return boundIdentity{b.OpenID, clockText(b.BoundAt), clockText(b.UsedAt), b.Confirmed}
		}),
	}, err
}

// endSession answers /Member/endsession: it ends the session of the field id. Errors: session_unknown.
func (s accountSafety) endSession(ctx context.Context, r *request) (any, error) {
	return nil, s.safety.EndSession(ctx, r.user.ID, r.form.Text("id"))
}

// endOtherSessions answers /Member/endsessions: it ends all sessions but the one that asks, and removes the
// identities that are not confirmed.
func (s accountSafety) endOtherSessions(ctx context.Context, r *request) (any, error) {
	return nil, s.safety.EndOtherSessions(ctx, r.user.ID, r.form.Text("token"))
}

// unfinishedOrder is an order that must end before the account can be closed.
type unfinishedOrder struct {
	OrderNo string `json:"order_no"`
	Kind    string `json:"kind"`
	Reason  string `json:"reason"`
}

// previewClosing answers /Member/closing: what prevents the closing of the account, and what is lost by it.
func (s accountSafety) previewClosing(ctx context.Context, r *request) (any, error) {
	c, err := s.closer.Preview(ctx, r.user.ID)
	return struct {
		Unfinished []unfinishedOrder `json:"unfinished"`
		Cards      int               `json:"cards"`
		Points     string            `json:"points"`
		Vouchers   int               `json:"vouchers"`
		Phone      string            `json:"phone"` // masked, "" without one
	}{
		each(c.Unfinished, func(u personal.Unfinished) unfinishedOrder {
			return unfinishedOrder{u.OrderNo, u.Kind, string(u.Reason)}
		}), c.Cards, c.Points.String(), c.Vouchers, account.MaskPhone(r.user.Phone),
	}, err
}

// closeAccount answers /Member/close: it closes the account for good. points is what the buyer has confirmed to give
// up, as /Member/closing showed it. The proof is code, or openid with yz_code without a phone. Errors:
// orders_unfinished, points_unconfirmed, code_wrong, reauth_required.
func (s accountSafety) closeAccount(ctx context.Context, r *request) (any, error) {
	points, err := money.ParsePoints(r.form.Text("points"))
	if err != nil {
		r.form.Invalid("points", "must be an amount of points")
	}
	proof := reauth(r)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return nil, s.closer.Close(ctx, r.user, points, proof)
}

// export answers /Member/export: a copy of everything that the shop holds of the buyer. The proof is that of
// /Member/close, with a code for the purpose safety.
func (s accountSafety) export(ctx context.Context, r *request) (any, error) {
	proof := reauth(r)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return s.exporter.Export(ctx, r.user, proof)
}

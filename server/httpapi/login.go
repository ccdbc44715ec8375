package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"marquee/server/account"
	"marquee/server/httpapi/wire"
	"marquee/server/input"
)

// CodeLogin logs in by phone and code.
type CodeLogin interface {
	// SendLoginCode sends a login code by SMS. It returns account.ErrPhoneInvalid, account.ErrSMSLimited,
	// account.ErrSMSCeiling, account.ErrPhoneRefused, a fault of kind Unavailable if the vendor sent nothing, and, if
	// the shop uses a captcha, account.ErrChallengeRequired or account.ErrChallengeFailed.
	SendLoginCode(ctx context.Context, phone string, from account.Origin) error
	// Login opens a session for a phone and its code, and creates the buyer at the first login. It returns
	// account.ErrPhoneInvalid, account.ErrCodeRequired, account.ErrCodeWrong or account.ErrCodeLocked.
	Login(ctx context.Context, c account.EnteredCode) (account.Login, error)
	// Logout ends the session of the token, and quick login on the device, "" for none. An unknown token is not an
	// error.
	Logout(ctx context.Context, token, device string) error
}

// AppLogin logs in through the messaging app's OAuth.
type AppLogin interface {
	// StartOAuth returns the address to send the browser to, the state with which it returns, and the seal of the
	// state, which the caller keeps in a cookie of that browser. token is "" for a visitor.
	StartOAuth(returnURL, token string) (authorizeURL, state, seal string)
	// FinishOAuth exchanges the code of the return for an identity with a one-use proof. It returns
	// account.ErrOAuthState, account.ErrOAuthCode, account.ErrLoginRequired or account.ErrIdentityTaken.
	FinishOAuth(ctx context.Context, r account.OAuthReturn) (account.Identity, error)
	// QuickLogin logs in the buyer of a proven identity. Without such a buyer the Login has no token but the proof, for
	// BindPhone. It returns account.ErrOpenIDInvalid, account.ErrOpenIDUnproven or account.ErrProofBrowser.
	QuickLogin(ctx context.Context, identity account.Proof) (account.Login, error)
	// DeviceLogin logs in the buyer of an identity on a known device, and returns the device's next token; the present
	// one is used up. It returns account.ErrOpenIDUnproven.
	DeviceLogin(ctx context.Context, openID, device string) (l account.Login, fresh string, err error)
	// BindPhone logs in by phone and code, and binds the proven identity to that buyer, with further in addition to
	// another one. It returns account.ErrIdentityTaken, account.ErrIdentityFurther and the errors of QuickLogin and of
	// CodeLogin.Login.
	BindPhone(ctx context.Context, c account.EnteredCode, identity account.Proof, further bool) (account.Login, error)
}

// Devices remembers the devices on which buyers have logged in.
type Devices interface {
	// RememberDevice returns the device's token for its next login; before is the one that it had, "" for none.
	RememberDevice(ctx context.Context, userID int64, before string) (token string, err error)
}

// LinkLogin opens a session for a page whose address has a session token.
type LinkLogin interface {
	// LinkLogin returns account.ErrLinkToken unless the token belongs to a live session.
	LinkLogin(ctx context.Context, token string) (account.Login, error)
}

// SessionConfirmer gives a session more access.
type SessionConfirmer interface {
	// Confirm returns what the session may do after the proof. It returns account.ErrCodeRequired,
	// account.ErrReauthRequired, and the errors of codes, payment passwords and proofs.
	Confirm(ctx context.Context, token string, proof account.Reauth) (account.Access, error)
}

// login serves logging in and out.
type login struct {
	codes    CodeLogin
	devices  Devices
	app      AppLogin
	links    LinkLogin
	sessions SessionConfirmer
	urls     shopURLs
	logo     string // URL
	service  string // URL of the customer service
	secure   bool   // cookies are for TLS only
}

// loginAnswer is the specification's LoginResult (entity-loginresult). Proof is for one use.
type loginAnswer struct {
	Token  string         `json:"token"`
	UID    string         `json:"uid"`
	OpenID string         `json:"openid"`
	Proof  string         `json:"yz_code"`
	Phone  string         `json:"phone,omitempty"`  // masked, after a login through a link
	Access account.Access `json:"access,omitempty"` // "link" or "limited"
}

func newLoginAnswer(l account.Login) loginAnswer {
	a := loginAnswer{
		Token: l.Token, OpenID: l.OpenID, Proof: l.Proof, Phone: account.MaskPhone(l.Phone), Access: l.Access,
	}
	if l.UserID != 0 {
		a.UID = idText(l.UserID)
	}
	return a
}

// codeSent is the answer to a request for a code.
var codeSent = wire.NewWait(account.ResendWait)

// info answers /Login/index: the logo and the customer service of the login page.
func (l login) info(context.Context, *request) (any, error) {
	return struct {
		Logo    string `json:"weblogo"`
		Service string `json:"zxkf"`
	}{l.logo, l.service}, nil
}

// sendCode answers /Login/sendcode: it sends a login code to a phone and returns {wait}, the seconds until the next
// code may be sent. The fields ticket and randstr are the answer to the challenge. Errors: phone_invalid,
// phone_refused, sms_limited (with {wait,until?}), sms_ceiling, challenge_required, challenge_failed.
func (l login) sendCode(ctx context.Context, r *request) (any, error) {
	f, from := r.form, originOf(r)
	from.Answer = challengeAnswer(f)
	if f.Err() != nil {
		return nil, f.Err()
	}
	// The code belongs to the device, so that the wrong tries of other clients do not lock it there.
	if device := account.EnsureDevice(from.Device); device != from.Device {
		from.Device = device
		l.setDevice(r, device)
	}
	return codeSent, l.codes.SendLoginCode(ctx, f.Input("phone", input.Phone), from)
}

// enteredCode reads the code that a buyer has entered to log in.
func enteredCode(r *request) account.EnteredCode {
	return account.EnteredCode{
		Phone: r.form.Input("phone", input.Phone), Code: r.form.Input("code", input.Code), Device: deviceOf(r),
	}
}

// byPhone answers /Login/phoneLogin: a session for the holder of the phone. Its access is limited until /Login/confirm
// if the phone was not used for long. Errors: code_wrong, code_locked.
func (l login) byPhone(ctx context.Context, r *request) (any, error) {
	session, err := l.codes.Login(ctx, enteredCode(r))
	l.loggedIn(ctx, r, session, err)
	return newLoginAnswer(session), err
}

// deviceCookie holds the token of a device that has asked for a code or has logged a buyer in. It is sent to the calls
// below /Login and to quick login only, and does not log in without the openid of the buyer.
const deviceCookie = "marquee_device"

// quickLoginPath is the call that logs in by an openid.
const quickLoginPath = "/newmovie/seat/quicklogin"

// deviceOf returns the token of the client's device, "" without one.
func deviceOf(r *request) string {
	c, err := r.Cookie(deviceCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// browserCookie ties a proof to the browser that made it: see account.Proof. It lives as long as the proof and is sent
// to every call, because proofs are used below /Member and by quick login, too.
const browserCookie = "marquee_browser"

// browserOf returns the token of the browser, "" without one.
func browserOf(r *request) string {
	c, err := r.Cookie(browserCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// identityProof reads the proof of an identity from the fields openid and yz_code, and from the browser's cookie.
func identityProof(r *request) account.Proof {
	return account.Proof{
		Kind: account.ProofOfIdentity, Subject: r.form.Text("openid"), Token: r.form.Text("yz_code"),
		Browser: browserOf(r),
	}
}

// challengeAnswer reads the answer to the challenge, which is empty if the fields are missing.
func challengeAnswer(f *wire.Form) account.ChallengeAnswer {
	return account.ChallengeAnswer{Ticket: f.LongText("ticket"), Random: f.LongText("randstr")}
}

// originOf returns where a request for a code comes from.
func originOf(r *request) account.Origin {
	return account.Origin{Address: clientIP(r.Request), Device: deviceOf(r)}
}

// loggedIn makes the client of a login a known device of the buyer, unless the access is limited. It does nothing after
// an error. A login succeeds without it.
func (l login) loggedIn(ctx context.Context, r *request, session account.Login, err error) {
	if err != nil || session.UserID == 0 || session.Access != account.FullAccess {
		return
	}
	token, err := l.devices.RememberDevice(ctx, session.UserID, deviceOf(r))
	if err != nil {
		wire.Note(ctx, "", err)
		return
	}
	l.setDevice(r, token)
}

// setDevice gives the client the token of its device.
func (l login) setDevice(r *request, token string) {
	for _, path := range []string{loginPath, quickLoginPath} {
		l.setCookie(r.writer, path, deviceCookie, token, account.DeviceLife)
	}
}

// logout answers /Login/logout: it revokes the token, and ends quick login on the device. A token that is not live is
// not an error.
func (l login) logout(ctx context.Context, r *request) (any, error) {
	return nil, l.codes.Logout(ctx, r.form.Text("token"), deviceOf(r))
}

// byLink answers /Login/linkLogin: a session for the buyer of the session token that came in the address of a page. The
// app shows the masked phone. Errors: link_token_invalid.
func (l login) byLink(ctx context.Context, r *request) (any, error) {
	session, err := l.links.LinkLogin(ctx, r.form.Text("token"))
	return newLoginAnswer(session), err
}

// confirm answers /Login/confirm: what the session may do after a further proof. A session by link needs code, which
// /Member/securitycode sends for the purpose session. One with limited access needs password, the payment password, or
// openid with yz_code. Errors: code_wrong, reauth_required, payment_password_wrong, identity_mismatch.
func (l login) confirm(ctx context.Context, r *request) (any, error) {
	proof := reauth(r)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	access, err := l.sessions.Confirm(ctx, r.form.Text("token"), proof)
	return struct {
		Access account.Access `json:"access"`
	}{access}, err
}

// stateCookie ties the OAuth state to the browser and to the session that started the login.
const stateCookie = "marquee_state"

// loginPath is the path that the calls of a login begin with, except quickLoginPath.
const loginPath = "/Login"

// setCookie sets a cookie that the calls below a path get for a time. A negative time removes it.
func (l login) setCookie(w http.ResponseWriter, path, name, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(life.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: l.secure,
	})
}

// startOAuth answers /Login/wxlogin: the messaging app's authorize URL, which leads back to the field url, and the
// state. A cookie keeps the seal of state and token for ten minutes. Errors: url_not_allowed.
func (l login) startOAuth(_ context.Context, r *request) (any, error) {
	back, err := l.urls.read(r.form, "url")
	if err != nil {
		return nil, err
	}
	to, state, seal := l.app.StartOAuth(back, r.form.Text("token"))
	l.setCookie(r.writer, loginPath, stateCookie, seal, 10*time.Minute)
	return struct {
		URL   string `json:"url"`
		State string `json:"state"`
	}{to, state}, nil
}

// finishOAuth answers /Login/getopenid: the identity behind an OAuth code, with a proof for one use, which is valid in
// this browser only. With the token of
// the session that started the login the identity is bound to its buyer, if the account has a phone and no other
// identity, unless a link opened the session. Errors:
// oauth_code_invalid, oauth_state_invalid, login_required, identity_taken.
func (l login) finishOAuth(ctx context.Context, r *request) (any, error) {
	back := account.OAuthReturn{
		Code: r.form.LongText("code"), State: r.form.Text("state"), Token: r.form.Text("token"),
		Browser: browserOf(r),
	}
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	if c, err := r.Cookie(stateCookie); err == nil {
		back.Seal = c.Value
	}
	id, err := l.app.FinishOAuth(ctx, back)
	if !errors.Is(err, account.ErrLoginRequired) {
		// a state is used once, even if the exchange fails
		l.setCookie(r.writer, loginPath, stateCookie, "", -time.Second)
	}
	if err == nil {
		l.setCookie(r.writer, "/", browserCookie, id.Browser, account.ProofLife)
	}
	return struct {
		OpenID string `json:"openid"`
		Proof  string `json:"yz_code"`
		Bound  bool   `json:"bound"`
	}{id.OpenID, id.Proof, id.Bound}, err
}

// bindPhone answers /Login/wxbindingPhone: a session for the owner of the phone, to whom the proven identity is bound.
// An account with another identity is asked first (identity_further), and gets this one in addition with further=1.
// Errors: code_wrong, code_locked, openid_unproven, proof_other_browser, identity_taken, identity_further.
func (l login) bindPhone(ctx context.Context, r *request) (any, error) {
	f := r.form
	f.Required("openid")
	code, identity, further := enteredCode(r), identityProof(r), f.Text("further") == "1"
	if f.Err() != nil {
		return nil, f.Err()
	}
	session, err := l.app.BindPhone(ctx, code, identity, further)
	l.loggedIn(ctx, r, session, err)
	return newLoginAnswer(session), err
}

// quick answers quickLoginPath: a session for the buyer of an identity, which yz_code proves, or without it the cookie
// of the device on which the buyer has logged in. The token is empty, with the yz_code, if a proven identity has no
// phone yet. Errors: openid_unproven, proof_other_browser.
func (l login) quick(ctx context.Context, r *request) (any, error) {
	r.form.Required("openid")
	identity := identityProof(r)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	if identity.Token == "" {
		session, device, err := l.app.DeviceLogin(ctx, identity.Subject, deviceOf(r))
		if err == nil {
			l.setDevice(r, device)
		}
		return newLoginAnswer(session), err
	}
	session, err := l.app.QuickLogin(ctx, identity)
	l.loggedIn(ctx, r, session, err)
	return newLoginAnswer(session), err
}

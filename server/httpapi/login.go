package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// CodeLogin logs in by phone and code.
type CodeLogin interface {
	// SendLoginCode sends a login code by SMS. It returns account.ErrPhoneInvalid, account.ErrSMSLimited,
	// account.ErrSMSCeiling, account.ErrPhoneRejected, a fault of kind Unavailable if the vendor sent nothing, and, if
	// the shop uses a captcha, account.ErrChallengeRequired or account.ErrChallengeFailed.
	SendLoginCode(ctx context.Context, phone string, from account.Origin) error
	// Login opens a session for a phone and its code, and creates the buyer at the first login. It returns
	// account.ErrPhoneInvalid, account.ErrCodeRequired, account.ErrCodeWrong or account.ErrCodeLocked.
	Login(ctx context.Context, c account.EnteredCode) (account.Login, error)
	// Logout ends the session of the token, and quick login (by openid, without a code) on the device. device is the
	// device's token, "" if the client has none. An unknown token is not an error.
	Logout(ctx context.Context, token, device string) error
}

// AppLogin logs in through the messaging app's OAuth.
type AppLogin interface {
	// StartOAuth returns the address to send the browser to, the state with which it returns, and the seal of the
	// state, which the caller keeps in a cookie of that browser. token is "" for a visitor.
	StartOAuth(returnURL, token string) (authorizeURL, state, seal string)
	// FinishOAuth exchanges the returned code for an identity with a one-use proof. It returns account.ErrOAuthState,
	// account.ErrOAuthCode, account.ErrLoginRequired or account.ErrIdentityTaken.
	FinishOAuth(ctx context.Context, r account.OAuthReturn) (account.Identity, error)
	// QuickLogin logs in the buyer of a proven identity. If no buyer has the identity, the Login has no token, but the
	// OpenID and the proof, which BindPhone accepts. It returns account.ErrOpenIDInvalid, account.ErrOpenIDUnproven or
	// account.ErrProofBrowser.
	QuickLogin(ctx context.Context, identity account.Proof) (account.Login, error)
	// DeviceLogin logs in the buyer of an identity on a device where the buyer has logged in before. device is the
	// token of that device, which is used up; fresh is the device's next token. It returns account.ErrOpenIDUnproven.
	DeviceLogin(ctx context.Context, openID, device string) (l account.Login, fresh string, err error)
	// BindPhone logs in by phone and code, and binds the proven identity to that buyer. further permits that the buyer
	// already has another identity. It returns account.ErrIdentityTaken, account.ErrIdentityFurther and the errors of
	// QuickLogin and of CodeLogin.Login.
	BindPhone(ctx context.Context, c account.EnteredCode, identity account.Proof, further bool) (account.Login, error)
}

// Devices stores the devices on which buyers have logged in.
type Devices interface {
	// RememberDevice returns the device's token for its next login; before is its previous token, "" for none.
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
	urls     shopHosts
	logo     string // URL
	service  string // URL of the customer service
	secure   bool   // cookies are for TLS only
}

// LoginResult is the session of a login: the specification's LoginResult (entity-loginresult).
type LoginResult struct {
	Token  string `json:"token"`           // the token of the session; "" if the identity has no phone yet
	UID    string `json:"uid"`             // the buyer's id; "" without a session
	OpenID string `json:"openid"`          // the identity in the messaging app; "" after a login by code
	Proof  string `json:"yz_code"`         // a proof of the identity for one use; "" if it was used up
	Phone  string `json:"phone,omitempty"` // masked; only after a login through a link
	// What the session may do: "link" if a link opened it and no code was entered since, "limited" if the phone was not
	// used for a long time; missing if it may do everything.
	Access account.Access `json:"access,omitempty" enum:"link,limited"`
}

func newLoginResult(l account.Login) LoginResult {
	a := LoginResult{
		Token: l.Token, OpenID: l.OpenID, Proof: l.Proof, Phone: account.MaskPhone(l.Phone), Access: l.Access,
	}
	if l.UserID != 0 {
		a.UID = idText(l.UserID)
	}
	return a
}

// codeSent is the answer to a request for a code: how long to wait before the next request.
var codeSent = wire.NewWait(durations.ResendCode)

// LoginPage is what the login page shows.
type LoginPage struct {
	Logo    string `json:"weblogo"` // the address of the logo
	Service string `json:"zxkf"`    // the address of the customer service
}

// info returns the logo and the customer service of the login page.
func (l login) info(context.Context, *request, none) (LoginPage, error) {
	return LoginPage{l.logo, l.service}, nil
}

// sendCodeFaults are the errors of every call that sends a code by SMS.
var sendCodeFaults = []*fault.Fault{
	account.ErrPhoneInvalid, account.ErrPhoneRejected, account.ErrSMSLimited, account.ErrSMSCeiling,
	account.ErrChallengeRequired, account.ErrChallengeFailed, fault.ErrUnavailable,
}

// codeFaults are the errors of every call with a code.
var codeFaults = []*fault.Fault{
	account.ErrPhoneInvalid, account.ErrCodeRequired, account.ErrCodeWrong, account.ErrCodeLocked,
}

// openFaults are the errors of opening a session. It returns account.ErrLoginRequired if the account has just been
// closed.
var openFaults = []*fault.Fault{account.ErrLoginRequired}

// identityFaults are the errors of every call with the proof of an identity.
var identityFaults = []*fault.Fault{
	account.ErrOpenIDInvalid, account.ErrOpenIDUnproven, account.ErrProofBrowser,
}

// oauthFaults are the errors of finishing a login through the messaging app.
var oauthFaults = errorsOf(providerFaults, openFaults, []*fault.Fault{
	account.ErrOAuthState, account.ErrOAuthCode, account.ErrIdentityTaken, account.ErrOpenIDInvalid,
})

// bindPhoneFaults are the errors of binding an identity to the owner of a phone.
var bindPhoneFaults = errorsOf(codeFaults, identityFaults, openFaults, []*fault.Fault{
	account.ErrIdentityTaken, account.ErrIdentityFurther,
})

// ChallengeAnswer is the answer to the challenge of a captcha vendor.
type ChallengeAnswer struct {
	Ticket string `form:"ticket" max:"512"`  // the ticket from the vendor's script, after challenge_required
	Random string `form:"randstr" max:"512"` // the text that belongs to the ticket
}

// SendLoginCode asks for a code to log in.
type SendLoginCode struct {
	ChallengeAnswer
	Phone PhoneNumber `form:"phone"` // where the code is sent; a missing one is an error
}

// sendCode sends a login code to a phone, and returns when the next one may be sent.
func (l login) sendCode(ctx context.Context, r *request, in SendLoginCode) (wire.Wait, error) {
	from := originOf(r)
	from.Answer = account.ChallengeAnswer(in.ChallengeAnswer)
	// The code is tied to this device, so that wrong tries of other clients do not lock the code on this device.
	if device := account.EnsureDevice(from.Device); device != from.Device {
		from.Device = device
		l.setDevice(r, device)
	}
	return codeSent, l.codes.SendLoginCode(ctx, string(in.Phone), from)
}

// EnteredCode is a login code with the phone to which it was sent.
type EnteredCode struct {
	Phone PhoneNumber `form:"phone"` // where the code was sent; a missing one is an error
	Code  SMSCode     `form:"code"`  // from the text message; a missing one is an error
}

// on returns the code together with the device that sent the request.
func (c EnteredCode) on(r *request) account.EnteredCode {
	return account.EnteredCode{Phone: string(c.Phone), Code: string(c.Code), Device: deviceOf(r)}
}

// byPhone opens a session for the holder of a phone. If the phone was not used for a long time, the session's access is
// limited until /Login/confirm. After a login with full access, the device is known: the buyer can log in on it by
// openid alone.
func (l login) byPhone(ctx context.Context, r *request, in EnteredCode) (LoginResult, error) {
	session, err := l.codes.Login(ctx, in.on(r))
	l.loggedIn(ctx, r, session, err)
	return newLoginResult(session), err
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

// browserCookie ties a proof to the browser that made it: see account.Proof. It is valid as long as the proof and is
// sent to every call, because proofs are used below /Member and by quick login, too.
const browserCookie = "marquee_browser"

// browserOf returns the token of the browser, "" without one.
func browserOf(r *request) string {
	c, err := r.Cookie(browserCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// identityProof returns the proof of an identity in the browser of a request.
func identityProof(r *request, openID, proof string) account.Proof {
	return account.Proof{Kind: account.ProofOfIdentity, Subject: openID, Token: proof, Browser: browserOf(r)}
}

// originOf returns where a request for a code comes from.
func originOf(r *request) account.Origin {
	return account.Origin{Address: clientIP(r.Request), Device: deviceOf(r)}
}

// loggedIn makes the client of a login a known device of the buyer, unless the access is limited. It does nothing if
// the login failed. If the device cannot be remembered, the login succeeds all the same.
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
		l.setCookie(r.writer, path, deviceCookie, token, durations.Device)
	}
}

// LogOut selects the session to end.
type LogOut struct {
	Token string `form:"token"` // the token of the session; one that is not live, or missing, is not an error
}

// logout ends a session, and quick login on the device.
func (l login) logout(ctx context.Context, r *request, in LogOut) (none, error) {
	return none{}, l.codes.Logout(ctx, in.Token, deviceOf(r))
}

// LogInByLink has the session token from the address of a page.
type LogInByLink struct {
	Token string `form:"token"` // the token in the address of the page; a missing one is an error
}

// byLink opens a session for the buyer of the session token that came in the address of a page. The app shows the
// masked phone. If the session of that token ends, the new session ends, too, unless it was confirmed.
func (l login) byLink(ctx context.Context, _ *request, in LogInByLink) (LoginResult, error) {
	session, err := l.links.LinkLogin(ctx, in.Token)
	return newLoginResult(session), err
}

// ConfirmedSession is a session after a further proof.
type ConfirmedSession struct {
	Access account.Access `json:"access" enum:",link,limited"` // what the session may do: "" for everything
}

// confirm gives the session more access after a further proof. A session that a link opened needs the code that was
// sent to the buyer for the purpose "session". A session with limited access needs the payment password, or the proof
// of an identity.
func (l login) confirm(ctx context.Context, r *request, in Reauth) (ConfirmedSession, error) {
	access, err := l.sessions.Confirm(ctx, r.token(), in.reauth(r))
	return ConfirmedSession{access}, err
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

// StartOAuth begins a login through the messaging app.
type StartOAuth struct {
	URL   string `form:"url" max:"2048"` // the address to redirect back to, which must be one of the shop
	Token string `form:"token"`          // the token of the session that gets the identity; missing for a visitor
}

// OAuthStart is the page where a login through the messaging app begins.
type OAuthStart struct {
	URL   string `json:"url"`   // the messaging app's page that asks the buyer, and redirects back with a code
	State string `json:"state"` // the state with which it redirects back
}

// startOAuth returns the messaging app's page that authorizes a login. A cookie holds the seal of state and token for
// ten minutes.
func (l login) startOAuth(_ context.Context, r *request, in StartOAuth) (OAuthStart, error) {
	if err := l.urls.check(in.URL); err != nil {
		return OAuthStart{}, err
	}
	to, state, seal := l.app.StartOAuth(in.URL, in.Token)
	l.setCookie(r.writer, loginPath, stateCookie, seal, durations.OAuthState)
	return OAuthStart{to, state}, nil
}

// FinishOAuth has the parameters with which the messaging app redirected the browser back.
type FinishOAuth struct {
	Code  string `form:"code" max:"512"` // the messaging app's code for one use; a missing one is an error
	State string `form:"state"`          // the state of the login that the browser began; a missing one is an error
	Token string `form:"token"`          // the token of the session that began the login; missing for a visitor
}

// OAuthIdentity is an identity that was proven by OAuth.
type OAuthIdentity struct {
	OpenID string `json:"openid"`  // the identity
	Proof  string `json:"yz_code"` // a proof of it for one use, valid for ten minutes in this browser only
	Bound  bool   `json:"bound"`   // whether the buyer of the session, or the limited session, has the identity
}

// finishOAuth returns the identity behind an OAuth code, with a proof for one use, which is valid in this browser only.
// With the token of the session that started the login, the identity is bound to the buyer of that session, if the
// account has a phone and no other identity, and no link opened the session. With limited access the identity is not
// bound to the account: only the session can pay with it.
func (l login) finishOAuth(ctx context.Context, r *request, in FinishOAuth) (OAuthIdentity, error) {
	back := account.OAuthReturn{Code: in.Code, State: in.State, Token: in.Token, Browser: browserOf(r)}
	if c, err := r.Cookie(stateCookie); err == nil {
		back.Seal = c.Value
	}
	id, err := l.app.FinishOAuth(ctx, back)
	if !errors.Is(err, account.ErrLoginRequired) {
		// a state is used once, even if the exchange fails
		l.setCookie(r.writer, loginPath, stateCookie, "", -time.Second)
	}
	if err == nil {
		l.setCookie(r.writer, "/", browserCookie, id.Browser, durations.Proof)
	}
	return OAuthIdentity{id.OpenID, id.Proof, id.Bound}, err
}

// BindPhone logs in by phone and code, and gives the buyer an identity.
type BindPhone struct {
	OpenID string `form:"openid" required:"true"` // the identity in the messaging app
	EnteredCode
	Proof   string `form:"yz_code"` // the proof of the identity; a missing one is an error
	Further string `form:"further"` // 1 if the buyer agrees to have several identities; missing: not agreed
}

// bindPhone opens a session for the owner of a phone and binds the proven identity to the owner's account. If the
// account has another identity and further is missing, the answer is identity_further, and the code and the proof stay
// valid. With limited access the identity is not bound to the account: only the session can pay with it.
func (l login) bindPhone(ctx context.Context, r *request, in BindPhone) (LoginResult, error) {
	session, err := l.app.BindPhone(ctx, in.on(r), identityProof(r, in.OpenID, in.Proof), in.Further == "1")
	l.loggedIn(ctx, r, session, err)
	return newLoginResult(session), err
}

// QuickLogin logs in by an identity.
type QuickLogin struct {
	OpenID string `form:"openid" required:"true"` // the identity in the messaging app
	Proof  string `form:"yz_code"`                // the proof of the identity; missing on a known device of the buyer
}

// quick opens a session for the buyer of an identity, which yz_code proves, or without it the cookie of the device on
// which the buyer has logged in. The token is empty, and the proof stays valid, if a proven identity has no phone yet.
func (l login) quick(ctx context.Context, r *request, in QuickLogin) (LoginResult, error) {
	if in.Proof == "" {
		session, device, err := l.app.DeviceLogin(ctx, in.OpenID, deviceOf(r))
		if err == nil {
			l.setDevice(r, device)
		}
		return newLoginResult(session), err
	}
	session, err := l.app.QuickLogin(ctx, identityProof(r, in.OpenID, in.Proof))
	l.loggedIn(ctx, r, session, err)
	return newLoginResult(session), err
}

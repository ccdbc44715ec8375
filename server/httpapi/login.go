package httpapi

import (
	"context"
	"marquee/server/httpapi/wire"
	"net/http"
	"net/url"
	"strconv"

	"marquee/server/account"
	"marquee/server/content"
	"marquee/server/fault"
)

// CodeLogin logs in by phone and code.
type CodeLogin interface {
	SendLoginCode(ctx context.Context, phone, ip string) error
	Login(ctx context.Context, phone, code string) (account.Login, error)
	Logout(ctx context.Context, token string) error
}

// AppLogin logs in through the messaging app.
type AppLogin interface {
	StartOAuth(returnURL string) (authorizeURL, state string)
	FinishOAuth(ctx context.Context, r account.OAuthReturn) (openID, proof string, err error)
	QuickLogin(ctx context.Context, openID, proof string) (account.Login, error)
	BindPhone(ctx context.Context, phone, code, openID, proof string) (account.Login, error)
}

// Texts reads policies and guides.
type Texts interface {
	Text(ctx context.Context, key content.Key) (content.Text, error)
}

// ErrURLForeign refuses an address that is not the shop's own.
var ErrURLForeign = fault.New(fault.Invalid, "url_not_allowed", "链接不被允许")

const stateCookie = "marquee_state"

type loginAnswer struct {
	Token  string `json:"token"`
	UID    string `json:"uid"`
	OpenID string `json:"openid"`
	Proof  string `json:"yz_code"`
}

func newLoginAnswer(l account.Login) loginAnswer {
	a := loginAnswer{Token: l.Token, OpenID: l.OpenID, Proof: l.Proof}
	if l.UserID != 0 {
		a.UID = strconv.FormatInt(l.UserID, 10)
	}
	return a
}

var resend = wire.NewWait(account.ResendWait)

func (h *handler) loginIndex(context.Context, *request) (any, error) {
	return struct {
		Logo    string `json:"weblogo"`
		Service string `json:"zxkf"`
	}{h.Logo, h.App.Links.Service}, nil
}

func (h *handler) sendLoginCode(ctx context.Context, r *request) (any, error) {
	return resend, h.Accounts.SendLoginCode(ctx, r.form.Text("phone"), clientIP(r.Request))
}

func (h *handler) phoneLogin(ctx context.Context, r *request) (any, error) {
	l, err := h.Accounts.Login(ctx, r.form.Text("phone"), r.form.Text("code"))
	return newLoginAnswer(l), err
}

func (h *handler) logout(ctx context.Context, r *request) (any, error) {
	return nil, h.Accounts.Logout(ctx, r.form.Text("token"))
}

func (h *handler) wxLogin(_ context.Context, r *request) (any, error) {
	back, err := h.ownURL(r.form, "url")
	if err != nil {
		return nil, err
	}
	to, state := h.Accounts.StartOAuth(back)
	http.SetCookie(r.writer, &http.Cookie{
		Name: stateCookie, Value: state, Path: "/Login", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	})
	return struct {
		URL   string `json:"url"`
		State string `json:"state"`
	}{to, state}, nil
}

func (h *handler) getOpenID(ctx context.Context, r *request) (any, error) {
	back := account.OAuthReturn{Code: r.form.Text("code"), State: r.form.Text("state")}
	token := r.form.Text("token")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	if c, err := r.Cookie(stateCookie); err == nil {
		back.CookieState = c.Value
	}
	if token != "" {
		user, err := h.Accounts.Session(ctx, token)
		if err != nil {
			return nil, err
		}
		back.UserID = user.ID
	}
	// A state serves once, whatever comes of it.
	http.SetCookie(r.writer, &http.Cookie{
		Name: stateCookie, Path: "/Login", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure,
	})
	openID, proof, err := h.Accounts.FinishOAuth(ctx, back)
	return struct {
		OpenID string `json:"openid"`
		Proof  string `json:"yz_code"`
	}{openID, proof}, err
}

func (h *handler) bindPhone(ctx context.Context, r *request) (any, error) {
	f := r.form
	phone, code, openID, proof := f.Text("phone"), f.Text("code"), f.Required("openid"), f.Text("yz_code")
	if f.Err() != nil {
		return nil, f.Err()
	}
	l, err := h.Accounts.BindPhone(ctx, phone, code, openID, proof)
	return newLoginAnswer(l), err
}

func (h *handler) quickLogin(ctx context.Context, r *request) (any, error) {
	openID, proof := r.form.Required("openid"), r.form.Text("yz_code")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	l, err := h.Accounts.QuickLogin(ctx, openID, proof)
	return newLoginAnswer(l), err
}

type textAnswer struct {
	Title string `json:"title"`
	HTML  string `json:"content"`
}

func (h *handler) policy(ctx context.Context, r *request) (any, error) {
	keys := map[string]content.Key{"1": content.Privacy, "2": content.UsageRules}
	key, known := keys[r.form.Text("id")]
	if !known {
		return nil, content.ErrTextNotFound
	}
	t, err := h.Texts.Text(ctx, key)
	return textAnswer{t.Title, t.HTML}, err
}

// ownURL is a field that holds an address of the shop itself, by an exact list of hosts: the messaging app must not
// be made to send codes, or to vouch for a page, elsewhere.
func (h *handler) ownURL(f *wire.Form, name string) (string, error) {
	text := f.Bounded(name, 2048)
	if f.Err() != nil {
		return "", f.Err()
	}
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || !h.hosts[u.Host] {
		return "", ErrURLForeign
	}
	return text, nil
}

package wechat

import (
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

//go:embed phone
var phoneFiles embed.FS

// lateMillis is how long, in real time, a late bridge lets the page wait.
const lateMillis = 1500

// serveBridge is the script that every page of the in-app browser starts with.
func (s *Simulator) serveBridge(w http.ResponseWriter, r *http.Request) {
	p := s.phoneOf(r)
	who := identity(p.openID)
	config := encode(map[string]any{
		"os": p.os, "bridge": cookie(r, bridgeCookie, bridgeReady), "userAgent": p.userAgent, "lat": who.Lat, "lng": who.Lng, "lateMillis": lateMillis,
		"codes": append([]Code{}, s.Codes...),
	})
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	parts := []string{"(() => {\n'use strict'\nconst config = " + string(config) + "\n", asset("sheets.js"), asset("bridge.js"), "})()\n"}
	_, _ = w.Write([]byte(strings.Join(parts, "")))
}

func asset(name string) string {
	b, err := phoneFiles.ReadFile("phone/" + name)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return string(b)
}

// pageHandler is the phone page: a phone with the in-app browser in it, who holds it, and what that person paid and
// was sent.
func (s *Simulator) pageHandler() http.Handler {
	files, err := fs.Sub(phoneFiles, "phone")
	if err != nil {
		panic(err)
	}
	static := http.StripPrefix("/phone/", http.FileServerFS(files))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /phone", s.servePage)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/phone", http.StatusFound) })
	mux.HandleFunc("GET /phone/state", s.serveState)
	for _, name := range []string{"page.css", "page.js"} {
		mux.Handle("GET /phone/"+name, static)
	}
	return mux
}

// servePage sends browsers to the page's own host, which shares a site with the in-app browser.
func (s *Simulator) servePage(w http.ResponseWriter, r *http.Request) {
	if host := hostname(r.Host); host != pageHost && strings.HasPrefix(r.UserAgent(), "Mozilla/") {
		at := url.URL{Scheme: "http", Host: pageHost + strings.TrimPrefix(r.Host, host), Path: "/phone", RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, at.String(), http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-src http://*.localhost:* http://localhost:*; frame-ancestors 'self'")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(asset("page.html")))
}

// record is one payment on the phone page.
type record struct {
	OutTradeNo    string         `json:"out_trade_no"`
	TransactionID string         `json:"transaction_id,omitempty"`
	Description   string         `json:"description"`
	Total         int64          `json:"total"` // fen
	State         string         `json:"state"`
	Text          string         `json:"text"`
	At            string         `json:"at"` // business time
	Refunds       []refundRecord `json:"refunds"`
}

type refundRecord struct {
	Amount int64  `json:"amount"`
	State  string `json:"state"`
}

const shownRecords = 20

// serveState tells the phone page about one person.
func (s *Simulator) serveState(w http.ResponseWriter, r *http.Request) {
	openID := or(r.URL.Query().Get("openid"), s.holder(r))
	who := identity(openID)
	messages := any([]struct{}{})
	if s.SMS != nil && who.Phone != "" {
		list := s.SMS(who.Phone)
		messages = list[:min(len(list), shownRecords)]
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(encode(map[string]any{
		"identity": who, "identities": Identities(), "app": s.AppURL(), "now": wireTime(s.Clock.Now()),
		"records": s.records(openID), "messages": messages,
	}))
}

// records lists a person's payments, newest first.
func (s *Simulator) records(openID string) []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := []*trade{}
	for _, t := range s.trades {
		if t.Payer.OpenID == openID {
			mine = append(mine, t)
		}
	}
	slices.SortFunc(mine, func(a, b *trade) int { return b.number - a.number })
	list := []record{}
	for _, t := range mine[:min(len(mine), shownRecords)] {
		r := record{
			OutTradeNo: t.OutTradeNo, TransactionID: t.transactionID, Description: t.Description, Total: t.Amount.Total, State: t.state,
			Text: stateTexts[t.state], At: wireTime(t.prepaidAt), Refunds: []refundRecord{},
		}
		for _, f := range s.refunds {
			if f.trade == t {
				r.Refunds = append(r.Refunds, refundRecord{f.Amount.Refund, f.state})
			}
		}
		list = append(list, r)
	}
	return list
}

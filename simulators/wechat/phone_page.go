package wechat

import (
	"cmp"
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"marquee/simulators/ownname"
)

//go:embed phone
var phoneFiles embed.FS

// lateMillis is how late, in real time, a late bridge is injected.
const lateMillis = 1500

// shownRecords is how many payments and messages the phone page shows.
const shownRecords = 20

// bridgeScript serves the script that is inserted at the start of every page of the in-app browser.
func (p *phone) bridgeScript(w http.ResponseWriter, r *http.Request) {
	d := p.deviceOf(r)
	p.shares.forget(d.openID) // every document loads this first, so the share cards of the previous one end here
	person := identity(d.openID)
	config := encode(map[string]any{
		"os": d.os, "bridge": cookie(r, bridgeCookie, bridgeReady), "userAgent": d.userAgent, "lat": person.Lat,
		"lng":        person.Lng,
		"lateMillis": lateMillis, "codes": append([]Code{}, p.Codes...),
	})
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	parts := []string{"(() => {\n'use strict'\nconst config = " + string(config) + "\n", asset("sheets.js"),
		asset("bridge.js"), "})()\n"}
	_, _ = w.Write([]byte(strings.Join(parts, "")))
}

// asset is the content of a file in folder phone.
func asset(name string) string {
	b, err := phoneFiles.ReadFile("phone/" + name)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return string(b)
}

// pageHandler serves the phone page: a phone with the in-app browser in it, the person who holds it, and that person's
// payments and messages.
func (p *phone) pageHandler() http.Handler {
	files, err := fs.Sub(phoneFiles, "phone")
	if err != nil {
		panic(err)
	}
	static := http.StripPrefix("/phone/", http.FileServerFS(files))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /phone", p.page)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, "/phone", http.StatusFound)
	})
	mux.HandleFunc("GET /phone/state", p.pageState)
	mux.Handle(scanPath, p.checkout.handler())
	for _, name := range []string{"page.css", "page.js"} {
		mux.Handle("GET /phone/"+name, static)
	}
	return mux
}

// page serves the phone page. A browser on another host is redirected to pageHost.
func (p *phone) page(w http.ResponseWriter, r *http.Request) {
	if host := ownname.WithoutPort(r.Host); host != pageHost && strings.HasPrefix(r.UserAgent(), "Mozilla/") {
		at := url.URL{Scheme: "http", Host: pageHost + strings.TrimPrefix(r.Host, host), Path: "/phone",
			RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, at.String(), http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy",
		"default-src 'self'; frame-src http://*.localhost:* http://localhost:*; frame-ancestors 'self'")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(asset("page.html")))
}

// pageState answers with the data about a person that the phone page shows.
func (p *phone) pageState(w http.ResponseWriter, r *http.Request) {
	openID := cmp.Or(r.URL.Query().Get("openid"), p.people.holder(r))
	person := identity(openID)
	messages := any([]struct{}{})
	if p.SMS != nil && person.Phone != "" {
		list := p.SMS(person.Phone)
		messages = list[:min(len(list), shownRecords)]
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(encode(map[string]any{
		"identity": person, "identities": identities(), "app": p.AppURL(), "now": wireTime(p.Clock.Now()),
		"records": p.payments.records(openID, shownRecords), "messages": messages, "shares": p.shares.of(openID),
	}))
}

package captcha

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"marquee/simulators/faults"
)

// Path is where the port serves the script and the challenge.
const Path = "/captcha"

// ScriptName is the name of the script below Path.
const ScriptName = "/TJCaptcha.js"

var (
	//go:embed page/TJCaptcha.js
	widget []byte
	//go:embed page/challenge.html
	challengePage string
	//go:embed page/challenge.js
	challengeScript []byte
	//go:embed page/challenge.css
	challengeStyle []byte
)

var challengeTemplate = template.Must(template.New("challenge").Parse(challengePage))

// PageHandler serves the script, and the challenge that the script shows in a frame, below Path or at the root.
func (s *Simulator) PageHandler() http.Handler {
	mux := http.NewServeMux()
	for name, file := range map[string]struct {
		kind string
		text []byte
	}{
		ScriptName:       {"text/javascript", widget},
		"/challenge.js":  {"text/javascript", challengeScript},
		"/challenge.css": {"text/css", challengeStyle},
	} {
		mux.HandleFunc("GET "+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", file.kind+"; charset=utf-8")
			w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of shops load it
			_, _ = w.Write(file.text)
		})
	}
	mux.HandleFunc("GET /challenge", s.showChallenge)
	mux.HandleFunc("POST /solve", s.answerChallenge)
	return &faults.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal,
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(w, withoutPath(r)) }),
		Operation: func(r *http.Request, _ []byte) string {
			switch _, pattern := mux.Handler(withoutPath(r)); pattern {
			case "":
				return ""
			case "POST /solve":
				return opSolve
			}
			return opScript
		},
		Error: func(w http.ResponseWriter, _ *http.Request, _, message string) {
			http.Error(w, cmp.Or(message, "captcha: the service is not available"), http.StatusServiceUnavailable)
		},
	}
}

// withoutPath returns a call without Path in its path, as it is sent to ScriptHost.
func withoutPath(r *http.Request) *http.Request {
	route := r.WithContext(r.Context())
	url := *r.URL
	url.Path, url.RawPath = strings.TrimPrefix(url.Path, Path), strings.TrimPrefix(url.RawPath, Path)
	route.URL = &url
	return route
}

// showChallenge creates a challenge and answers with the page that the frame shows.
func (s *Simulator) showChallenge(w http.ResponseWriter, r *http.Request) {
	c, words := s.ask()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors *")
	_ = challengeTemplate.Execute(w, map[string]any{
		"ID": c.id, "Asked": c.asked, "Words": words, "AppID": r.URL.Query().Get("aid"),
	})
}

// answerChallenge answers {ret:0,ticket,randstr} for the right word, and {ret:1} for another one or a challenge that is
// not open.
func (s *Simulator) answerChallenge(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{"ret": 1}
	if t, right := s.solve(r.PostFormValue("id"), r.PostFormValue("word")); right {
		answer = map[string]any{"ret": 0, "ticket": t.text, "randstr": t.random}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

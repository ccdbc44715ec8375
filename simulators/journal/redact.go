package journal

import (
	"regexp"
	"strings"
)

// secretNames are the fields whose values are replaced, in JSON and in form bodies.
var secretNames = []string{
	"appsecret", "app_secret", "secret", "access_token", "refresh_token", "session_key", "password", "pass", "paypass",
	"token", "authorization",
}

var (
	jsonSecret = regexp.MustCompile(`(?i)"(` + strings.Join(secretNames, "|") + `)"\s*:\s*"(?:[^"\\]|\\.)*"?`)
	formSecret = regexp.MustCompile(`(?i)(^|[&?])(` + strings.Join(secretNames, "|") + `)=[^&\s]*`)
	anySecret  = regexp.MustCompile(`(?i)secret|token|session_key|pass|authorization`)
)

// Redact replaces the values of secret fields in a JSON or form text by "***".
func Redact(text string) string {
	if !anySecret.MatchString(text) {
		return text
	}
	text = jsonSecret.ReplaceAllString(text, `"$1":"***"`)
	return formSecret.ReplaceAllString(text, "$1$2=***")
}

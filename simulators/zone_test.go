package simulators_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

// Every time in an answer is in the vendors' zone, wherever the simulators run and whatever zone a client sends.
func TestControl_TimesOfAnswersHaveOneZone(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"id":"zone-ci","now":"2030-06-01T09:00:00Z","frozen":true,"push_url":"http://127.0.0.1:1/push"}`)
	require.Equal(t, "zone-ci", made.ID)
	control(t, s, http.MethodPost, "/worlds", `{"id":"zone-two","now":"2030-06-01T09:00:00-05:00"}`)
	v.text("13900000001", "271828")
	v.announce("ORDER-0001", "http://127.0.0.1:1/notify")
	control(t, s, http.MethodPost, "/clock/advance?world=zone-ci", `{"to":"2030-06-01T10:00:00Z"}`)
	_, stream := do(t, mustRequest(t, http.MethodGet, s.URL()+"/sim/v1/worlds/zone-ci/snapshot"))
	texts := []string{stream}
	for _, path := range []string{"/worlds", "/worlds/zone-ci", "/worlds/zone-two", "/clock", "/clock?world=zone-ci",
		"/clock?world=zone-two", "/health?world=zone-ci", "/health", "/journal?world=zone-ci", "/orders?world=zone-ci",
		"/sms/messages?world=zone-ci", "/catalogue?world=zone-ci", "/showings?city=310100&limit=2&world=zone-ci",
		"/wechat/merchant?world=zone-ci", "/films?world=zone-ci", "/faults", "/journal/export?format=jsonl&world=zone-ci",
		"/journal/export?format=har&world=zone-ci"} {
		_, text := do(t, mustRequest(t, http.MethodGet, s.URL()+"/sim/v1"+path))
		texts = append(texts, text)
	}
	moment := regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"\\]*"`)
	found := 0
	for _, text := range texts {
		require.False(t, strings.HasPrefix(text, `{"error"`), text)
		for _, quoted := range moment.FindAllString(text, -1) {
			var at string
			require.NoError(t, json.Unmarshal([]byte(quoted), &at))
			if strings.HasPrefix(at, "0001-") {
				continue
			}
			found++
			assert.True(t, strings.HasSuffix(at, "+08:00"), "%s in %.300s", at, text)
		}
	}
	require.Greater(t, found, 40)
}

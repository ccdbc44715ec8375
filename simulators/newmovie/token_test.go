package newmovie_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/newmovie"
)

func TestToken_EachFailureHasItsOwnCode(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	good := r.header
	for header, want := range map[string]int{
		"": 401001, "Bearer nonsense": 401003, strings.Replace(good, "Bearer", "Basic", 1): 401003,
		strings.Replace(good, "Bearer", "bearer", 1): 401003, good: 0,
	} {
		r.header = header
		code, _ := r.call("GET", "movie/cities", "")
		assert.Equal(t, want, code, header)
	}
	for body, want := range map[string]int{
		`{"entId":"ent1","appSecret":"wrong"}`:          401004,
		`{"entId":"ent2","appSecret":"` + secret + `"}`: 401004,
		`{}`:       401004,
		`not json`: 400001,
		`[]`:       400001,
	} {
		code, _ := r.call("POST", "oauth/token", body)
		assert.Equal(t, want, code, body)
	}
}

func TestToken_ExpiresOnTheBusinessClock(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	r.Clock.Advance(2*time.Hour - time.Minute)
	r.must("GET", "movie/cities", "")
	r.Clock.Advance(time.Minute + time.Second)
	code, _ := r.call("GET", "movie/cities", "")
	assert.Equal(t, 401002, code)
	assert.Contains(t, r.Journal.Entries(journal.Filter{Verdict: journal.Rejected})[0].Reason, "expired")
	r.login()
	r.must("GET", "movie/cities", "")
}

func TestToken_APlannedExpiryIsFinal(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	r.Fault(newmovie.Name, faults.Fault{Operation: "movie/cities", Do: "token-expired", Times: 1})
	code, _ := r.call("GET", "movie/cities", "")
	assert.Equal(t, 401002, code)
	code, _ = r.call("GET", "movie/cities", "")
	assert.Equal(t, 401003, code, "the old token is gone")
	r.login()
	r.must("GET", "movie/cities", "")
}

func TestHandler_RejectsOtherTypesAndPaths(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	request, err := http.NewRequest(http.MethodPost, r.url+"order/cancel", strings.NewReader("outOrderNo=1"))
	require.NoError(t, err)
	request.Header.Set("Authorization", r.header)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	entry := r.Journal.Entries(journal.Filter{Limit: 1})[0]
	assert.Contains(t, entry.Answer, "400001")
	response, err = http.Get(r.url + "order/lock")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusNotImplemented, response.StatusCode)
}

func TestError_HasTheProvidersFormat(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	r.Fault(newmovie.Name, faults.Fault{Operation: "*", Do: "error", Code: "429001", Message: "请求过于频繁", Times: 1})
	code, _ := r.call("GET", "movie/cities", "")
	assert.Equal(t, 429001, code)
	r.Fault(newmovie.Name, faults.Fault{Operation: "*", Do: "error", Times: 1})
	code, _ = r.call("GET", "movie/cities", "")
	assert.Equal(t, 500001, code)
}

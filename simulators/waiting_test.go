package simulators_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

func TestControl_ClockFreezesAdvancesToATimeAndRefusesToGoBack(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"now":"2031-01-01T10:00:00+08:00"}`)
	in := "?world=" + made.ID
	_, frozen := control(t, s, http.MethodPost, "/clock/freeze"+in, "")
	assert.Equal(t, true, frozen["frozen"])
	_, advanced := control(t, s, http.MethodPost, "/clock/advance"+in, `{"to":"2031-01-01T12:00:00+08:00"}`)
	assert.Equal(t, "2031-01-01T12:00:00+08:00", advanced["now"])
	_, again := control(t, s, http.MethodGet, "/clock"+in, "")
	assert.Equal(t, advanced["now"], again["now"], "it stands")
	for body, code := range map[string]string{
		`{"to":"2031-01-01T11:59:59+08:00"}`:             "clock_backwards",
		`{"seconds":-5}`:                                 "clock_backwards",
		`{"seconds":0}`:                                  "clock_backwards",
		`{"seconds":-9223372036854775808}`:               "clock_backwards",
		`{"to":"2039-01-01T11:59:59+08:00"}`:             "too_far",
		`{"to":"noon"}`:                                  "bad_time",
		`{"to":7}`:                                       "bad_time",
		`{"seconds":1,"to":"2031-01-02T00:00:00+08:00"}`: "conflicting_fields",
		`{"seconds":1.5}`:                                "wrong_type",
	} {
		status, answer := control(t, s, http.MethodPost, "/clock/advance"+in, body)
		assert.Equal(t, http.StatusBadRequest, status, body)
		assert.Contains(t, fmt.Sprint(answer["error"]), "code:"+code, body)
	}
	assert.Equal(t, true, v.gateway("city.list")["success"], "wire time is real time all the while")
	_, resumed := control(t, s, http.MethodPost, "/clock/resume"+in, "")
	assert.Equal(t, false, resumed["frozen"])
	_, reset := control(t, s, http.MethodPost, "/clock/reset"+in, "")
	at, err := time.Parse(time.RFC3339, fmt.Sprint(reset["now"]))
	require.NoError(t, err)
	assert.WithinDuration(t, time.Date(2031, 1, 1, 2, 0, 0, 0, time.UTC), at, time.Minute, "where the world began")
	_, standard := control(t, s, http.MethodGet, "/clock", "")
	assert.InDelta(t, 0, standard["offset_seconds"], 0)
}

func TestControl_ClockHasAnEnd(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"frozen":true}`)
	for range 400 {
		status, answer := control(t, s, http.MethodPost, "/clock/advance?world="+made.ID, `{"seconds":34560000}`)
		if status == http.StatusOK {
			continue
		}
		assert.Contains(t, fmt.Sprint(answer["error"]), "too_far")
		_, clock := control(t, s, http.MethodGet, "/clock?world="+made.ID, "")
		assert.Regexp(t, "^209[89]-", clock["now"])
		assert.Equal(t, true, v.gateway("city.list")["success"], "the world goes on")
		return
	}
	t.Fatal("the clock goes on for ever")
}

func TestControl_JournalIsCountedWaitedForAndCleared(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	in := "?world=" + made.ID
	v.gateway("city.list")
	_, counted := control(t, s, http.MethodGet, "/journal/count"+in+"&operation=city.list&verdict=ok", "")
	assert.InDelta(t, 1, counted["count"], 0)
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet, fmt.Sprintf("/journal/wait%s&verdict=refused&after=%v&timeout=60", in, counted["last"]), "")
		answered <- answer
	}()
	v.gateway("city.list")
	v.gateway("film.detail")
	answer := <-answered
	assert.Equal(t, false, answer["timed_out"])
	assert.Contains(t, fmt.Sprint(answer["entries"]), "film.detail")
	_, none := control(t, s, http.MethodGet, "/journal/wait"+in+"&operation=opi.seat&timeout=0", "")
	assert.Equal(t, true, none["timed_out"])
	assert.Empty(t, none["entries"])
	control(t, s, http.MethodDelete, "/journal"+in, "")
	_, counted = control(t, s, http.MethodGet, "/journal/count"+in, "")
	assert.InDelta(t, 0, counted["count"], 0)
	for _, wrong := range []string{"timeout=121", "timeout=soon", "after=-1", "verdict=good", "provider=nobody", "contain=x"} {
		status, refused := control(t, s, http.MethodGet, "/journal/wait"+in+"&"+wrong, "")
		assert.Equal(t, http.StatusBadRequest, status, wrong)
		assert.Contains(t, refused, "error")
	}
}

func TestControl_NextCodeOfAPhoneIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	in := "?world=" + made.ID
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet, "/sms/messages/next"+in+"&phone=13900000007&timeout=60", "")
		answered <- answer
	}()
	require.Equal(t, "OK", v.text("13900000008", "111111"))
	require.Equal(t, "OK", v.text("13900000007", "222222"))
	first, ok := (<-answered)["message"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, "222222", first["code"])
	after := fmt.Sprintf("&phone=13900000007&after=%v", first["id"])
	_, none := control(t, s, http.MethodGet, "/sms/messages/next"+in+after+"&timeout=0", "")
	assert.Equal(t, true, none["timed_out"])
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)
	require.Equal(t, "OK", v.text("13900000007", "333333"))
	_, second := control(t, s, http.MethodGet, "/sms/messages/next"+in+after, "")
	assert.Contains(t, fmt.Sprint(second), "333333")
	_, removed := control(t, s, http.MethodDelete, "/sms/messages"+in+"&phone=13900000007", "")
	assert.InDelta(t, 2, removed["removed"], 0)
	_, inbox := control(t, s, http.MethodGet, "/sms/messages"+in, "")
	assert.Len(t, inbox["messages"], 1)
}

func TestControl_AWaitEndsWithItsWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	v.gateway("city.list")
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet, "/journal/wait?timeout=60&operation=opi.seat&world="+made.ID, "")
		answered <- answer
	}()
	for {
		select {
		case answer := <-answered:
			assert.Regexp(t, "world_gone|world_unknown", fmt.Sprint(answer["error"]))
			return
		case <-time.After(20 * time.Millisecond):
			control(t, s, http.MethodDelete, "/worlds/"+made.ID, "")
		}
	}
}

func TestControl_AThousandLongPollsAndThenALimit(t *testing.T) {
	t.Parallel()
	const most = 2000
	s := start(t, simulators.Options{})
	ctx, hangUp := context.WithCancel(t.Context())
	client := &http.Client{Transport: &http.Transport{}}
	var polls sync.WaitGroup
	for range most + 20 {
		polls.Add(1)
		go func() {
			defer polls.Done()
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+"/sim/v1/sms/messages/next?phone=1&timeout=120", nil)
			if err != nil {
				return
			}
			if answer, err := client.Do(request); err == nil {
				_ = answer.Body.Close()
			}
		}()
	}
	require.Eventually(t, func() bool {
		status, answer := control(t, s, http.MethodGet, "/journal/wait?timeout=0", "")
		return status == http.StatusTooManyRequests && strings.Contains(fmt.Sprint(answer["error"]), "too_many_waiting")
	}, 30*time.Second, 10*time.Millisecond)
	assert.Equal(t, true, visitor{t, s.URL(), s.Default().Credentials()}.gateway("city.list")["success"], "the worlds go on")
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"])
	hangUp()
	polls.Wait()
	require.Eventually(t, func() bool {
		status, _ := control(t, s, http.MethodGet, "/journal/wait?timeout=0", "")
		return status == http.StatusOK
	}, 30*time.Second, 10*time.Millisecond, "those who hang up make room")
}

// endless is a body of a hundred megabytes.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	n := min(len(b), e.left)
	if n == 0 {
		return 0, fmt.Errorf("nobody stopped reading")
	}
	for i := range b[:n] {
		b[i] = ' '
	}
	e.left -= n
	return n, nil
}

// hundredMegabytes makes a call that asks, as curl does, before it sends so much, and waits for the answer.
func hundredMegabytes(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, &endless{100 << 20})
	require.NoError(t, err)
	request.ContentLength = 100 << 20
	request.Header.Set("Expect", "100-continue")
	patient := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}}
	response, err := patient.Do(request)
	require.NoError(t, err)
	return response.StatusCode, body(t, response)
}

func TestControl_AHundredMegabytesAreRefused(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, path := range []string{"/worlds", "/faults", "/clock/advance", "/clock/reset", "/clock/freeze", "/wechat/pay"} {
		status, text := hundredMegabytes(t, s.URL()+"/sim/v1"+path)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
		assert.Contains(t, text, "body_too_large", path)
	}
	request, err := http.NewRequest(http.MethodPost, s.URL()+"/sim/v1/faults", io.MultiReader(strings.NewReader(strings.Repeat(" ", 200_000))))
	require.NoError(t, err)
	status, text := do(t, request)
	assert.Equal(t, http.StatusRequestEntityTooLarge, status, "a size that is not announced")
	assert.Contains(t, text, "body_too_large")
	for _, path := range []string{"/gateway", "/newmovie/api/oauth/token", "/cgi-bin/stable_token"} {
		status, _ = hundredMegabytes(t, s.URL()+path)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
	}
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"])
}

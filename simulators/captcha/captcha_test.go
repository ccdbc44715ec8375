package captcha_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/errors"
	tchttp "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/http"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"

	"marquee/simulators/captcha"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// captchaServer is the provider on two sockets: its API and its pages.
type captchaServer struct {
	*captcha.Simulator
	plan       *faults.Plan
	journal    *journal.Journal
	clock      *testclock.Clock
	keys       dataset.CaptchaCredentials
	api, pages *httptest.Server
}

func start(t *testing.T) *captchaServer {
	t.Helper()
	r := &captchaServer{
		plan: faults.NewPlan(), clock: testclock.New(), keys: dataset.NewCredentials(1).Captcha,
	}
	r.journal = journal.New(100, r.clock.Now)
	r.Simulator = captcha.New(captcha.Config{Clock: r.clock, Plan: r.plan, Journal: r.journal, Credentials: r.keys})
	r.api, r.pages = httptest.NewServer(r.APIHandler()), httptest.NewServer(r.PageHandler())
	t.Cleanup(r.api.Close)
	t.Cleanup(r.pages.Close)
	return r
}

var (
	challengeID = regexp.MustCompile(`data-id="(\w+)"`)
	askedWord   = regexp.MustCompile(`<b>(.)</b>`)
)

// answer is what the challenge gives the page.
type answer struct {
	Ret             int
	Ticket, Randstr string
}

// open opens a challenge and returns its id and the right word.
func (r *captchaServer) open(t *testing.T) (id, word string) {
	t.Helper()
	response, err := http.Get(r.pages.URL + captcha.Path + "/challenge?aid=1")
	require.NoError(t, err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return challengeID.FindStringSubmatch(string(page))[1], askedWord.FindStringSubmatch(string(page))[1]
}

func (r *captchaServer) solve(t *testing.T, id, word string) (a answer) {
	t.Helper()
	response, err := http.PostForm(r.pages.URL+captcha.Path+"/solve?aid=1", url.Values{"id": {id}, "word": {word}})
	require.NoError(t, err)
	defer response.Body.Close()
	require.NoError(t, json.NewDecoder(response.Body).Decode(&a))
	return a
}

func (r *captchaServer) pass(t *testing.T) answer {
	t.Helper()
	id, word := r.open(t)
	a := r.solve(t, id, word)
	require.Zero(t, a.Ret)
	return a
}

// body returns the parameters of DescribeCaptchaResult for an answer.
func (r *captchaServer) body(a answer) map[string]any {
	return map[string]any{
		"CaptchaType": 9, "Ticket": a.Ticket, "UserIp": "203.0.113.7", "Randstr": a.Randstr,
		"CaptchaAppId": r.keys.AppID, "AppSecretKey": r.keys.AppSecretKey,
	}
}

// check calls the API through the common part of the vendor's SDK. It returns the result, or the code of the error.
func (r *captchaServer) check(t *testing.T, secretKey string, body map[string]any) (result int, rejected string) {
	t.Helper()
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint, p.HttpProfile.Scheme = strings.TrimPrefix(r.api.URL, "http://"), "http"
	client := common.NewCommonClient(common.NewCredential(r.keys.SecretID, secretKey), "", p)
	request := tchttp.NewCommonRequest("captcha", "2019-07-22", "DescribeCaptchaResult")
	require.NoError(t, request.SetActionParameters(body))
	response := tchttp.NewCommonResponse()
	if err := client.Send(request, response); err != nil {
		var rejected *errors.TencentCloudSDKError
		require.ErrorAs(t, err, &rejected)
		return 0, rejected.GetCode()
	}
	var read struct {
		Response struct {
			CaptchaCode           int
			CaptchaMsg, RequestId string
		}
	}
	require.NoError(t, json.Unmarshal(response.GetBody(), &read))
	require.NotEmpty(t, read.Response.RequestId)
	return read.Response.CaptchaCode, ""
}

func (r *captchaServer) result(t *testing.T, a answer) int {
	t.Helper()
	result, rejected := r.check(t, r.keys.SecretKey, r.body(a))
	require.Empty(t, rejected)
	return result
}

func TestCheck_ATicketIsValidOnceAndForFiveMinutes(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	first := r.pass(t)
	require.Equal(t, 1, r.result(t, first))
	require.Equal(t, 9, r.result(t, first), "used")

	late := r.pass(t)
	r.clock.Advance(5*time.Minute + time.Second)
	require.Equal(t, 8, r.result(t, late))

	mixed := r.pass(t)
	mixed.Randstr = r.pass(t).Randstr + "x"
	require.Equal(t, 7, r.result(t, mixed))
	require.Equal(t, 15, r.result(t, answer{Ticket: "t03forged", Randstr: "@abc"}))
}

func TestCheck_NamesWhatIsWrongWithTheCall(t *testing.T) {
	t.Parallel()
	r := start(t)
	a := r.pass(t)
	_, rejected := r.check(t, "another key", r.body(a))
	require.Equal(t, "AuthFailure.SignatureFailure", rejected)
	entries := r.journal.Entries(journal.Filter{Operation: "check"})
	require.NotNil(t, entries[0].Signature, "the journal shows what was to be signed")

	change := func(name string, value any) map[string]any {
		body := r.body(a)
		if body[name] = value; value == nil {
			delete(body, name)
		}
		return body
	}
	for _, name := range []string{"CaptchaType", "Ticket", "UserIp", "Randstr", "CaptchaAppId", "AppSecretKey"} {
		_, rejected := r.check(t, r.keys.SecretKey, change(name, nil))
		require.Equal(t, "MissingParameter", rejected, name)
	}
	_, rejected = r.check(t, r.keys.SecretKey, change("CaptchaType", 8))
	require.Equal(t, "InvalidParameterValue", rejected)
	_, rejected = r.check(t, r.keys.SecretKey, change("Ticket", 5))
	require.Equal(t, "InvalidParameter", rejected)
	_, rejected = r.check(t, r.keys.SecretKey, change("Tickets", "x"))
	require.Equal(t, "InvalidParameter", rejected)
	result, _ := r.check(t, r.keys.SecretKey, change("CaptchaAppId", 5))
	require.Equal(t, 16, result)
	result, _ = r.check(t, r.keys.SecretKey, change("AppSecretKey", "x"))
	require.Equal(t, 100, result)
	require.Equal(t, 1, r.result(t, a), "rejected calls did not use up the ticket")
}

func TestSolve_AChallengeEndsWithItsFirstAnswer(t *testing.T) {
	t.Parallel()
	r := start(t)
	id, word := r.open(t)
	wrong := "影"
	if word == wrong {
		wrong = "票"
	}
	require.Equal(t, 1, r.solve(t, id, wrong).Ret)
	require.Equal(t, 1, r.solve(t, id, word).Ret, "it is not open any more")
	require.Equal(t, 1, r.solve(t, "none", word).Ret)
}

func TestFaults_OfTheProvider(t *testing.T) {
	t.Parallel()
	r := start(t)
	plan := func(operation, do string) {
		_, err := r.plan.Add(faults.Fault{Provider: captcha.Name, Operation: operation, Do: do, Times: 1})
		require.NoError(t, err)
	}
	plan("check", "refuse-ticket")
	require.Equal(t, 15, r.result(t, r.pass(t)))
	plan("check", "system-error")
	require.Equal(t, 26, r.result(t, r.pass(t)))
	plan("check", faults.Error)
	_, rejected := r.check(t, r.keys.SecretKey, r.body(r.pass(t)))
	require.Equal(t, "InternalError", rejected)
	plan("script", faults.Status)
	response, err := http.Get(r.pages.URL + captcha.Path + captcha.ScriptName)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusInternalServerError, response.StatusCode)
	response, err = http.Get(r.pages.URL + captcha.Path + captcha.ScriptName)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "window.TencentCaptcha")
}

func TestPages_WhatIsNotSimulatedIsReportedAndUsesUpNoPlannedFault(t *testing.T) {
	t.Parallel()
	r := start(t)
	_, err := r.plan.Add(faults.Fault{Provider: captcha.Name, Operation: "*", Do: faults.Status,
		Status: http.StatusBadGateway})
	require.NoError(t, err)
	for path, want := range map[string]int{
		captcha.Path + "/cap_union_prehandle": http.StatusNotImplemented,
		"/cap_union_new_show":                 http.StatusNotImplemented,
		captcha.ScriptName:                    http.StatusBadGateway,
		captcha.Path + captcha.ScriptName:     http.StatusBadGateway,
	} {
		response, err := http.Get(r.pages.URL + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode, path)
	}
	require.Len(t, r.journal.Entries(journal.Filter{Verdict: journal.NotSimulated}), 2)
	require.Equal(t, 2, r.plan.Faults()[0].Hits)
}

package preset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/journal"
	"marquee/simulators/preset"
	"marquee/simulators/wechat"
)

func TestPreset_EveryShippedOneIsApplied(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"bad-day", "moving-to-public-keys", "profit-sharing", "quiet-day", "ticket-orders"}, preset.Names())
	s := simulators.StartForTest(t)
	for _, name := range preset.Names() {
		text, err := preset.Read(name)
		require.NoError(t, err)
		require.NoError(t, preset.Apply(s, name, text), name)
	}
	require.Len(t, s.Default().Faults().Faults(), 8)
	require.NotNil(t, s.ByID("quiet-day"))
	require.Contains(t, string(s.ByID("quiet-day").Snapshot()), `"state": "SUCCESS"`)
	require.Contains(t, string(s.ByID("ticket-orders").Snapshot()), `"state": "issue-refused"`)
	require.Contains(t, string(s.ByID("moving").Snapshot()), `"signs_with": "moving"`)
}

func TestPreset_WhatIsWrongIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"worlds:\n  - faults:\n      - {provider: gateway, operation: seat.lok, do: hang}\n": `p.yaml:3: invalid_fault: unknown operation "seat.lok"`,
		"worlds:\n\n  - id: UPPER\n    create: {seed: 1}\n":                                  `p.yaml:4: bad_world_id`,
		"worlds:\n  - id: w-1\n    color: red\n": `p.yaml:3: unknown field color; valid: id, create, signs_with, payments, ` +
			`tickets, faults, stubs, targets, advance_s, frozen`,
		"world: []\n": `p.yaml:1: unknown field world; valid: worlds`,
		"worlds:\n  - payments:\n      - {out_trade_no: A, total: 1, state: NOTPAY}\n": `p.yaml:3: payment A: PARAM_ERROR: `,
		"worlds:\n  - signs_with: rsa\n":                                               `p.yaml:2: bad_keys`,
		"worlds:\n  - advance_s: -1\n":                                                 `p.yaml:2: clock_backwards`,
		"worlds:\n  - frozen: maybe\n":                                                 `p.yaml:2: frozen must be true or false`,
		"worlds:\n  - id: w-1\n    create: {now: \"1999-01-01T00:00:00Z\"}\n":          `p.yaml:3: bad_time: now must be from 2020 to 2046`,
		"worlds:\n  - create: {seed: 2}\n":                                             `p.yaml:2: create needs an id`,
		"worlds:\n  - faults:\n      - provider: [\n":                                  `p.yaml:3: `,

		"":                          "p.yaml: the file is empty",
		"# a comment\n":             "p.yaml: the file is empty",
		"worlds:\n":                 "p.yaml: worlds is missing or empty",
		"worlds: {id: w-1}\n":       "p.yaml:1: a list is needed, not a map",
		"worlds:\n  - id: [w-1]\n":  "p.yaml:2: a text is needed, not a seq",
		"just a text\n":             "p.yaml:1: a mapping is needed, not `just a ...`",
		"worlds: [{}]\n---\na: b\n": "p.yaml: only one document is allowed",

		"worlds:\n  - id: w-1\n    id: w-2\n":                                                 `p.yaml:3: mapping key "id" already defined at line 2`,
		"worlds:\n  - faults:\n      - {do: hang, do: reset}\n":                               `p.yaml:3: mapping key "do" already defined at line 3`,
		"worlds:\n  - id: w-1\n  - id: w-1\n":                                                 `p.yaml:3: world_exists`,
		"worlds:\n  - payments:\n      - out_trade_no: A\n        total: \"5\"\n":             "p.yaml:4: a whole number is needed, not `5`",
		"worlds:\n  - payments:\n      - {out_trade_no: A, state: PAID}\n":                    `p.yaml:3: payment A: state is "PAID"; valid: NOTPAY`,
		"worlds:\n  - stubs:\n      - {provider: wechat, path: /x, answer: {body: '{{'}}":     `p.yaml:3: invalid_stub`,
		"worlds:\n  - targets:\n      - {url: 'ftp://x'}":                                     `p.yaml:3: bad_address`,
		"worlds:\n  - targets:\n      - {url: 'http://a.test/x', operation: query}":           `p.yaml:3: invalid_target: unknown webhook "query"; valid: ticket.push`,
		"worlds:\n  - id: w-1\n    create: &c\n      seed: *c\n":                              `anchor 'c' value contains itself`,
		"worlds:\n  - id: w-1\n    create:\n      a: &a [1,1,1,1,1,1,1,1,1]\n" + bomb('b', 8): `excessive aliasing`,
	} {
		err := preset.Apply(simulators.StartForTest(t), "p.yaml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// bomb returns lines of a YAML mapping. Each repeats the list of the previous line nine times, so that a short text
// would become a huge value.
func bomb(first byte, lines byte) (text string) {
	for name := first; name < first+lines; name++ {
		text += fmt.Sprintf("      %c: &%c [%s]\n", name, name, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", name-1), 9), ","))
	}
	return text
}

func TestPreset_AnchorsServeThroughoutTheFile(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte(`worlds:
  - id: first
    faults: &slow
      - &hang {provider: gateway, operation: seat.lock, do: hang}
      - {<<: *hang, operation: order.create}
  - id: second
    faults: *slow
`)))
	for _, id := range []string{"first", "second"} {
		require.Len(t, s.ByID(id).Faults().Faults(), 2)
	}
}

func TestPreset_APaymentThatIsRefunded(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte(`worlds:
  - id: refunded
    payments:
      - {out_trade_no: REFUND-1, description: 两张电影票, total: 8400, openid: oMarqueeDemo_bound_0001, state: REFUND,
         notify_url: "http://127.0.0.1:1/notify"}
    advance_s: 60
`)))
	saved := string(s.ByID("refunded").Snapshot())
	require.Contains(t, saved, `"state": "REFUND"`)
	require.Regexp(t, `(?s)"refund_id".*"state": "SUCCESS"`, saved, "the money is back after a minute")
}

func TestPreset_PlannedFaultsDoNotChangePayments(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte(`worlds:
  - faults:
      - {provider: wechat, operation: pay, do: bridge-ok-unpaid}
      - {provider: wechat, operation: refund, do: refund-closed}
  - payments:
      - {out_trade_no: PAID-01, description: 两张电影票, total: 8400, openid: oMarqueeDemo_bound_0001, state: SUCCESS,
         notify_url: "http://127.0.0.1:1/notify"}
`)))
	w := s.Default()
	require.Contains(t, string(w.Snapshot()), `"state": "SUCCESS"`)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte(`worlds:
  - payments:
      - {out_trade_no: REFUND-1, description: 两张电影票, total: 8400, openid: oMarqueeDemo_bound_0001, state: REFUND,
         notify_url: "http://127.0.0.1:1/notify"}
    advance_s: 60
`)))
	require.Regexp(t, `(?s)"refund_id".*"state": "SUCCESS"`, string(w.Snapshot()))
	for _, planned := range w.Faults().Faults() {
		require.Zero(t, planned.Seen, planned.Do)
	}
	require.Zero(t, w.Journal().Count(journal.Filter{Provider: wechat.Name, Operation: "pay"}), "no call was made")
}

func TestPreset_StubsAnswerAndTargetsReceive(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	received := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received <- r.URL.Path
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(receiver.Close)
	text, err := preset.Read("profit-sharing")
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte("http://127.0.0.1:8090"), []byte(receiver.URL))
	require.NoError(t, preset.Apply(s, "profit-sharing", text))
	select {
	case path := <-received:
		require.Equal(t, "/copies", path, "the payment that was made after the target")
	case <-time.After(20 * time.Second):
		require.Fail(t, "no notification reached the target")
	}
	keys := s.ByID("sharing").Credentials().WeChat
	body := []byte(`{"out_order_no":"SHARE-1"}`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/v3/profitsharing/orders",
		bytes.NewReader(body))
	require.NoError(t, err)
	request.Host = wechat.PayHost
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "*/*", "User-Agent": "test"} {
		request.Header.Set(name, value)
	}
	require.NoError(t, wechat.Authorize(request, keys, body, time.Now()))
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	var shared struct {
		OutOrderNo string `json:"out_order_no"`
		State      string `json:"state"`
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&shared))
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, "SHARE-1", shared.OutOrderNo, "of the call")
	require.Equal(t, "PROCESSING", shared.State)
	require.NotEmpty(t, answer.Header.Get("Wechatpay-Signature"))
}

func TestPreset_AFileOfOnesOwnOrTheListOfShippedOnes(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.yaml")
	require.NoError(t, os.WriteFile(own, []byte("worlds:\n  - id: own-world\n"), 0o600))
	text, err := preset.Read(own)
	require.NoError(t, err)
	require.NoError(t, preset.Apply(simulators.StartForTest(t), own, text))
	_, err = preset.Read("calm")
	require.ErrorContains(t, err, "bad-day, moving-to-public-keys, profit-sharing, quiet-day, ticket-orders")
	large := filepath.Join(t.TempDir(), "large.yaml")
	require.NoError(t, os.WriteFile(large, bytes.Repeat([]byte("# "), 600_000), 0o600))
	_, err = preset.Read(large)
	require.ErrorContains(t, err, "longer than 1048576 bytes")
}

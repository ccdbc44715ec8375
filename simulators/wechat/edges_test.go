package wechat_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/script"
)

// refundPart asks for a refund of one fen and returns the HTTP status and the code of a refusal.
func (r *rig) refundPart(t *testing.T, order string, part int) (int, any) {
	t.Helper()
	status, answer := r.raw(t, http.MethodPost, "/v3/refund/domestic/refunds", fmt.Sprintf(
		`{"out_trade_no":%q,"out_refund_no":"%s-%d","amount":{"refund":1,"total":100,"currency":"CNY"}}`, order, order, part))
	return status, answer["code"]
}

func TestRefund_FiftyPartsWithinAYear(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	for _, order := range []string{"PARTS-0001", "LATE-00001"} {
		require.NoError(t, r.Pay(r.prepay(t, client, order, 100), "pay"))
	}
	for part := range 50 {
		status, code := r.refundPart(t, "PARTS-0001", part)
		require.Equal(t, http.StatusOK, status, code)
	}
	status, code := r.refundPart(t, "PARTS-0001", 50)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "INVALID_REQUEST", code)
	status, _ = r.refundPart(t, "PARTS-0001", 49)
	require.Equal(t, http.StatusOK, status, "the same refund again is no further part")
	r.clock.Advance(365*24*time.Hour + time.Second)
	status, code = r.refundPart(t, "LATE-00001", 0)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "INVALID_REQUEST", code)
}

func TestPayAPI_PlannedErrorsHaveTheirDocumentedStatus(t *testing.T) {
	t.Parallel()
	r := start(t)
	for code, want := range map[string]int{
		"USERPAYING": 202, "ACCOUNT_ERROR": 403, "MCH_NOT_EXISTS": 404, "FREQUENCY_LIMITED": 429, "PARAM_ERROR": 400,
	} {
		r.fault(t, script.Fault{Operation: "query", Do: script.Error, Code: code, Times: 1})
		status, answer := r.raw(t, http.MethodGet, "/v3/pay/transactions/id/1?mchid="+r.keys.MchID, "")
		require.Equal(t, want, status, code)
		require.Equal(t, code, answer["code"])
	}
}

package wechat_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"

	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

func TestSDK_Refunds(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := &refunddomestic.RefundsApiService{Client: client}
	ask := func(no, refundNo string, fen, total int64) (*refunddomestic.Refund, error) {
		answer, _, err := service.Create(context.Background(), refunddomestic.CreateRequest{
			OutTradeNo: core.String(no), OutRefundNo: core.String(refundNo), Reason: core.String("出票失败"),
			NotifyUrl: core.String(r.shop.URL),
			Amount: &refunddomestic.AmountReq{Refund: core.Int64(fen), Total: core.Int64(total),
				Currency: core.String("CNY")},
		})
		return answer, err
	}
	unpaid := r.prepay(t, client, "ORDER-000001", 1000)
	_, err := ask("ORDER-000001", "R1", 1000, 1000)
	rejected(t, err, http.StatusNotFound, "RESOURCE_NOT_EXISTS")
	require.NoError(t, r.Pay(unpaid, "pay"))
	r.shop.wait(t, 1)

	first, err := ask("ORDER-000001", "R1", 400, 1000)
	require.NoError(t, err)
	require.Equal(t, refunddomestic.STATUS_PROCESSING, *first.Status)
	require.Equal(t, "REFUND", r.state(t, client, "ORDER-000001"))
	again, err := ask("ORDER-000001", "R1", 400, 1000)
	require.NoError(t, err)
	require.Equal(t, *first.RefundId, *again.RefundId)

	for _, row := range [][2]int64{{401, 1000}, {400, 999}} {
		_, err = ask("ORDER-000001", "R1", row[0], row[1])
		rejected(t, err, http.StatusBadRequest, "INVALID_REQUEST")
	}
	_, err = ask("ORDER-000001", "R2", 600, 1000)
	rejected(t, err, http.StatusTooManyRequests, "FREQUENCY_LIMITED")
	r.clock.Advance(time.Minute)
	_, err = ask("ORDER-000001", "R2", 601, 1000)
	rejected(t, err, http.StatusBadRequest, "INVALID_REQUEST")
	_, err = ask("ORDER-000001", "R2", 600, 1000)
	require.NoError(t, err, "the rest")
	r.clock.Advance(time.Minute)
	_, err = ask("ORDER-000001", "R3", 1, 1000)
	rejected(t, err, http.StatusBadRequest, "INVALID_REQUEST")

	got := r.shop.wait(t, 3)
	for _, n := range got[1:] {
		require.NoError(t, n.err)
		require.Equal(t, "REFUND.SUCCESS", n.event)
		require.Equal(t, "SUCCESS", n.content["refund_status"])
	}
	found, _, err := service.QueryByOutRefundNo(context.Background(),
		refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: core.String("R1")})
	require.NoError(t, err)
	require.Equal(t, refunddomestic.STATUS_SUCCESS, *found.Status)
	require.NotNil(t, found.SuccessTime)
	_, _, err = service.QueryByOutRefundNo(context.Background(),
		refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: core.String("R9")})
	rejected(t, err, http.StatusNotFound, "RESOURCE_NOT_EXISTS")
}

func TestSDK_RefundsThatEndOtherwise(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fault faults.Fault
		total int64
		want  refunddomestic.Status
		event string
	}{
		"abnormal": {faults.Fault{Do: "refund-abnormal"}, 1000, refunddomestic.STATUS_ABNORMAL, "REFUND.ABNORMAL"},
		"closed":   {faults.Fault{Do: "refund-closed"}, 1000, refunddomestic.STATUS_CLOSED, "REFUND.CLOSED"},
		"magic":    {faults.Fault{}, wechat.AmountAbnormalRefund, refunddomestic.STATUS_ABNORMAL, "REFUND.ABNORMAL"},
		"slow":     {faults.Fault{Do: "refund-slow", DelayS: 3600}, 1000, refunddomestic.STATUS_PROCESSING, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			client := r.sdk(t)
			if row.fault.Do != "" {
				row.fault.Operation = "refund"
				r.fault(t, row.fault)
			}
			require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", row.total), "pay"))
			r.shop.wait(t, 1)
			service := &refunddomestic.RefundsApiService{Client: client}
			_, _, err := service.Create(context.Background(), refunddomestic.CreateRequest{
				OutTradeNo: core.String("ORDER-000001"), OutRefundNo: core.String("R1"),
				NotifyUrl: core.String(r.shop.URL),
				Amount: &refunddomestic.AmountReq{Refund: core.Int64(row.total), Total: core.Int64(row.total),
					Currency: core.String("CNY")},
			})
			require.NoError(t, err)
			r.clock.Advance(time.Minute)
			found, _, err := service.QueryByOutRefundNo(context.Background(),
				refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: core.String("R1")})
			require.NoError(t, err)
			require.Equal(t, row.want, *found.Status)
			if row.event != "" {
				require.Equal(t, row.event, r.shop.wait(t, 2)[1].event)
			}
		})
	}
}

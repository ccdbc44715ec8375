package wechat_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1" // the vendor's hash_type
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	partner "github.com/wechatpay-apiv3/wechatpay-go/services/partnerpayments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/wechat"
)

var beijing = time.FixedZone("CST", 8*60*60)

// announcedBill is the answer to a request for a bill.
type announcedBill struct {
	HashType    string `json:"hash_type"`
	HashValue   string `json:"hash_value"`
	DownloadURL string `json:"download_url"`
}

func askForBill(client *core.Client, path, query string) (a announcedBill, err error) {
	result, err := client.Get(context.Background(), "https://api.mch.weixin.qq.com/v3/bill/"+path+"?"+query)
	if err != nil {
		return a, err
	}
	return a, json.NewDecoder(result.Response.Body).Decode(&a)
}

// unverified is the SDK's client for downloads, whose answers carry no signature.
func (r *wechatServer) unverified(t *testing.T) *core.Client {
	t.Helper()
	key, err := utils.LoadPrivateKey(r.keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	client, err := core.NewClient(context.Background(),
		option.WithMerchantCredential(r.keys.MchID, r.keys.MchSerial, key), option.WithoutValidator(),
		option.WithHTTPClient(r.client(t)))
	require.NoError(t, err)
	return client
}

func downloaded(t *testing.T, client *core.Client, address string) []byte {
	t.Helper()
	result, err := client.Get(context.Background(), address)
	require.NoError(t, err)
	require.Empty(t, result.Response.Header.Get("Wechatpay-Signature"))
	text, err := io.ReadAll(result.Response.Body)
	require.NoError(t, err)
	return text
}

// TestSDK_Bills downloads the bills of a day with one payment, one refund and one unpaid trade.
func TestSDK_Bills(t *testing.T) {
	t.Parallel()
	r := start(t)
	client, downloads := r.sdk(t), r.unverified(t)
	now := r.clock.Now().In(beijing)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, beijing)
	r.clock.Advance(midnight.Add(12 * time.Hour).Sub(now)) // noon of the day of the bill
	day := "bill_date=" + midnight.Format(time.DateOnly)
	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", 4290), "pay"))
	r.prepay(t, client, "ORDER-000002", 100)
	r.clock.Advance(time.Second)
	answer, _, err := (&refunddomestic.RefundsApiService{Client: client}).Create(context.Background(),
		refunddomestic.CreateRequest{
			OutTradeNo: core.String("ORDER-000001"), OutRefundNo: core.String("R1"), Reason: core.String("出票失败"),
			Amount: &refunddomestic.AmountReq{Refund: core.Int64(1290), Total: core.Int64(4290),
				Currency: core.String("CNY")},
		})
	require.NoError(t, err)

	for query, code := range map[string]string{
		day: "PARAM_ERROR", "bill_date=14.3.2026": "PARAM_ERROR", "": "PARAM_ERROR",
		day + "&bill_type=X": "PARAM_ERROR", day + "&tar_type=ZIP": "PARAM_ERROR",
	} {
		_, err := askForBill(client, "tradebill", query)
		rejected(t, err, http.StatusBadRequest, code)
	}
	r.clock.Advance(midnight.Add(34*time.Hour - time.Second).Sub(r.clock.Now()))
	_, err = askForBill(client, "tradebill", day)
	rejected(t, err, http.StatusBadRequest, "STATEMENT_CREATING")
	r.clock.Advance(time.Second) // 10:00
	_, err = askForBill(client, "tradebill", "bill_date="+midnight.AddDate(0, 0, -1).Format(time.DateOnly))
	rejected(t, err, http.StatusBadRequest, "NO_STATEMENT_EXIST")

	a, err := askForBill(client, "tradebill", day+"&bill_type=ALL")
	require.NoError(t, err)
	require.Equal(t, "SHA1", a.HashType)
	bill := downloaded(t, downloads, a.DownloadURL)
	sum := sha1.Sum(bill)
	require.Equal(t, hex.EncodeToString(sum[:]), a.HashValue)
	lines := strings.Split(string(bill), "\r\n")
	require.Len(t, lines, 6)
	require.True(t, strings.HasPrefix(lines[0], "\ufeff交易时间,公众账号ID,"))
	paid := strings.Split(lines[1], ",")
	require.Len(t, paid, 27)
	require.Equal(t, []string{"`" + midnight.Format(time.DateOnly) + " 12:00:00", "`ORDER-000001", "`SUCCESS",
		"`42.90"},
		[]string{paid[0], paid[6], paid[9], paid[24]})
	refund := strings.Split(lines[2], ",")
	require.Equal(t, []string{"`" + *answer.RefundId, "`R1", "`12.90", "`SUCCESS"},
		[]string{refund[14], refund[15], refund[16], refund[19]})
	require.Equal(t, "`2,`42.90,`12.90,`0.00,`0.00000,`42.90,`12.90", lines[4])

	zipped, err := askForBill(client, "tradebill", day+"&tar_type=GZIP")
	require.NoError(t, err)
	require.Equal(t, a.HashValue, zipped.HashValue, "the hash is of the bill before compression")
	unzipped, err := gzip.NewReader(bytes.NewReader(downloaded(t, downloads, zipped.DownloadURL)))
	require.NoError(t, err)
	plain, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	require.Equal(t, string(bill), string(plain))
	refunds, err := askForBill(client, "tradebill", day+"&bill_type=REFUND")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(downloaded(t, downloads, refunds.DownloadURL)), "ORDER-000001"))

	a, err = askForBill(client, "fundflowbill", day)
	require.NoError(t, err)
	lines = strings.Split(string(downloaded(t, downloads, a.DownloadURL)), "\r\n")
	require.Contains(t, lines[1], "`交易,`交易,`收入,`42.90,`42.90,`system,`,`ORDER-000001")
	require.Contains(t, lines[2], "`退款,`退款,`支出,`12.90,`30.00,`system,`,`R1")
	booked, err := time.Parse("`"+time.DateTime, strings.Split(lines[1], ",")[0])
	require.NoError(t, err)
	require.Contains(t, lines[1], ",`1900"+booked.Format("060102150405")+"00000000,", "the number of the flow")
	require.Equal(t, "`2.0,`1.0,`42.90,`1.0,`12.90", lines[4])

	resp, err := r.client(t).Get(a.DownloadURL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NotEqual(t, http.StatusOK, resp.StatusCode, "a download without a signature")
	r.clock.Advance(5 * time.Minute)
	_, err = downloads.Get(context.Background(), a.DownloadURL)
	rejected(t, err, http.StatusBadRequest, "INVALID_REQUEST")
	r.clock.Advance(100 * 24 * time.Hour)
	_, err = askForBill(client, "tradebill", day)
	rejected(t, err, http.StatusBadRequest, "PARAM_ERROR")
}

func TestBills_OfASubMerchant(t *testing.T) {
	t.Parallel()
	r := start(t)
	client, downloads := r.sdk(t), r.unverified(t)
	for no, sub := range map[string]string{"PARTNER-1": "1900000109", "PARTNER-2": "1900000110"} {
		request := partner.PrepayRequest{
			SpAppid: &r.keys.AppID, SpMchid: &r.keys.MchID, SubMchid: &sub, Description: core.String("子商户"),
			OutTradeNo: &no, NotifyUrl: &r.shop.URL, Amount: &partner.Amount{Total: core.Int64(700)},
			Payer: &partner.Payer{SpOpenid: core.String(wechat.BoundOpenID)},
		}
		answer, _, err := (&partner.JsapiApiService{Client: client}).Prepay(t.Context(), request)
		require.NoError(t, err)
		require.NoError(t, r.Pay(*answer.PrepayId, "pay"))
	}
	day := "bill_date=" + r.clock.Now().In(beijing).Format(time.DateOnly)
	r.clock.Advance(34 * time.Hour)
	for query, wanted := range map[string]string{
		day: "PARTNER-1 1900000109,PARTNER-2 1900000110", day + "&sub_mchid=1900000109": "PARTNER-1 1900000109",
	} {
		bill, err := askForBill(client, "tradebill", query)
		require.NoError(t, err)
		lines := strings.Split(string(downloaded(t, downloads, bill.DownloadURL)), "\r\n")
		var rows []string
		for _, line := range lines[1 : len(lines)-3] {
			columns := strings.Split(strings.ReplaceAll(line, "`", ""), ",")
			rows = append(rows, columns[6]+" "+columns[3])
		}
		slices.Sort(rows)
		require.Equal(t, wanted, strings.Join(rows, ","))
	}
}

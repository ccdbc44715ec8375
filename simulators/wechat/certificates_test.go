package wechat_test

import (
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// published is a certificate as a merchant downloads it.
type published struct {
	serial   string
	from, to time.Time
	opened   *x509.Certificate
}

// download returns the platform's certificates, the serial under which the answer is signed, and the HTTP status.
// wechatpaySerial is the header Wechatpay-Serial of the call; "" means none.
func (r *wechatServer) download(t *testing.T, wechatpaySerial string) (list []published, signedBy string, status int) {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, "http://"+wechat.PayHost+"/v3/certificates", http.NoBody)
	require.NoError(t, err)
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "download")
	if wechatpaySerial != "" {
		q.Header.Set("Wechatpay-Serial", wechatpaySerial)
	}
	require.NoError(t, wechat.Authorize(q, r.keys, nil, time.Now()))
	answer, err := r.client(t).Do(q)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var body struct {
		Code string
		Data []struct {
			SerialNo    string    `json:"serial_no"`
			Effective   time.Time `json:"effective_time"`
			Expire      time.Time `json:"expire_time"`
			Certificate struct {
				Ciphertext string
				Nonce      string
				Associated string `json:"associated_data"`
			} `json:"encrypt_certificate"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &body), string(text))
	if answer.StatusCode == http.StatusBadRequest {
		require.Equal(t, "PARAM_ERROR", body.Code)
		require.Contains(t, string(text), "平台证书序列号Wechatpay-Serial错误")
	}
	for _, c := range body.Data {
		plain, err := utils.DecryptAES256GCM(r.keys.APIv3Key, c.Certificate.Associated, c.Certificate.Nonce,
			c.Certificate.Ciphertext)
		require.NoError(t, err)
		opened, err := utils.LoadCertificate(plain)
		require.NoError(t, err)
		require.Equal(t, c.SerialNo, utils.GetCertificateSerialNumber(*opened))
		list = append(list, published{c.SerialNo, c.Effective, c.Expire, opened})
	}
	return list, answer.Header.Get("Wechatpay-Serial"), answer.StatusCode
}

func TestCertificates_EndAndOverlapByTheClockOfTheWorld(t *testing.T) {
	t.Parallel()
	r := start(t)
	const day = 24 * time.Hour
	list, signedBy, _ := r.download(t, "")
	require.Len(t, list, 1)
	first := list[0]
	require.Equal(t, first.serial, signedBy)
	require.True(t, first.opened.NotBefore.Equal(first.from))
	require.True(t, first.opened.NotAfter.Equal(first.to))
	require.True(t, first.from.Before(time.Now()))
	require.WithinDuration(t, r.clock.Now().Add(365*day), first.to, 2*day)
	until := func(at time.Time) { r.clock.Advance(at.Sub(r.clock.Now())) }

	until(first.to.Add(-10*day - time.Minute))
	list, _, _ = r.download(t, "")
	require.Len(t, list, 1, "the next one is not published yet")
	until(first.to.Add(-10*day + time.Second))
	list, signedBy, _ = r.download(t, "")
	require.Len(t, list, 2)
	require.Equal(t, first.serial, list[0].serial)
	second := list[1]
	require.NotEqual(t, first.serial, second.serial)
	require.Equal(t, first.serial, signedBy)
	require.True(t, second.from.Equal(first.to.Add(-10*day)), "they overlap")
	require.True(t, second.opened.NotAfter.Equal(second.from.AddDate(5, 0, 0)))

	signers := func() map[string]bool {
		seen := map[string]bool{}
		for range 4 {
			_, by, _ := r.download(t, "")
			seen[by] = true
		}
		return seen
	}
	until(first.to.Add(-5*day - time.Minute))
	require.Equal(t, map[string]bool{first.serial: true}, signers())
	until(first.to.Add(-5*day + time.Second))
	require.Equal(t, map[string]bool{first.serial: true, second.serial: true}, signers(), "they take turns")
	until(first.to.Add(-time.Minute))
	list, _, _ = r.download(t, "")
	require.Len(t, list, 2)
	until(first.to)
	require.Equal(t, map[string]bool{second.serial: true}, signers())
	list, _, _ = r.download(t, "")
	require.Len(t, list, 1)
	require.Equal(t, second.serial, list[0].serial)

	// Twelve years later, the certificate has been replaced more than once.
	for range 12 {
		r.clock.Advance(365 * day)
	}
	list, signedBy, _ = r.download(t, "")
	require.Contains(t, []string{list[0].serial, list[len(list)-1].serial}, signedBy)
	require.NotEqual(t, second.serial, signedBy)
	require.True(t, list[0].to.After(r.clock.Now()))
}

func TestCertificates_ARestoredWorldHasTheSameOnes(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "certificates", Do: "certificate-rotated", Times: 1})
	_, rotated, _ := r.download(t, "")
	before, signedBy, _ := r.download(t, "")
	require.Len(t, before, 2)
	require.Equal(t, before[1].serial, signedBy)
	require.Equal(t, rotated, signedBy)
	saved, err := json.Marshal(r.Save())
	require.NoError(t, err)
	var state wechat.State
	require.NoError(t, json.Unmarshal(saved, &state))
	restored := start(t)
	require.NoError(t, restored.Load(state))
	after, signedBy, _ := restored.download(t, "")
	require.Equal(t, rotated, signedBy)
	for i := range before {
		require.Equal(t, before[i].opened.Raw, after[i].opened.Raw)
		require.True(t, before[i].to.Equal(after[i].to))
	}
	state.Certificates[1].Number = 7
	require.ErrorContains(t, start(t).Load(state), "certificates")

	// The certificate before an early rotation ends a day later.
	r.clock.Advance(23 * time.Hour)
	list, _, _ := r.download(t, "")
	require.Len(t, list, 2)
	r.clock.Advance(time.Hour + time.Second)
	list, _, _ = r.download(t, "")
	require.Len(t, list, 1)
	require.Equal(t, rotated, list[0].serial)
}

// The Wechatpay-Serial of a call must be that of a platform key that the merchant can have.
func TestPayAPI_AnUnknownWechatpaySerialIsRejected(t *testing.T) {
	t.Parallel()
	r := start(t)
	list, _, _ := r.download(t, "")
	for _, known := range []string{"", list[0].serial, r.keys.PublicKeyID} {
		_, _, status := r.download(t, known)
		require.Equal(t, http.StatusOK, status, known)
	}
	r.fault(t, faults.Fault{Operation: "query", Do: "certificate-rotated", Times: 1})
	next := "71D2A0F4C3B85E6699E0A1B7C8D4F3526E1F9A07"
	for _, unknown := range []string{"FFFF", r.keys.MchSerial, next, "PUB_KEY_ID_0000000000000000000000000000000000",
		"5157f09efdc096de15ebe81a47057a7232f1b8e1"} {
		_, signedBy, status := r.download(t, unknown)
		require.Equal(t, http.StatusBadRequest, status, unknown)
		require.Equal(t, list[0].serial, signedBy, "the rejection is signed, too")
	}
	r.raw(t, http.MethodGet, "/v3/pay/transactions/out-trade-no/UNKNOWN-1?mchid="+r.keys.MchID, "")
	_, signedBy, status := r.download(t, next)
	require.Equal(t, http.StatusOK, status, "it is published now")
	require.Equal(t, next, signedBy)
}

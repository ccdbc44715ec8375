package wechat_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/verifiers"
	"github.com/wechatpay-apiv3/wechatpay-go/core/downloader"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/wechat"
)

// publicKeySDK returns the vendor's client of a merchant that has only the public key. It also makes the merchant
// verify notifications with that key.
func (r *wechatServer) publicKeySDK(t *testing.T) *core.Client {
	t.Helper()
	key, err := utils.LoadPrivateKey(r.keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	public, err := utils.LoadPublicKey(r.keys.PublicKeyPEM)
	require.NoError(t, err)
	client, err := core.NewClient(context.Background(), option.WithWechatPayPublicKeyAuthCipher(
		r.keys.MchID, r.keys.MchSerial, key, r.keys.PublicKeyID, public), option.WithHTTPClient(r.client(t)))
	require.NoError(t, err)
	r.shop.verifier = verifiers.NewSHA256WithRSAPubkeyVerifier(r.keys.PublicKeyID, *public)
	r.shop.rearm(r.keys.APIv3Key)
	return client
}

func TestPublicKey_AnswersAndNotifiesAsTheVendorsSDKVerifiesThem(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.SignWith(wechat.PublicKey)
	client := r.publicKeySDK(t)
	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", 8400), "pay"))
	require.NoError(t, r.shop.wait(t, 1)[0].err)
	require.Equal(t, "SUCCESS", r.state(t, client, "ORDER-000001"))
}

func TestPublicKey_ThereAreNoCertificates(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.SignWith(wechat.PublicKey)
	result, err := r.publicKeySDK(t).Get(context.Background(), "https://"+wechat.PayHost+"/v3/certificates")
	rejection := rejected(t, err, http.StatusNotFound, "RESOURCE_NOT_EXISTS")
	require.Contains(t, rejection.Message, "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥")
	require.Equal(t, r.keys.PublicKeyID, result.Response.Header.Get("Wechatpay-Serial"))
}

// Before the merchant starts to move, a call that requests the public key is answered with the certificate. While it
// moves, the call selects the key of the answer, and notifications are signed with both. A snapshot keeps the state.
func TestMove_WhoseSignatureComesWhen(t *testing.T) {
	t.Parallel()
	r := start(t)
	certificates, public := r.sdk(t), r.publicKeySDK(t)
	_, err := public.Get(context.Background(), "https://"+wechat.PayHost+"/v3/certificates")
	require.ErrorContains(t, err, "does not match serial number")

	r.SignWith(wechat.Moving)
	id := r.prepay(t, public, "ORDER-000001", 100)
	require.Equal(t, id, r.prepay(t, certificates, "ORDER-000001", 100))
	saved, err := json.Marshal(r.Save())
	require.NoError(t, err)
	var state wechat.State
	require.NoError(t, json.Unmarshal(saved, &state))
	require.Equal(t, wechat.Moving, state.SignsWith)

	require.NoError(t, r.Pay(id, "pay"))
	require.NoError(t, r.shop.wait(t, 1)[0].err, "the first is under the public key")
	require.NoError(t, r.Pay(r.prepay(t, public, "ORDER-000002", 100), "pay"))
	require.ErrorContains(t, r.shop.wait(t, 2)[1].err, "does not match serial number",
		"the second is under a certificate")
	r.clock.Advance(15 * time.Second)
	require.NoError(t, r.shop.wait(t, 3)[2].err, "the next attempt is under the public key")
}

func TestState_AnUnknownKindOfKeysIsRejected(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, start(t).Load(wechat.State{SignsWith: "rsa"}), "rsa")
}

// The files that a merchant downloads match: the certificate is that of the signing key, with the serial that calls
// send.
func TestMerchant_FilesFitTogether(t *testing.T) {
	t.Parallel()
	r := start(t)
	m := r.Merchant()
	certificate, err := utils.LoadCertificate(m.ClientCert)
	require.NoError(t, err)
	require.Equal(t, r.keys.MchSerial, utils.GetCertificateSerialNumber(*certificate))
	require.Equal(t, r.keys.MchID, certificate.Subject.CommonName)
	key, err := utils.LoadPrivateKey(m.ClientKey)
	require.NoError(t, err)
	require.True(t, key.PublicKey.Equal(certificate.PublicKey))

	manager := downloader.NewCertificateDownloaderMgr(context.Background())
	require.NoError(t, manager.RegisterDownloaderWithClient(context.Background(), r.sdk(t), r.keys.MchID,
		r.keys.APIv3Key))
	downloaded, known := manager.GetCertificate(context.Background(), r.keys.MchID, m.Certificates[0].Serial)
	require.True(t, known)
	shown, err := utils.LoadCertificate(m.Certificates[0].PEM)
	require.NoError(t, err)
	require.Equal(t, downloaded.Raw, shown.Raw)
	r.SignWith(wechat.PublicKey)
	require.Empty(t, r.Merchant().Certificates)
}

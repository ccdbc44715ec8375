package wechat_test

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/wechat"
)

const (
	publicKeyID       = "PUB_KEY_ID_0119000000012026112000000000000001"
	certificatesRoute = "GET " + host + "/v3/certificates"
	noCertificates    = `{"code":"RESOURCE_NOT_EXISTS","message":"无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。` +
		`可查看指引https://pay.weixin.qq.com/doc/v3/merchant/4012153196"}`
)

// publicKey is the vendor's public key: a key without a certificate, whose id is used as the serial.
var publicKey = sync.OnceValue(func() platform {
	p := newPlatform(0x3333)
	p.serial = publicKeyID
	der, err := x509.MarshalPKIXPublicKey(&p.key.PublicKey)
	if err != nil {
		panic(err)
	}
	p.cert = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	return p
})

// moving configures the public key in addition to the certificates, and publicOnly only the public key.
func moving(c *wechat.PayConfig)     { c.PublicKeyPEM, c.PublicKeyID = publicKey().cert, publicKeyID }
func publicOnly(c *wechat.PayConfig) { moving(c); c.WithoutCertificates = true }

// newPublicKeyVendor returns a vendor that signs with the public key and has no certificates for the merchant.
func newPublicKeyVendor(t *testing.T) *vendor {
	t.Helper()
	v := newVendor(t).on(certificatesRoute, answers(http.StatusNotFound, noCertificates))
	v.rotate(publicKey())
	return v
}

func TestPublicKey_EveryCallAndNotifyWithoutCertificates(t *testing.T) {
	t.Parallel()
	for name, configure := range map[string]func(*wechat.PayConfig){"public key only": publicOnly,
		"with certificates": moving} {
		v := newPublicKeyVendor(t).on(prepayRoute, answers(200, `{"prepay_id":"wx1"}`)).
			on(h5Route, answers(200, h5Answer)).
			on(queryRoute, answers(200, paidTrade)).on(closeRoute, answers(204, "")).
			on(refundRoute, answers(200, refunded)).on(refundQuery, answers(200, refunded))
		p := payAt(t, v.server.URL, configure)
		for call, c := range calls() {
			require.NoError(t, c.Do(t.Context(), p), "%s: %s", name, call)
		}
		r := post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), publicKey(), 0)
		_, err := p.ParseNotify(t.Context(), r)
		require.NoError(t, err, name)
		assert.Zero(t, v.called(certificatesRoute), name)
		assert.Equal(t, []string{publicKeyID}, v.serials(), "the vendor is asked to sign with the public key")
	}
}

// While a merchant moves, the vendor signs answers with the key that the request specifies, and notifies with either.
// Until the merchant has started the move, it signs everything with its certificate.
func TestMove_EitherSerialIsVerified(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(prepayRoute, answers(200, `{"prepay_id":"wx1"}`)).on(queryRoute, answers(200, paidTrade))
	p := payAt(t, v.server.URL, moving)
	for _, signer := range []platform{publicKey(), first(), publicKey(), second()} {
		certificates := []platform{first()}
		if signer.serial == second().serial {
			certificates = append(certificates, second())
		}
		v.rotate(signer, certificates...)
		_, err := p.Prepay(t.Context(), prepayRequest())
		require.NoError(t, err, signer.serial)
		_, err = p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), signer, 0))
		require.NoError(t, err, signer.serial)
	}
}

// If an answer cannot be verified because the certificates cannot be fetched, a later query finds the outcome.
func TestMove_QueryAfterAnAnswerThatCouldNotBeVerified(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(prepayRoute, answers(200, `{"prepay_id":"wx1"}`)).on(queryRoute, answers(200, unpaidTrade)).
		on(certificatesRoute, answers(503, ""))
	p := payAt(t, v.server.URL, moving)
	_, err := p.Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrUnknown)
	v.rotate(publicKey())
	trade, err := p.Query(t.Context(), "n1-1")
	require.NoError(t, err)
	assert.Equal(t, order.TradeUnpaid, trade.State)
}

func TestPublicKey_NotifyOfAnotherSerialIsRejected(t *testing.T) {
	t.Parallel()
	other := publicKey()
	other.serial = "PUB_KEY_ID_0119000000012026112000000000000002"
	forged := second()
	forged.serial = publicKeyID
	for name, configure := range map[string]func(*wechat.PayConfig){"public key only": publicOnly,
		"with certificates": moving} {
		v := newPublicKeyVendor(t)
		p := payAt(t, v.server.URL, configure)
		for _, signer := range []platform{other, forged, first(), second()} {
			_, err := p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), signer,
				0))
			require.ErrorIs(t, err, order.ErrNotifyRejected, "%s: %s", name, signer.serial)
		}
	}
	v := newPublicKeyVendor(t)
	p := payAt(t, v.server.URL, publicOnly)
	_, err := p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), first(), 0))
	require.ErrorIs(t, err, order.ErrNotifyRejected)
	assert.Zero(t, v.called(certificatesRoute), "a merchant without certificates never asks for them")
}

// A merchant that is still configured only with certificates after the vendor has moved it.
func TestOnlyCertificates_OfAMerchantThatWasMoved(t *testing.T) {
	t.Parallel()
	_, err := newPublicKeyVendor(t).pay().Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrUnavailable, "nothing is sent that cannot be verified")
	assert.ErrorContains(t, err, "configure the public key")

	v := newVendor(t).on(prepayRoute, answers(200, `{"prepay_id":"wx1"}`)).on(queryRoute, answers(200, unpaidTrade))
	p := v.pay()
	_, err = p.Prepay(t.Context(), prepayRequest())
	require.NoError(t, err)
	v.rotate(publicKey(), first())
	_, err = p.Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrUnknown)
	_, err = p.Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrUnavailable, "no further command is sent")
	assert.Equal(t, 2, v.called(prepayRoute))
	_, err = p.Query(t.Context(), "n1-1")
	require.ErrorIs(t, err, fault.ErrBadAnswer)

	restarted := payAt(t, v.server.URL, moving)
	trade, err := restarted.Query(t.Context(), "n1-1")
	require.NoError(t, err, "with the public key the same answer is verified")
	assert.Equal(t, order.TradeUnpaid, trade.State)
}

func TestNotify_OfAnUnknownPublicKeyDoesNotPauseTheCommands(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(closeRoute, answers(204, ""))
	p := v.pay()
	_, err := p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), publicKey(), 0))
	require.ErrorIs(t, err, order.ErrNotifyRejected)
	require.NoError(t, p.Close(t.Context(), "n1-1"))
}

func TestNewPay_NamesWhatIsWrongWithThePublicKey(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*wechat.PayConfig){
		"PublicKeyPEM and PublicKeyID": func(c *wechat.PayConfig) { c.PublicKeyID = "" },
		"PublicKeyID belong":           func(c *wechat.PayConfig) { c.PublicKeyPEM = "" },
		"does not start with PUB_KEY":  func(c *wechat.PayConfig) { c.PublicKeyID = first().serial },
		"PayConfig.PublicKeyPEM:":      func(c *wechat.PayConfig) { c.PublicKeyPEM = first().cert },
		"WithoutCertificates requires": func(c *wechat.PayConfig) { c.PublicKeyPEM, c.PublicKeyID = "", "" },
	} {
		cfg := wechat.PayConfig{AppID: "a", MchID: "m", MchSerial: "s", NotifyURL: "u", APIv3Key: apiv3Key,
			MchPrivateKeyPEM: merchantPEM()}
		publicOnly(&cfg)
		change(&cfg)
		_, err := wechat.NewPay(cfg)
		assert.ErrorContains(t, err, want)
	}
}

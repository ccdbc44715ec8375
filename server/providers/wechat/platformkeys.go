package wechat

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core/auth"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/verifiers"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/server/durations"
	"marquee/server/fault"
)

// PublicKeyIDPrefix begins the id of every public key of the vendor, and of no certificate's serial number, which is
// hexadecimal.
const PublicKeyIDPrefix = "PUB_KEY_ID_"

// platformKeys verifies what the vendor signs: with its public key, with its certificates, or with both while a
// merchant moves from certificates to the public key. The serial in a message's header identifies the key that signed
// it.
type platformKeys struct {
	publicKeyID string        // "" if no public key is configured
	certs       *certificates // nil if the merchant has no certificates
	check       auth.Verifier
	pausedUntil atomic.Int64 // Unix time in nanoseconds until which no command is sent
}

// newPlatformKeys returns the keys of the configuration. It fails if there is neither a public key nor certificates, or
// if the public key is incomplete or malformed.
func newPlatformKeys(cfg PayConfig, key *rsa.PrivateKey, hc *http.Client, both *hosts) (*platformKeys, error) {
	if (cfg.PublicKeyPEM == "") != (cfg.PublicKeyID == "") {
		return nil, errors.New("wechat: PayConfig.PublicKeyPEM and PublicKeyID belong together")
	}
	if cfg.PublicKeyPEM == "" && cfg.WithoutCertificates {
		return nil, errors.New("wechat: PayConfig.WithoutCertificates requires PublicKeyPEM")
	}
	k := &platformKeys{publicKeyID: cfg.PublicKeyID}
	var public *rsa.PublicKey
	if cfg.PublicKeyPEM != "" {
		var err error
		if public, err = utils.LoadPublicKey(cfg.PublicKeyPEM); err != nil {
			return nil, fmt.Errorf("wechat: PayConfig.PublicKeyPEM: %w", err)
		}
		if !strings.HasPrefix(cfg.PublicKeyID, PublicKeyIDPrefix) {
			return nil, fmt.Errorf("wechat: PayConfig.PublicKeyID does not start with %s", PublicKeyIDPrefix)
		}
	}
	if !cfg.WithoutCertificates {
		var err error
		if k.certs, err = newCertificates(cfg, key, hc, both); err != nil {
			return nil, err
		}
	}
	switch {
	case k.certs == nil:
		k.check = verifiers.NewSHA256WithRSAPubkeyVerifier(k.publicKeyID, *public)
	case public == nil:
		k.check = verifiers.NewSHA256WithRSAVerifier(k.certs.visitor)
	default:
		k.check = verifiers.NewSHA256WithRSACombinedVerifier(k.certs.visitor, k.publicKeyID, *public)
	}
	return k, nil
}

func (k *platformKeys) close() {
	if k.certs != nil {
		k.certs.close()
	}
}

// prepareQuery fetches the certificates if there is no public key to verify the answer of a call. It returns
// fault.ErrUnavailable if they cannot be fetched; the call must then not be sent.
func (k *platformKeys) prepareQuery(ctx context.Context) error {
	if k.publicKeyID != "" {
		return nil // the vendor is asked to sign with the public key; if it does not, Verify fetches the certificates
	}
	return k.certs.load(ctx)
}

// prepareCommand is prepareQuery for a command. For a minute after an answer that was signed with a public key that is
// not configured, it also returns fault.ErrUnavailable, so that no command is sent whose outcome would remain unknown.
func (k *platformKeys) prepareCommand(ctx context.Context) error {
	if time.Now().UnixNano() < k.pausedUntil.Load() {
		return fmt.Errorf("not sent: %w: the vendor signs with a public key that is not configured",
			fault.ErrUnavailable)
	}
	return k.prepareQuery(ctx)
}

// prepareNotify fetches the certificates if serial may be that of an unknown certificate. It returns
// fault.ErrUnavailable if they cannot be fetched, because the notify may be genuine.
func (k *platformKeys) prepareNotify(ctx context.Context, serial string) error {
	if k.certs == nil || strings.HasPrefix(serial, PublicKeyIDPrefix) {
		return nil
	}
	if err := k.certs.learn(ctx, serial); err != nil && !errors.Is(err, errNoCertificates) {
		return err
	}
	return nil
}

// Verify implements auth.Verifier.
func (k *platformKeys) Verify(ctx context.Context, serial, message, signature string) error {
	if k.certs != nil && !strings.HasPrefix(serial, PublicKeyIDPrefix) {
		if err := k.certs.learn(ctx, serial); err != nil {
			return err
		}
	}
	return k.check.Verify(ctx, serial, message, signature)
}

// GetSerial returns the serial that the SDK sends with each request, in Wechatpay-Serial: the id of the public key if
// there is one, else the serial of the newest certificate. The vendor signs its answer with the key of that serial.
func (k *platformKeys) GetSerial(ctx context.Context) (string, error) { return k.check.GetSerial(ctx) }

// answerKeys verifies the answers of calls. An answer signed with a public key that is not configured pauses the
// commands. A notify does not, because anyone may have sent it.
type answerKeys struct{ *platformKeys }

// Verify implements auth.Verifier.
func (k answerKeys) Verify(ctx context.Context, serial, message, signature string) error {
	if strings.HasPrefix(serial, PublicKeyIDPrefix) && serial != k.publicKeyID {
		k.pausedUntil.Store(time.Now().Add(durations.UnknownKeyPause).UnixNano())
		return fmt.Errorf("the answer is signed with the public key %s: configure it", serial)
	}
	return k.platformKeys.Verify(ctx, serial, message, signature)
}

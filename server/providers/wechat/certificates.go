package wechat

import (
	"context"
	"crypto/rsa"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/verifiers"
	"github.com/wechatpay-apiv3/wechatpay-go/core/downloader"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"

	"marquee/server/fault"
)

// refetchAfter is the least time between two downloads that unknown serials ask for: anyone can send a notify.
const refetchAfter = 5 * time.Second

// certificates are the platform's, fetched when first needed, renewed daily by the SDK, and at once when something is
// signed with one that is not there yet (a rotation).
type certificates struct {
	client  *core.Client
	mchID   string
	key     string
	mgr     *downloader.CertificateDownloaderMgr
	visitor core.CertificateVisitor
	check   auth.Verifier

	turn    chan struct{} // holds the one token of who may download
	loaded  atomic.Bool
	fetched time.Time // of the last download by serial; owned by who holds the token
}

// newCertificates uses a client of its own without a validator: what it downloads is what validators need. The SDK's
// shortcut WithWechatPayAutoAuthCipher is not for us: it ignores the HTTP client and shares one manager in the process.
func newCertificates(cfg PayConfig, key *rsa.PrivateKey, hc *http.Client) (*certificates, error) {
	client, err := vendorClient(cfg, key, hc, option.WithoutValidator())
	if err != nil {
		return nil, err
	}
	mgr := downloader.NewCertificateDownloaderMgr(context.Background())
	visitor := mgr.GetCertificateVisitor(cfg.MchID)
	c := &certificates{
		client: client, mchID: cfg.MchID, key: cfg.APIv3Key, mgr: mgr, visitor: visitor,
		check: verifiers.NewSHA256WithRSAVerifier(visitor), turn: make(chan struct{}, 1),
	}
	c.turn <- struct{}{}
	return c, nil
}

func (c *certificates) close() { c.mgr.Stop() }

// load fetches the certificates once; it fails as a call that was not sent.
func (c *certificates) load(ctx context.Context) error {
	if c.loaded.Load() {
		return nil
	}
	select {
	case <-c.turn:
	case <-ctx.Done():
		return fmt.Errorf("fetch platform certificates: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	defer func() { c.turn <- struct{}{} }()
	if c.loaded.Load() {
		return nil
	}
	if err := c.mgr.RegisterDownloaderWithClient(ctx, c.client, c.mchID, c.key); err != nil {
		return fmt.Errorf("fetch platform certificates: %w: %s", fault.ErrUnavailable, describe(err))
	}
	c.loaded.Store(true)
	return nil
}

// Verify makes certificates an auth.Verifier of the SDK.
func (c *certificates) Verify(ctx context.Context, serial, message, signature string) error {
	if _, known := c.visitor.Get(ctx, serial); !known {
		c.refetch(ctx, serial)
	}
	return c.check.Verify(ctx, serial, message, signature) //nolint:wrapcheck // the SDK wraps it
}

// GetSerial names the newest certificate; the SDK sends it along.
func (c *certificates) GetSerial(ctx context.Context) (string, error) {
	return c.check.GetSerial(ctx) //nolint:wrapcheck // the SDK wraps it
}

func (c *certificates) refetch(ctx context.Context, serial string) {
	select {
	case <-c.turn:
	case <-ctx.Done():
		return
	}
	defer func() { c.turn <- struct{}{} }()
	if _, known := c.visitor.Get(ctx, serial); known || time.Since(c.fetched) < refetchAfter {
		return
	}
	c.fetched = time.Now()
	// The SDK's own update wants the list signed by a certificate it knows, and that may be what has changed. A new
	// registration trusts the list as the first one did: by the APIv3 key that seals it. On failure the old one stays.
	_ = c.mgr.RegisterDownloaderWithClient(ctx, c.client, c.mchID, c.key)
}

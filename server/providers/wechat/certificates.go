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
	"marquee/server/providers/transport"
)

// refetchAfter is the least time between two downloads because of an unknown serial. Any sender can name one in a
// notify.
const refetchAfter = 5 * time.Second

// certificates holds the platform's certificates. The first call fetches them, the SDK updates them daily, and a
// signature with a serial that is not among them fetches them at once (a rotation).
type certificates struct {
	client  *core.Client
	mchID   string
	key     string
	mgr     *downloader.CertificateDownloaderMgr
	visitor core.CertificateVisitor
	check   auth.Verifier

	turn    chan struct{} // has one element, which a goroutine takes out while it downloads
	loaded  atomic.Bool
	fetched time.Time // of the last download because of a serial; read and written with the element of turn
}

// newCertificates makes certificates with an SDK client without a validator, because a validator needs the
// certificates. The SDK's WithWechatPayAutoAuthCipher ignores the HTTP client and shares one manager in the process,
// so it is not used.
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

// load fetches the certificates if they were never fetched. It returns fault.ErrUnavailable: the call that needs them
// is not sent.
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
		return fmt.Errorf("fetch platform certificates: %w: %w", fault.ErrUnavailable, transport.WithoutURL(err))
	}
	c.loaded.Store(true)
	return nil
}

// Verify implements auth.Verifier.
func (c *certificates) Verify(ctx context.Context, serial, message, signature string) error {
	if _, known := c.visitor.Get(ctx, serial); !known {
		c.refetch(ctx, serial)
	}
	return c.check.Verify(ctx, serial, message, signature)
}

// GetSerial returns the serial of the newest certificate, which the SDK sends with each request.
func (c *certificates) GetSerial(ctx context.Context) (string, error) {
	return c.check.GetSerial(ctx)
}

// refetch downloads the certificates if the serial is still unknown and the last such download is long enough ago.
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
	// The SDK's own update requires a list signed with a certificate that it knows, which may be the one that was
	// replaced. A new registration trusts the list because of the APIv3 key that encrypts it. If it fails, the old
	// list stays.
	_ = c.mgr.RegisterDownloaderWithClient(ctx, c.client, c.mchID, c.key)
}

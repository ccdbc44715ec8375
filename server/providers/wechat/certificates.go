package wechat

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/downloader"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"

	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/providers/transport"
)

// errNoCertificates means that the merchant has no platform certificates. The vendor does not issue them to merchants
// opened since autumn 2024, and withdraws them from those that have moved to the public key.
var errNoCertificates = errors.New("the merchant has no platform certificates: configure the public key")

// certificates holds the platform's certificates. The first call that needs them fetches them, the SDK updates them
// daily, and a signature with an unknown serial triggers a fetch at once, because it indicates a rotation.
type certificates struct {
	client  *core.Client
	mchID   string
	key     string
	mgr     *downloader.CertificateDownloaderMgr
	visitor core.CertificateVisitor
	hosts   *hosts
	limit   time.Duration // of one download

	turn   chan struct{} // holds one element, which a goroutine takes while it downloads
	loaded atomic.Bool
	// The error of the last download that an unknown serial triggered, and when the next one is allowed. Both are
	// guarded by turn.
	failure error
	nextAt  time.Time
}

// newCertificates returns certificates with an SDK client without a validator, because a validator needs the
// certificates. The SDK's WithWechatPayAutoAuthCipher ignores the HTTP client and shares one manager in the process, so
// it is not used.
func newCertificates(cfg PayConfig, key *rsa.PrivateKey, hc *http.Client, both *hosts) (*certificates, error) {
	client, err := vendorClient(cfg, key, hc, option.WithoutValidator())
	if err != nil {
		return nil, err
	}
	mgr := downloader.NewCertificateDownloaderMgr(context.Background())
	c := &certificates{
		client: client, mchID: cfg.MchID, key: cfg.APIv3Key, mgr: mgr, visitor: mgr.GetCertificateVisitor(cfg.MchID),
		hosts: both, limit: cfg.Operations.Within(), turn: make(chan struct{}, 1),
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
	if err := c.take(ctx); err != nil {
		return err
	}
	defer c.put()
	if c.loaded.Load() {
		return nil
	}
	return c.download(ctx)
}

// learn fetches the certificates if the serial is unknown and the last such download is long enough ago. It returns nil
// if there are certificates, even if the serial is still unknown. Otherwise it returns errNoCertificates, or
// fault.ErrUnavailable if they cannot be fetched.
func (c *certificates) learn(ctx context.Context, serial string) error {
	if _, known := c.visitor.Get(ctx, serial); known {
		return nil
	}
	if err := c.take(ctx); err != nil {
		return err
	}
	defer c.put()
	if _, known := c.visitor.Get(ctx, serial); known {
		return nil
	}
	if now := time.Now(); now.After(c.nextAt) {
		first := !c.loaded.Load()
		// The SDK's update requires a list signed with a certificate that it has, which may be the one that was
		// replaced. A new registration accepts the list because it is encrypted with the APIv3 key. If it fails, the
		// old list is kept.
		c.failure = c.download(ctx)
		switch {
		case errors.Is(c.failure, errNoCertificates):
			c.nextAt = now.Add(durations.NoCertificatesAgain)
		case !first || c.failure != nil:
			c.nextAt = now.Add(durations.CertificatesAgain)
		}
	}
	if c.loaded.Load() {
		return nil
	}
	return c.failure
}

// take waits until no other goroutine downloads. put must be called afterwards. It returns fault.ErrUnavailable if ctx
// ends first.
func (c *certificates) take(ctx context.Context) error {
	select {
	case <-c.turn:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("fetch platform certificates: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
}

func (c *certificates) put() { c.turn <- struct{}{} }

// download fetches the list. The caller must have called take.
func (c *certificates) download(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	_, err := c.hosts.attempts(ctx, func(ctx context.Context) error {
		return c.mgr.RegisterDownloaderWithClient(ctx, c.client, c.mchID, c.key)
	})
	var rejection *core.APIError
	switch {
	case err == nil:
		c.loaded.Store(true)
		return nil
	case errors.As(err, &rejection) && rejection.Code == codeResourceMissing:
		return fmt.Errorf("fetch platform certificates: %w: %w: %w", fault.ErrUnavailable, errNoCertificates, err)
	default:
		return fmt.Errorf("fetch platform certificates: %w: %w", fault.ErrUnavailable, transport.WithoutURL(err))
	}
}

package ops

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"marquee/server/durations"
)

// certificateTimeout is the limit of one read of a certificate.
const certificateTimeout = 10 * time.Second

// CertificateEnd returns when the certificate that this machine receives from an https address expires. It connects as
// the shop's calls do, through the same proxy. An invalid certificate, for example an expired one, is not an error.
func CertificateEnd(ctx context.Context, address string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, certificateTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return time.Time{}, fmt.Errorf("ops: certificate of %s: %w", address, err)
	}
	// Use a new connection, because one that is kept alive would show the certificate of an earlier time.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	resp, err := transport.RoundTrip(req) // does not follow a redirect to another host
	if invalid := new(tls.CertificateVerificationError); errors.As(err, &invalid) {
		return invalid.UnverifiedCertificates[0].NotAfter, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("ops: certificate of %s: %w", address, err)
	}
	defer resp.Body.Close()
	return resp.TLS.PeerCertificates[0].NotAfter, nil
}

// WatchCertificates reads the certificates of the addresses and sets the metric with their expiry times, once in
// durations.CertificateLook, until ctx ends. Addresses without https are ignored. For an address that cannot be
// reached, the last known time stays.
func (m *Metrics) WatchCertificates(ctx context.Context, addresses []string, logger *slog.Logger) {
	addresses = slices.DeleteFunc(slices.Clone(addresses), func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || u.Scheme != "https"
	})
	if len(addresses) == 0 {
		return
	}
	ticker := time.NewTicker(durations.CertificateLook)
	defer ticker.Stop()
	for {
		for _, address := range addresses {
			end, err := CertificateEnd(ctx, address)
			if err != nil {
				logger.WarnContext(ctx, "read certificate failed", "address", address, "error", err)
				continue
			}
			u, _ := url.Parse(address) // it was parsed above
			m.certificates.WithLabelValues(u.Host).Set(float64(end.Unix()))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

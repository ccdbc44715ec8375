// Package certs makes the certificates of the simulators' HTTPS addresses: one authority, and under it a certificate
// for every name that a client requests.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	authorityLife   = 10 * 365 * 24 * time.Hour
	certificateLife = 397 * 24 * time.Hour // the longest that Apple's clients accept
	keep            = 1000                 // issued certificates in the cache
)

// Authority is a certificate authority. It signs certificates for IP addresses and for the names with which it was
// created. A thief of its key could impersonate these sites to clients that trust it, so the key is only in its file
// and in the process. Its certificate contains the permitted domains, so that the key is useless for other sites. It is
// safe for concurrent use.
type Authority struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	pem         []byte

	mu     sync.Mutex
	issued map[string]*tls.Certificate
}

// New returns a new authority for the given host names and their subdomains.
func New(names []string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the authority's key: %w", err)
	}
	from := time.Now().Add(-time.Hour)
	form := &x509.Certificate{
		SerialNumber: serial(), NotBefore: from, NotAfter: from.Add(authorityLife),
		Subject: pkix.Name{
			Organization: []string{"SIMULATOR ONLY"}, CommonName: "marquee simulators " + from.Format(time.DateOnly),
		},
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
		PermittedDNSDomains: names, PermittedDNSDomainsCritical: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("sign the authority's certificate: %w", err)
	}
	return newAuthority(key, der)
}

func newAuthority(key *ecdsa.PrivateKey, der []byte) (*Authority, error) {
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the authority's certificate: %w", err)
	}
	if !key.PublicKey.Equal(certificate.PublicKey) || !certificate.IsCA {
		return nil, errors.New("the certificate does not belong to the key, or is not that of an authority")
	}
	return &Authority{
		key: key, certificate: certificate, issued: map[string]*tls.Certificate{},
		pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
	}, nil
}

// permits reports whether the authority may sign for all of the names: each is a permitted domain or a subdomain of
// one.
func (a *Authority) permits(names []string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(a.certificate.PermittedDNSDomains, func(domain string) bool {
			return name == domain || strings.HasSuffix(name, "."+domain)
		}) {
			return false
		}
	}
	return true
}

// Open reads an authority from a file. It creates a new authority if the file does not exist, or if the authority in it
// expires within 30 days or may not sign for one of the names. It writes the new one to the file, which only the file's
// owner can read.
func Open(file string, names []string) (*Authority, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return create(file, names)
	}
	if err != nil {
		return nil, fmt.Errorf("read the authority: %w", err)
	}
	a, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not a file of these simulators, delete it: %w", file, err)
	}
	if time.Until(a.certificate.NotAfter) < 30*24*time.Hour || !a.permits(names) {
		return create(file, names)
	}
	return a, nil
}

// create writes a new authority through a temporary file, so that no partial file is left behind.
func create(file string, names []string) (*Authority, error) {
	a, err := New(names)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(a.key)
	if err != nil {
		return nil, fmt.Errorf("encode the authority's key: %w", err)
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), a.pem...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("make the authority's folder: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".authority-*") // of mode 0600
	if err != nil {
		return nil, fmt.Errorf("keep the authority: %w", err)
	}
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return nil, fmt.Errorf("keep the authority: %w", err)
	}
	return a, nil
}

func parse(text []byte) (*Authority, error) {
	keyBlock, rest := pem.Decode(text)
	if keyBlock == nil {
		return nil, errors.New("it has no PEM block")
	}
	key, err := x509.ParseECPrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	certificateBlock, _ := pem.Decode(rest)
	if certificateBlock == nil {
		return nil, errors.New("it has no certificate")
	}
	return newAuthority(key, certificateBlock.Bytes)
}

// PEM is the authority's certificate, which clients have to trust.
func (a *Authority) PEM() []byte { return a.pem }

// For returns a certificate for a host name or an IP address. It is cached until shortly before its expiry.
func (a *Authority) For(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, ok := a.issued[host]; ok && time.Until(c.Leaf.NotAfter) > time.Hour {
		return c, nil
	}
	from := time.Now().Add(-time.Hour)
	form := &x509.Certificate{
		SerialNumber: serial(), NotBefore: from, NotAfter: minTime(from.Add(certificateLife), a.certificate.NotAfter),
		Subject:  pkix.Name{Organization: []string{"SIMULATOR ONLY"}, CommonName: host},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		form.IPAddresses = []net.IP{ip}
	} else {
		form.DNSNames = []string{host}
	}
	// All certificates use the authority's key, so that a certificate takes only 0.1 ms and no other key is needed.
	der, err := x509.CreateCertificate(rand.Reader, form, a.certificate, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("issue a certificate for %s: %w", host, err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the certificate for %s: %w", host, err)
	}
	if len(a.issued) >= keep {
		clear(a.issued)
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.certificate.Raw}, PrivateKey: a.key, Leaf: leaf}
	a.issued[host] = c
	return c, nil
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func serial() *big.Int {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return n.Add(n, big.NewInt(1))
}

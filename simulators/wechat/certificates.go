package wechat

import (
	"crypto/rand"
	"crypto/sha1" // for serials
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The life cycle of a platform certificate, in business time. The vendor publishes the next one ten days before the
// expiry, and signs a growing share with it during the last five days ("平台证书更新指引" of its documentation). A certificate
// that a fault rotates early ends a day later ("下载平台证书": 弃用时间).
const (
	certificateYears   = 5
	publishBefore      = 10 * 24 * time.Hour
	shareBefore        = 5 * 24 * time.Hour
	afterEarlyRotation = 24 * time.Hour
	// firstEndsAfter is how long after the start of a world its first certificate expires.
	firstEndsAfter = 365 * 24 * time.Hour
	// maxCertificates limits how many are kept, including expired ones.
	maxCertificates = 16
)

// certificate is one of the platform's certificates, as saved in a snapshot. Its key and serial are derived from its
// number.
type certificate struct {
	Number int       `json:"number"`
	From   time.Time `json:"from"` // validity in the certificate
	To     time.Time `json:"to"`
	Ends   time.Time `json:"ends"`       // when the platform stops using it: To, unless it was rotated before
	Signs  time.Time `json:"signs_from"` // from then on it signs every second message
	Alone  time.Time `json:"alone_from"` // from then on it signs every message

	signer *signer
	pem    func() []byte // made at the first use
}

// newCertificate returns the certificate with a number. From the time signs on it signs every second message, and from
// the time alone on every message.
func (c *certificates) newCertificate(number int, from, signs, alone time.Time) *certificate {
	to := from.AddDate(certificateYears, 0, 0)
	return c.prepare(&certificate{Number: number, From: from, To: to, Ends: to, Signs: signs, Alone: alone})
}

// prepare sets the key of a certificate, and its PEM text, which is made at the first use. Certificates use the two
// keys alternately.
func (c *certificates) prepare(one *certificate) *certificate {
	one.signer = sharedSigner(c.keys[one.Number%2], serialOf(one.Number))
	one.pem = sync.OnceValue(func() []byte { return one.signer.selfSign(one.From, one.To) })
	return one
}

// serialOf is the serial of the certificate with a number: forty hexadecimal digits.
func serialOf(number int) string {
	first := []string{"5157F09EFDC096DE15EBE81A47057A7232F1B8E1", "71D2A0F4C3B85E6699E0A1B7C8D4F3526E1F9A07"}
	if number < len(first) {
		return first[number]
	}
	sum := sha1.Sum([]byte("platform certificate " + strconv.Itoa(number)))
	sum[0] = sum[0]&0x7f | 0x40 // positive, and the first digit is not 0
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// selfSign returns a self-signed certificate of the key, in PEM.
func (k *signer) selfSign(from, to time.Time) []byte {
	serial, _ := new(big.Int).SetString(k.serial, 16)
	form := &x509.Certificate{
		SerialNumber: serial, NotBefore: from, NotAfter: to,
		KeyUsage: x509.KeyUsageDigitalSignature,
		Subject: pkix.Name{Country: []string{"CN"}, Organization: []string{"SIMULATOR ONLY"},
			CommonName: "Simulated payment platform"},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &k.key().PublicKey, k.key())
	if err != nil {
		panic(err) // cannot fail with a fixed template and a valid key
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// certificates holds the platform's certificates, the oldest first. Its methods are not safe for concurrent use.
type certificates struct {
	keys   [2]string // in PEM
	list   []*certificate
	signed int // how many messages were signed while two certificates alternated
}

// newCertificates returns the first certificate of a world that starts at a business time.
func newCertificates(start time.Time, keys [2]string) certificates {
	y, m, d := start.In(shanghai).Date()
	from := time.Date(y-certificateYears, m, d, 0, 0, 0, 0, shanghai).Add(firstEndsAfter)
	c := certificates{keys: keys}
	c.list = []*certificate{c.newCertificate(0, from, from, from)}
	return c
}

// follow publishes the certificates that are due by now.
func (c *certificates) follow(now time.Time) {
	for {
		last := c.list[len(c.list)-1]
		published := last.Ends.Add(-publishBefore)
		if now.Before(published) {
			return
		}
		c.list = append(c.list, c.newCertificate(last.Number+1, published, last.Ends.Add(-shareBefore), last.Ends))
	}
}

// signing returns the certificate that signs at a business time.
func (c *certificates) signing(now time.Time) *certificate {
	c.follow(now)
	for i, one := range slices.Backward(c.list) {
		switch {
		case !now.Before(one.Alone), i == 0:
			return one
		case !now.Before(one.Signs):
			if c.signed++; c.signed%2 == 1 {
				return one
			}
		}
	}
	panic("there is always a certificate")
}

// published lists what a merchant can download at a business time, the oldest first.
func (c *certificates) published(now time.Time) (list []*certificate) {
	c.follow(now)
	for _, one := range c.list {
		if now.Before(one.Ends) {
			list = append(list, one)
		}
	}
	return list
}

// rotate makes the next certificate sign from the business time now on. If the next one is not published yet, rotate
// creates and publishes it.
func (c *certificates) rotate(now time.Time) {
	c.follow(now)
	last := c.list[len(c.list)-1]
	if now.Before(last.Alone) {
		last.Signs, last.Alone = now, now
	} else {
		last = c.newCertificate(last.Number+1, now.Truncate(time.Second), now, now)
		c.list = append(c.list, last)
	}
	for i, earlier := range c.list[:len(c.list)-1] {
		end := now
		if i == len(c.list)-2 {
			end = now.Add(afterEarlyRotation)
		}
		if end.Before(earlier.Ends) {
			earlier.Ends = end
		}
	}
	c.list = c.list[max(0, len(c.list)-maxCertificates):]
}

// save returns the certificates for a snapshot.
func (c *certificates) save() (list []certificate) {
	for _, one := range c.list {
		list = append(list, *one)
	}
	return list
}

// load replaces the certificates by those of a snapshot.
func (c *certificates) load(saved []certificate) error {
	list := []*certificate{}
	for i, one := range saved {
		if one.Number != saved[0].Number+i || !one.To.After(one.From) || one.Ends.After(one.To) ||
			one.Alone.Before(one.Signs) {
			return errors.New("wechat: certificates: their numbers or times are inconsistent")
		}
		list = append(list, c.prepare(&one))
	}
	if len(list) == 0 {
		return errors.New("wechat: certificates: there is none")
	}
	c.list = list
	return nil
}

package app

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"marquee/server/providers/wechat"
)

// readKeys replaces the paths of keys by the content of the files, and checks that the keys belong to the right
// parties. Its error names each wrong variable.
func (w *WeChat) readKeys() error {
	if w.MchPrivateKey != "" && !isPEM(w.MchPrivateKey) {
		w.MchPrivateKeyFile = w.MchPrivateKey
	}
	err := errors.Join(
		readPEM("MARQUEE_WECHAT_MCH_PRIVATE_KEY", &w.MchPrivateKey), readPEM("MARQUEE_WECHAT_PUBLIC_KEY", &w.PublicKey))
	if err != nil {
		return err
	}
	return w.checkPublicKey()
}

// readPEM replaces the path of a key by the content of the file. It leaves PEM and an empty value as they are.
func readPEM(variable string, value *string) error {
	if *value == "" || isPEM(*value) {
		return nil
	}
	text, err := os.ReadFile(*value)
	if detail := new(fs.PathError); errors.As(err, &detail) {
		err = detail.Err // without the path: the value may be a mistyped key instead
	}
	if err != nil {
		return fmt.Errorf("app: %s is neither PEM nor the path of a readable file: %w", variable, err)
	}
	*value = string(text)
	return nil
}

func isPEM(text string) bool { return strings.Contains(text, "-----BEGIN") }

// checkPublicKey returns an error for each wrong value, or combination of values, of the variables for the vendor's
// public key.
func (w *WeChat) checkPublicKey() error {
	if w.PublicKey == "" {
		var errs []error
		if w.PublicKeyID != "" {
			errs = append(errs,
				errors.New("app: MARQUEE_WECHAT_PUBLIC_KEY_ID is set without MARQUEE_WECHAT_PUBLIC_KEY"))
		}
		if w.PublicKeyOnly {
			errs = append(errs,
				errors.New("app: MARQUEE_WECHAT_PUBLIC_KEY_ONLY is true without MARQUEE_WECHAT_PUBLIC_KEY"))
		}
		return errors.Join(errs...)
	}
	var errs []error
	switch {
	case w.PublicKeyID == "":
		errs = append(errs, errors.New("app: MARQUEE_WECHAT_PUBLIC_KEY is set without MARQUEE_WECHAT_PUBLIC_KEY_ID"))
	case !strings.HasPrefix(w.PublicKeyID, wechat.PublicKeyIDPrefix):
		errs = append(errs, fmt.Errorf("app: MARQUEE_WECHAT_PUBLIC_KEY_ID must start with %s; "+
			"the serial number of a certificate does not belong there", wechat.PublicKeyIDPrefix))
	}
	block, _ := pem.Decode([]byte(w.PublicKey))
	if block == nil || block.Type != "PUBLIC KEY" {
		kind := "not PEM text"
		if block != nil {
			kind = "a " + block.Type
		}
		return errors.Join(append(errs, fmt.Errorf("app: MARQUEE_WECHAT_PUBLIC_KEY is %s; "+
			"the vendor's file pub_key.pem holds a PUBLIC KEY", kind))...)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	public, isRSA := parsed.(*rsa.PublicKey)
	own := w.merchantKey()
	switch {
	case err != nil || !isRSA:
		errs = append(errs, errors.New("app: MARQUEE_WECHAT_PUBLIC_KEY is not an RSA public key"))
	case own != nil && public.Equal(own):
		errs = append(errs,
			errors.New("app: MARQUEE_WECHAT_PUBLIC_KEY is the merchant's own key; it must be the vendor's"))
	}
	return errors.Join(errs...)
}

// merchantKey returns the public key that belongs to the merchant's private key, or nil if the private key is
// unreadable, which the constructor of the client reports.
func (w *WeChat) merchantKey() *rsa.PublicKey {
	block, _ := pem.Decode([]byte(w.MchPrivateKey))
	if block == nil {
		return nil
	}
	parsed, _ := x509.ParsePKCS8PrivateKey(block.Bytes)
	if key, ok := parsed.(*rsa.PrivateKey); ok {
		return &key.PublicKey
	}
	return nil
}

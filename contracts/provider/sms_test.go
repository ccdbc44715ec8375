//go:build pact

package provider_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"
	"time"

	openapiutil "github.com/alibabacloud-go/openapi-util/service"
	"github.com/alibabacloud-go/tea/tea"

	"marquee/server/providers/sms"
)

// smsStates are values for the vendor: phones with a fixed outcome at the simulators, and the shop's signature and
// template.
type smsStates struct {
	target
	secret string
}

func smsVendor(_ *testing.T, at target) subject {
	s := &smsStates{target: at}
	sends := func(phone, template string) state {
		return func() (values, error) {
			v := values{"phone": phone, "signName": s.keys.SMS.SignName, "templateCode": template}
			if phone == "" { // a random one each time, because the vendor limits codes per phone
				v["phone"] = fmt.Sprintf("1390000%04d", 2000+rand.IntN(8000)) // not a secret
			}
			return v, nil
		}
	}
	known := at.keys.SMS.TemplateCode
	return subject{
		consumer: "marquee-shop", name: "sms", reset: func() { s.secret = s.keys.SMS.AccessKeySecret },
		front: resign(http.DefaultClient, s.sign),
		states: map[string]state{
			"a phone":                           sends("", known),
			"a phone that has had enough codes": sends("13800001001", known),
			"an illegal phone":                  sends("13800001002", known),
			"an account without money":          sends("13800001003", known),
			"an unknown template":               sends("", "SMS_0"),
			"a wrong secret": func() (values, error) {
				s.secret = "wrong"
				return sends("", known)()
			},
		},
	}
}

// sign puts the vendor SDK's signature on a request.
func (s *smsStates) sign(r *http.Request, body []byte) ([]byte, error) {
	u, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	signed := tea.NewRequest()
	signed.Method, signed.Pathname, signed.Query = tea.String(r.Method), tea.String("/"), map[string]*string{}
	for k := range r.URL.Query() {
		signed.Query[k] = tea.String(r.URL.Query().Get(k))
	}
	hash := openapiutil.HexEncode(openapiutil.Hash(body, tea.String("ACS3-HMAC-SHA256")))
	signed.Headers = map[string]*string{
		"host": tea.String(sms.DefaultEndpoint), "x-acs-action": tea.String(r.Header.Get("X-Acs-Action")),
		"x-acs-version":         tea.String(r.Header.Get("X-Acs-Version")),
		"x-acs-date":            tea.String(time.Now().UTC().Format(time.RFC3339)),
		"x-acs-signature-nonce": tea.String(fmt.Sprint(rand.Uint64())), "x-acs-content-sha256": hash,
	}
	authorization := openapiutil.GetAuthorization(
		signed,
		tea.String("ACS3-HMAC-SHA256"),
		hash,
		tea.String(s.keys.SMS.AccessKeyID),
		tea.String(s.secret),
	)
	for k, v := range signed.Headers {
		r.Header.Set(k, *v)
	}
	r.Header.Set("Authorization", *authorization)
	query := r.URL.RawQuery
	r.URL, r.Host = u, sms.DefaultEndpoint
	r.URL.Path, r.URL.RawQuery = "/", query
	return body, nil
}

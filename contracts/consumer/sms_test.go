//go:build pact

package consumer_test

import (
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/sms"
	"marquee/server/providers/transport"
)

// sendSMS is the call of the vendor's SDK. Only the format of the signature is matched, because verification signs the
// call again.
func sendSMS(state, what string, status int, answer fields) exchange {
	return exchange{
		state: state, what: what, path: "/", status: status, answer: answer,
		query: map[string]matchers.Matcher{
			"PhoneNumbers": fromState("phone", "13900000001"), "SignName": fromState("signName", "影票商城"),
			"TemplateCode":  fromState("templateCode", "SMS_1"),
			"TemplateParam": text(`{"code":"482913"}`, `\{"code":"\d{6}"\}`),
		},
		headers: map[string]matchers.Matcher{
			"x-acs-action": matchers.String("SendSms"), "x-acs-version": matchers.String("2017-05-25"),
			"x-acs-date":            text("2026-11-20T02:00:00Z", `\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z`),
			"x-acs-signature-nonce": text("nonce", `.+`),
			"x-acs-content-sha256": text(
				"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
				`[0-9a-f]{64}`,
			),
			"Authorization": text(
				"ACS3-HMAC-SHA256 Credential=id,SignedHeaders=host;x-acs-action,Signature=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
				// Pact takes a header apart at its commas and matches each part.
				`(ACS3-HMAC-SHA256 Credential=[^,]+|SignedHeaders=[^,]+|Signature=[0-9a-f]{64})`,
			),
		},
	}
}

func TestSMS(t *testing.T) {
	send := func(base string) error {
		c, err := sms.New(sms.Config{
			AccessKeyID: "id", AccessKeySecret: "secret", SignName: "影票商城", TemplateCode: "SMS_1", SimulatorURL: base,
			Operations: transport.Operations{Limit: time.Minute},
		})
		require.NoError(t, err)
		return c.SendCode(t.Context(), "13900000001", "482913")
	}
	with(
		t,
		"sms",
		func(base string) { assert.NoError(t, send(base)) },
		sendSMS(
			"a phone",
			"a code",
			200,
			fields{"Code": "OK", "Message": like("OK"), "RequestId": like("r"), "BizId": like("b")},
		),
	)

	for _, tt := range []struct {
		state, what, code string
		want              *fault.Fault
	}{
		{"a phone that has had enough codes", "a code too many", "isv.BUSINESS_LIMIT_CONTROL", account.ErrSMSLimited},
		{"an illegal phone", "a code to an illegal phone", "isv.MOBILE_NUMBER_ILLEGAL", account.ErrPhoneRejected},
		{"an account without money", "a code above the account's balance", "isv.AMOUNT_NOT_ENOUGH",
			fault.ErrUnavailable},
		{"an unknown template", "a code in an unknown template", "isv.SMS_TEMPLATE_ILLEGAL", fault.ErrUnavailable},
	} {
		with(t, "sms", func(base string) { assert.ErrorIs(t, send(base), tt.want) },
			sendSMS(tt.state, tt.what, 200, fields{"Code": tt.code, "Message": like("不行"), "RequestId": like("r")}))
	}
	with(
		t,
		"sms",
		func(base string) { assert.ErrorIs(t, send(base), fault.ErrUnavailable) },
		sendSMS(
			"a wrong secret",
			"a code with a wrong signature",
			400,
			fields{"Code": "SignatureDoesNotMatch", "Message": like("m"), "RequestId": like("r")},
		),
	)
}

package sms

import (
	"crypto/hmac"
	"crypto/sha1" // the vendor's signature
	"crypto/subtle"
	"encoding/base64"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// alibabaCall has the common parameters of a call: from headers under the ACS3 signature, from parameters under the RPC
// signature.
type alibabaCall struct {
	rpc             bool
	action, version string
	parameters      url.Values // all parameters of an RPC call, from the query and from the form of the body
}

// alibabaCallOf reads the call that is being served.
func alibabaCallOf(r *http.Request) alibabaCall {
	return newAlibabaCall(r, journal.From(r.Context()).Body)
}

func newAlibabaCall(r *http.Request, body []byte) alibabaCall {
	call := alibabaCall{action: r.Header.Get("x-acs-action"), version: r.Header.Get("x-acs-version")}
	if call.action != "" || r.Header.Get("Authorization") != "" {
		return call
	}
	parameters := r.URL.Query()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/x-www-form-urlencoded" {
		form, _ := url.ParseQuery(string(body)) // parts that cannot be decoded are missing, so the signature is wrong
		for name, values := range form {
			parameters[name] = append(parameters[name], values...)
		}
	}
	if !parameters.Has("Action") && !parameters.Has("AccessKeyId") {
		return call
	}
	return alibabaCall{rpc: true, action: parameters.Get("Action"), version: parameters.Get("Version"),
		parameters: parameters}
}

// isXML reports whether the answer is XML, which is the default of the parameter Format of an RPC call.
func (c alibabaCall) isXML() bool {
	return c.rpc && !strings.EqualFold(c.parameters.Get("Format"), "JSON")
}

// verifyRPC checks an RPC call ("RPC机制: 请求签名" of the vendor's documentation): HMAC-SHA1 of version 1.0 over all
// parameters, in the query of a GET, or in the query and the form of a POST.
func (a *alibaba) verifyRPC(r *http.Request, call alibabaCall, now time.Time) *journal.Rejection {
	get := call.parameters.Get
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		return &journal.Rejection{Status: http.StatusMethodNotAllowed, Code: "UnsupportedHTTPMethod",
			Message: "This http method is not supported."}
	}
	for _, name := range []string{"Action", "AccessKeyId", "Signature", "SignatureMethod", "SignatureVersion",
		"SignatureNonce", "Timestamp"} {
		if get(name) == "" {
			return badRequest("Missing"+name, name+" is mandatory for this action.", "")
		}
	}
	for _, parameter := range []struct {
		name string
		fits bool
	}{
		{"SignatureMethod", get("SignatureMethod") == "HMAC-SHA1"},
		{"SignatureVersion", get("SignatureVersion") == "1.0"},
		{"Format", get("Format") == "" || strings.EqualFold(get("Format"), "JSON") ||
			strings.EqualFold(get("Format"), "XML")},
	} {
		if name := parameter.name; !parameter.fits {
			return badRequest("InvalidParameter", `The specified parameter "`+name+`" is not valid.`,
				name+" is "+get(name))
		}
	}
	if rejected := a.checkKeyID(get("AccessKeyId")); rejected != nil {
		return rejected
	}
	if rejected := checkTime("Timestamp", get("Timestamp"), now); rejected != nil {
		return rejected
	}
	text := rpcStringToSign(r.Method, call.parameters)
	want, got := signRPC(a.Credentials.AccessKeySecret, text), get("Signature")
	if subtle.ConstantTimeCompare([]byte(want), []byte(got)) != 1 {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: text, Expected: want, Got: got}
		return badRequest("SignatureDoesNotMatch",
			"Specified signature is not matched with our calculation. server string to sign is:"+text,
			"expected "+want+", came "+got+"; the string to sign is\n"+text)
	}
	return a.checkNonce(get("SignatureNonce"), now)
}

// rpcStringToSign is the text that an RPC call signs.
func rpcStringToSign(method string, parameters url.Values) string {
	signed := url.Values{}
	for name, values := range parameters {
		if name != "Signature" {
			signed[name] = values
		}
	}
	return method + "&%2F&" + escape(canonicalQuery(signed))
}

// signRPC returns the signature of a text in base64.
func signRPC(secret, text string) string {
	mac := hmac.New(sha1.New, []byte(secret+"&"))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

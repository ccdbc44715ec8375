package sms_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"

	"marquee/simulators/journal"
)

// The signatures of this file are written from the vendors' documents and share no code with the simulator.

// percent escapes a text as in RFC 3986.
func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func hmacBase64(newHash func() hash.Hash, key, text string) string {
	m := hmac.New(newHash, []byte(key))
	m.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

func sortedKeys(parameters map[string]string) []string {
	names := []string{}
	for name := range parameters {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// aliSignature signs the parameters of an RPC call.
func aliSignature(method, secret string, parameters map[string]string) string {
	pairs := []string{}
	for _, name := range sortedKeys(parameters) {
		if name != "Signature" {
			pairs = append(pairs, percent(name)+"="+percent(parameters[name]))
		}
	}
	return hmacBase64(sha1.New, secret+"&", method+"&"+percent("/")+"&"+percent(strings.Join(pairs, "&")))
}

// The two examples that the vendor's documents work through.
func TestRPC_TheVendorsWorkedExamples(t *testing.T) {
	t.Parallel()
	require.Equal(t, "OLeaidS1JvxuMvnyHOwuJ+uX5qY=", aliSignature("GET", "testsecret", map[string]string{
		"AccessKeyId": "testid", "Action": "DescribeRegions", "Format": "XML", "SignatureMethod": "HMAC-SHA1",
		"SignatureNonce": "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf", "SignatureVersion": "1.0",
		"Timestamp": "2016-02-23T12:46:24Z", "Version": "2014-05-26",
	}))
	require.Equal(t, "zJDF+Lrzhj/ThnlvIToysFRq6t4=", aliSignature("GET", "testSecret", map[string]string{
		"AccessKeyId": "testId", "Action": "SendSms", "Format": "XML", "OutId": "123", "PhoneNumbers": "15300000001",
		"RegionId": "cn-hangzhou", "SignName": "阿里云短信测试专用", "SignatureMethod": "HMAC-SHA1",
		"SignatureNonce": "45e25e9b-0a6f-4070-8c85-2956eda1b466", "SignatureVersion": "1.0",
		"TemplateCode": "SMS_71390007", "TemplateParam": `{"customer":"test"}`, "Timestamp": "2017-07-12T02:42:19Z",
		"Version": "2017-05-25",
	}))
}

// rpcParameters are those of a valid RPC call, without its signature.
func (r *smsServer) rpcParameters(phone string) map[string]string {
	return map[string]string{
		"AccessKeyId": r.keys.AccessKeyID, "Action": "SendSms", "Format": "JSON", "Version": "2017-05-25",
		"SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0", "SignatureNonce": phone + time.Now().String(),
		"Timestamp": time.Now().UTC().Format("2006-01-02T15:04:05Z"), "RegionId": "cn-hangzhou",
		"PhoneNumbers": phone, "SignName": r.keys.SignName, "TemplateCode": r.keys.TemplateCode,
		"TemplateParam": `{"code":"4829 *~+/"}`,
	}
}

// sendParameters makes a GET with the parameters in the query, or a POST with the parameters in the form.
func sendParameters(t *testing.T, method, address string, parameters map[string]string) (int, http.Header, string) {
	t.Helper()
	values := url.Values{}
	for name, value := range parameters {
		values.Set(name, value)
	}
	body := ""
	if method == http.MethodPost {
		body = values.Encode()
	} else {
		address += "?" + values.Encode()
	}
	q, err := http.NewRequest(method, address, strings.NewReader(body))
	require.NoError(t, err)
	if method == http.MethodPost {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	}
	answer, err := http.DefaultClient.Do(q)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(text)
}

// rpc signs a call and returns status and code of its answer.
func (r *smsServer) rpc(t *testing.T, method string, parameters map[string]string) (int, string) {
	t.Helper()
	parameters["Signature"] = aliSignature(method, r.keys.AccessKeySecret, parameters)
	status, _, text := sendParameters(t, method, r.server.URL+"/", parameters)
	var answer struct{ Code, Message, RequestId string }
	require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
	require.NotEmpty(t, answer.RequestId)
	require.NotEmpty(t, answer.Message)
	return status, answer.Code
}

func TestRPC_SendsByGETAndPOST(t *testing.T) {
	t.Parallel()
	r := start(t)
	for phone, method := range map[string]string{"13900000001": http.MethodGet, "13900000002": http.MethodPost} {
		status, code := r.rpc(t, method, r.rpcParameters(phone))
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "OK", code)
		require.Equal(t, "4829 *~+/", r.Messages(phone)[0].Code)
	}
	require.Len(t, r.journal.Entries(journal.Filter{Operation: "send", Verdict: journal.OK}), 2)
	query := r.rpcParameters("13900000001")
	query["Action"], query["PhoneNumber"], query["PageSize"], query["CurrentPage"] = "QuerySendDetails", "13900000001", "10", "1"
	query["SendDate"] = time.Now().In(time.FixedZone("CST", 8*60*60)).Format("20060102")
	status, code := r.rpc(t, http.MethodGet, query)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "OK", code)
}

// A call without a Format is answered in XML, as one that asks for it.
func TestRPC_AnswersInXML(t *testing.T) {
	t.Parallel()
	r := start(t)
	for phone, format := range map[string]string{"13900000001": "XML", "13900000002": ""} {
		parameters := r.rpcParameters(phone)
		parameters["Format"] = format
		parameters["Signature"] = aliSignature(http.MethodPost, r.keys.AccessKeySecret, parameters)
		status, header, text := sendParameters(t, http.MethodPost, r.server.URL+"/", parameters)
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, header.Get("Content-Type"), "text/xml")
		var sent struct {
			XMLName                         xml.Name `xml:"SendSmsResponse"`
			Code, Message, BizId, RequestId string
		}
		require.NoError(t, xml.Unmarshal([]byte(text), &sent), text)
		require.Equal(t, "OK", sent.Code)
		require.NotEmpty(t, sent.BizId)

		status, _, text = sendParameters(t, http.MethodPost, r.server.URL+"/", parameters)
		require.Equal(t, http.StatusBadRequest, status)
		var rejected struct {
			XMLName                 xml.Name `xml:"Error"`
			Code, HostId, RequestId string
		}
		require.NoError(t, xml.Unmarshal([]byte(text), &rejected), text)
		require.Equal(t, "SignatureNonceUsed", rejected.Code)
	}
}

func TestRPC_EachPartOfTheSignature(t *testing.T) {
	t.Parallel()
	r := start(t)
	set := func(name, value string) func(map[string]string) {
		return func(p map[string]string) { p[name] = value }
	}
	at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format("2006-01-02T15:04:05Z") }
	for name, row := range map[string]struct {
		change func(map[string]string)
		status int
		code   string
	}{
		"no nonce":      {set("SignatureNonce", ""), 400, "MissingSignatureNonce"},
		"no time":       {set("Timestamp", ""), 400, "MissingTimestamp"},
		"no key":        {set("AccessKeyId", ""), 400, "MissingAccessKeyId"},
		"no action":     {set("Action", ""), 400, "MissingAction"},
		"no method":     {set("SignatureMethod", ""), 400, "MissingSignatureMethod"},
		"another hash":  {set("SignatureMethod", "HMAC-SHA256"), 400, "InvalidParameter"},
		"version 2.0":   {set("SignatureVersion", "2.0"), 400, "InvalidParameter"},
		"unknown key":   {set("AccessKeyId", "LTAIunknown"), 404, "InvalidAccessKeyId.NotFound"},
		"local time":    {set("Timestamp", time.Now().Format("2006-01-02 15:04:05")), 400, "InvalidTimeStamp.Format"},
		"unix time":     {set("Timestamp", strconv.FormatInt(time.Now().Unix(), 10)), 400, "InvalidTimeStamp.Format"},
		"too old":       {set("Timestamp", at(16*time.Minute)), 400, "InvalidTimeStamp.Expired"},
		"too early":     {set("Timestamp", at(-16*time.Minute)), 400, "InvalidTimeStamp.Expired"},
		"other version": {set("Version", "2016-09-27"), 400, "InvalidVersion"},
		"no phone":      {set("PhoneNumbers", ""), 400, "MissingPhoneNumbers"},
		"not a phone":   {set("PhoneNumbers", "1"), 200, "isv.MOBILE_NUMBER_ILLEGAL"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			parameters := r.rpcParameters("13900000001")
			row.change(parameters)
			status, code := r.rpc(t, method, parameters)
			require.Equal(t, row.status, status, name)
			require.Equal(t, row.code, code, name)
		}
	}
	for range 10 {
		parameters := r.rpcParameters("13900000001")
		parameters["Signature"], parameters["SignatureMethod"], parameters["SignatureVersion"] = "A", "B", "C"
		_, _, text := sendParameters(t, http.MethodGet, r.server.URL+"/", parameters)
		require.Contains(t, text, "SignatureMethod", "the same parameter in every run")
	}
	require.Empty(t, r.Messages(""))

	changed := func(method string, change func(map[string]string)) string {
		parameters := r.rpcParameters("13900000001")
		parameters["Signature"] = aliSignature(method, r.keys.AccessKeySecret, parameters)
		change(parameters)
		status, _, text := sendParameters(t, method, r.server.URL+"/", parameters)
		require.Equal(t, http.StatusBadRequest, status, text)
		var answer struct{ Code string }
		require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
		return answer.Code
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		require.Equal(t, "SignatureDoesNotMatch", changed(method, set("PhoneNumbers", "13900000002")))
		require.Equal(t, "SignatureDoesNotMatch", changed(method, set("More", "1")))
		require.Equal(t, "MissingSignature", changed(method, set("Signature", "")))
		wrongKey := func(p map[string]string) { p["Signature"] = aliSignature(method, "another", p) }
		require.Equal(t, "SignatureDoesNotMatch", changed(method, wrongKey))
		entry := r.journal.Entries(journal.Filter{Limit: 1})[0]
		require.Equal(t, journal.Rejected, entry.Verdict)
		require.True(t, strings.HasPrefix(entry.Signature.Over, method+"&%2F&AccessKeyId%3D"), entry.Signature.Over)
		otherMethod := map[string]string{http.MethodGet: http.MethodPost, http.MethodPost: http.MethodGet}[method]
		require.Equal(t, "SignatureDoesNotMatch", changed(method, func(p map[string]string) {
			p["Signature"] = aliSignature(otherMethod, r.keys.AccessKeySecret, p)
		}))
	}
	require.Empty(t, r.Messages(""))

	once := r.rpcParameters("13900000003")
	_, code := r.rpc(t, http.MethodGet, once)
	require.Equal(t, "OK", code)
	once["PhoneNumbers"] = "13900000004"
	_, code = r.rpc(t, http.MethodPost, once)
	require.Equal(t, "SignatureNonceUsed", code)
	require.Empty(t, r.Messages("13900000004"))
}

func TestRPC_WhatIsNotSimulatedIsAFailureInTheVendorsForm(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, format := range []string{"JSON", "XML"} {
		parameters := r.rpcParameters("13900000001")
		parameters["Action"], parameters["Format"] = "QuerySmsSign", format
		parameters["Signature"] = aliSignature(http.MethodPost, r.keys.AccessKeySecret, parameters)
		status, header, text := sendParameters(t, http.MethodPost, r.server.URL+"/", parameters)
		require.Equal(t, http.StatusNotImplemented, status)
		require.Equal(t, "1", header.Get("Marquee-Not-Simulated"))
		var answer struct {
			XMLName                  xml.Name `json:"-" xml:"Error"`
			Code, Message, RequestId string
		}
		decode := json.Unmarshal
		if format == "XML" {
			decode = xml.Unmarshal
		}
		require.NoError(t, decode([]byte(text), &answer), text)
		require.Equal(t, "NOT_SIMULATED", answer.Code)
		require.Equal(t, "sms: the action QuerySmsSign is not simulated", answer.Message)
		require.NotEmpty(t, answer.RequestId)
	}
	require.Len(t, r.journal.Entries(journal.Filter{Verdict: journal.NotSimulated}), 2)
}

// v1Signature signs the parameters of a call under a v1 signature.
func v1Signature(newHash func() hash.Hash, method, host, secret string, parameters map[string]string) string {
	pairs := []string{}
	for _, name := range sortedKeys(parameters) {
		if name != "Signature" {
			pairs = append(pairs, name+"="+parameters[name])
		}
	}
	return hmacBase64(newHash, secret, method+host+"/?"+strings.Join(pairs, "&"))
}

// The example that the vendor's document works through, with its two fictitious keys.
func TestV1_TheVendorsWorkedExample(t *testing.T) {
	t.Parallel()
	for masked, want := range map[string]string{
		"EXAMPLE": "EliP9YW3pW28FpsEdkXt/+WcGeI=", "*******": "zmmjn35mikh6pM3V7sUEuX4wyYM=",
	} {
		require.Equal(t, want, v1Signature(sha1.New, http.MethodGet, "cvm.tencentcloudapi.com",
			"Gu5t9xGARNpq86cd98joQYCN3"+masked, map[string]string{
				"Action": "DescribeInstances", "InstanceIds.0": "ins-09dx96dg", "Limit": "20", "Nonce": "11886",
				"Offset": "0", "Region": "ap-guangzhou", "SecretId": "AKIDz8krbsJ5yKBZQpn74WFkmLPx3" + masked,
				"Timestamp": "1465185768", "Version": "2017-03-12",
			}))
	}
}

// v1Parameters are those of a valid call, without its v1 signature.
func (r *tencentServer) v1Parameters(nonce int, phones ...string) map[string]string {
	parameters := map[string]string{
		"Action": "SendSms", "Version": "2021-01-11", "Region": "ap-guangzhou", "SecretId": r.keys.SecretID,
		"Timestamp": strconv.FormatInt(time.Now().Unix(), 10), "Nonce": strconv.Itoa(nonce),
		"SmsSdkAppId": r.keys.SDKAppID, "TemplateId": r.keys.TemplateID, "SignName": r.keys.SignName,
		"TemplateParamSet.0": "482913", "SessionContext": "a b*~+/&=中",
	}
	for i, phone := range phones {
		parameters["PhoneNumberSet."+strconv.Itoa(i)] = phone
	}
	return parameters
}

// v1 makes a call and returns the code of its error, or of the phones' statuses.
func (r *tencentServer) v1(t *testing.T, method string, parameters map[string]string) string {
	t.Helper()
	newHash := sha1.New
	if parameters["SignatureMethod"] == "HmacSHA256" {
		newHash = sha256.New
	}
	if parameters["Signature"] == "" {
		parameters["Signature"] = v1Signature(newHash, method, strings.TrimPrefix(r.server.URL, "http://"),
			r.keys.SecretKey, parameters)
	}
	status, _, text := sendParameters(t, method, r.server.URL+"/", parameters)
	require.Equal(t, http.StatusOK, status, text)
	return tencentCodes(t, text)
}

func tencentCodes(t *testing.T, text string) string {
	t.Helper()
	var answer struct {
		Response struct {
			Error         struct{ Code, Message string }
			SendStatusSet []struct{ Code string }
			RequestId     string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
	require.NotEmpty(t, answer.Response.RequestId)
	code := answer.Response.Error.Code
	for _, s := range answer.Response.SendStatusSet {
		code += s.Code
	}
	return code
}

func TestV1_SendsByGETAndPOSTWithBothHashes(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	n := 0
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, signatureMethod := range []string{"", "HmacSHA1", "HmacSHA256"} {
			n++
			first, second := fmt.Sprintf("1390000%04d", n), fmt.Sprintf("1391000%04d", n)
			parameters := r.v1Parameters(n, first, second)
			if signatureMethod != "" {
				parameters["SignatureMethod"] = signatureMethod
			}
			require.Equal(t, "OkOk", r.v1(t, method, parameters))
			require.Equal(t, "482913", r.Messages(first)[0].Code)
			require.Len(t, r.Messages(second), 1)
		}
	}
}

// In a query every value is a text. The type of its field decides whether it is read as a number.
func TestV1_NumbersAreNumbers(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	pull := func(nonce int, limit string) string {
		parameters := r.v1Parameters(nonce)
		for _, name := range []string{"TemplateId", "SignName", "TemplateParamSet.0", "SessionContext"} {
			delete(parameters, name)
		}
		parameters["Action"], parameters["Limit"] = "PullSmsSendStatus", limit
		return r.v1(t, http.MethodGet, parameters)
	}
	require.Empty(t, pull(1, "10"))
	require.Equal(t, "InvalidParameterValue", pull(2, "1000"))
	for i, limit := range []string{"ten", "1 0", "true", "1.5", "0x1", "-1"} {
		require.Equal(t, "InvalidParameter", pull(3+i, limit), limit)
	}
}

func TestV1_EachPartOfTheSignature(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	set := func(name, value string) func(map[string]string) {
		return func(p map[string]string) { p[name] = value }
	}
	at := func(ago time.Duration) string { return strconv.FormatInt(time.Now().Add(-ago).Unix(), 10) }
	n := 0
	for name, row := range map[string]struct {
		change func(map[string]string)
		code   string
	}{
		"no id":             {set("SecretId", ""), "MissingParameter"},
		"no nonce":          {set("Nonce", ""), "MissingParameter"},
		"no time":           {set("Timestamp", ""), "MissingParameter"},
		"no action":         {set("Action", ""), "MissingParameter"},
		"nonce of letters":  {set("Nonce", "abc"), "InvalidParameterValue"},
		"nonce of 0":        {set("Nonce", "0"), "InvalidParameterValue"},
		"time of ISO 8601":  {set("Timestamp", time.Now().Format(time.RFC3339)), "InvalidParameterValue"},
		"another hash":      {set("SignatureMethod", "HmacMD5"), "InvalidParameterValue"},
		"unknown id":        {set("SecretId", "AKIDunknown"), "AuthFailure.SecretIdNotFound"},
		"too old":           {set("Timestamp", at(302*time.Second)), "AuthFailure.SignatureExpire"},
		"too early":         {set("Timestamp", at(-6*time.Minute)), "AuthFailure.SignatureExpire"},
		"wrong signature":   {set("Signature", "AAAA"), "AuthFailure.SignatureFailure"},
		"other version":     {set("Version", "2019-07-11"), "NoSuchVersion"},
		"unknown region":    {set("Region", "ap-nowhere"), "UnsupportedRegion"},
		"unknown parameter": {set("More", "1"), "UnknownParameter"},
		"list without its first": {func(p map[string]string) {
			delete(p, "PhoneNumberSet.0")
			p["PhoneNumberSet.1"] = "13900000001"
		}, "MissingParameter.EmptyPhoneNumberSet"},
		"text for a list": {func(p map[string]string) {
			delete(p, "TemplateParamSet.0")
			p["TemplateParamSet"] = "482913"
		}, "InvalidParameter"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			n++
			parameters := r.v1Parameters(n, "13900000001")
			row.change(parameters)
			require.Equal(t, row.code, r.v1(t, method, parameters), name)
		}
	}
	host := strings.TrimPrefix(r.server.URL, "http://")
	for name, sign := range map[string]func(p map[string]string) string{
		"the other method": func(p map[string]string) string {
			return v1Signature(sha1.New, http.MethodPost, host, r.keys.SecretKey, p)
		},
		"another host": func(p map[string]string) string {
			return v1Signature(sha1.New, http.MethodGet, "cvm.tencentcloudapi.com", r.keys.SecretKey, p)
		},
		"another key": func(p map[string]string) string {
			return v1Signature(sha1.New, http.MethodGet, host, "another", p)
		},
		"the other hash": func(p map[string]string) string {
			return v1Signature(sha256.New, http.MethodGet, host, r.keys.SecretKey, p)
		},
	} {
		n++
		parameters := r.v1Parameters(n, "13900000001")
		parameters["Signature"] = sign(parameters)
		require.Equal(t, "AuthFailure.SignatureFailure", r.v1(t, http.MethodGet, parameters), name)
	}
	require.Empty(t, r.Messages(""))

	// The same nonce is accepted with another timestamp, and not with the same one.
	once := r.v1Parameters(7_000_000, "13900000005")
	require.Equal(t, "Ok", r.v1(t, http.MethodGet, once))
	again := r.v1Parameters(7_000_000, "13900000006")
	again["Timestamp"] = once["Timestamp"]
	require.Equal(t, "AuthFailure.SignatureFailure", r.v1(t, http.MethodPost, again))
	require.Empty(t, r.Messages("13900000006"))
	later := r.v1Parameters(7_000_000, "13900000006")
	later["Timestamp"] = at(5 * time.Second)
	require.Equal(t, "Ok", r.v1(t, http.MethodPost, later))
}

// The vendor's SDK signs by all of its methods.
func TestTencentSDK_SignsByEveryMethod(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	n := 0
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, signMethod := range []string{"HmacSHA1", "HmacSHA256", "TC3-HMAC-SHA256"} {
			n++
			phone := fmt.Sprintf("+861390000%04d", n)
			p := profile.NewClientProfile()
			p.HttpProfile.Endpoint, p.HttpProfile.Scheme = strings.TrimPrefix(r.server.URL, "http://"), "http"
			p.HttpProfile.ReqMethod, p.SignMethod = method, signMethod
			client, err := tencent.NewClient(common.NewCredential(r.keys.SecretID, r.keys.SecretKey), "ap-guangzhou", p)
			require.NoError(t, err)
			answer, err := client.SendSms(r.request(phone))
			require.NoError(t, err, method+" "+signMethod)
			require.Equal(t, "Ok", *answer.Response.SendStatusSet[0].Code)
			require.Len(t, r.Messages(phone[3:]), 1)
		}
	}
}

// tc3Get makes a GET under TC3-HMAC-SHA256, with the parameters in the query. signedQuery is the query that the
// signature covers.
func (r *tencentServer) tc3Get(t *testing.T, query, contentType, signedQuery string) (int, string) {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, r.server.URL+"/?"+query, http.NoBody)
	require.NoError(t, err)
	now := time.Now().UTC()
	day := now.Format("2006-01-02")
	digest := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	mac := func(key []byte, text string) []byte {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(text))
		return m.Sum(nil)
	}
	canonical := "GET\n/\n" + signedQuery + "\ncontent-type:" + contentType + "\nhost:" + q.Host +
		"\n\ncontent-type;host\n" + digest("")
	scope, timestamp := day+"/sms/tc3_request", strconv.FormatInt(now.Unix(), 10)
	key := mac(mac(mac([]byte("TC3"+r.keys.SecretKey), day), "sms"), "tc3_request")
	signature := hex.EncodeToString(mac(key, "TC3-HMAC-SHA256\n"+timestamp+"\n"+scope+"\n"+digest(canonical)))
	q.Header.Set("Authorization", "TC3-HMAC-SHA256 Credential="+r.keys.SecretID+"/"+scope+
		", SignedHeaders=content-type;host, Signature="+signature)
	for name, value := range map[string]string{"Content-Type": contentType, "X-TC-Action": "SendSms",
		"X-TC-Version": "2021-01-11", "X-TC-Region": "ap-guangzhou", "X-TC-Timestamp": timestamp} {
		q.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(q)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, tencentCodes(t, string(text))
}

func TestTC3_ByGETWithTheParametersInTheQuery(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	query := url.Values{"SmsSdkAppId": {r.keys.SDKAppID}, "TemplateId": {r.keys.TemplateID},
		"SignName": {r.keys.SignName}, "TemplateParamSet.0": {"482913"}, "PhoneNumberSet.0": {"13900000001"}}.Encode()
	const form = "application/x-www-form-urlencoded"
	_, code := r.tc3Get(t, query, form, query)
	require.Equal(t, "Ok", code)
	require.Len(t, r.Messages("13900000001"), 1)
	_, code = r.tc3Get(t, strings.ReplaceAll(query, "13900000001", "13900000002"), form, query)
	require.Equal(t, "AuthFailure.SignatureFailure", code)
	_, code = r.tc3Get(t, query, form, "")
	require.Equal(t, "AuthFailure.SignatureFailure", code)
	_, code = r.tc3Get(t, query, "application/json", query)
	require.Equal(t, "UnsupportedProtocol", code)
	require.Empty(t, r.Messages("13900000002"))
}

func TestState_NoncesOfEverySignatureStayUsedInARestoredWorld(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	rpc, v1 := r.rpcParameters("13900000001"), r.v1Parameters(1, "13900000001")
	_, code := r.rpc(t, http.MethodGet, rpc)
	require.Equal(t, "OK", code)
	require.Equal(t, "Ok", r.v1(t, http.MethodGet, v1))
	restored := startTencent(t)
	require.NoError(t, restored.Load(r.Save()))
	_, code = restored.rpc(t, http.MethodGet, rpc)
	require.Equal(t, "SignatureNonceUsed", code)
	v1["Signature"] = ""
	require.Equal(t, "AuthFailure.SignatureFailure", restored.v1(t, http.MethodGet, v1))
}

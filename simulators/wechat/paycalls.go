package wechat

import (
	"cmp"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"marquee/simulators/journal"
)

var (
	outTradeNo = regexp.MustCompile(`^[0-9A-Za-z_\-|*]{6,32}$`)
	refundNo   = regexp.MustCompile(`^[0-9A-Za-z_\-|*@]{1,64}$`)
	openIDForm = regexp.MustCompile(`^[0-9A-Za-z_\-]{6,128}$`)
)

func (s *Simulator) servePrepay(_ *http.Request, body []byte) (any, *apiError) {
	var call order
	var end struct {
		TimeExpire string `json:"time_expire"` // may differ when an order is announced again
	}
	if refusal := cmp.Or(decode(body, &call), decode(body, &end)); refusal != nil {
		return nil, refusal
	}
	if call.Amount.Currency == "" {
		call.Amount.Currency = "CNY"
	}
	switch {
	case call.AppID == "":
		return nil, paramError("/appid", "不能为空")
	case call.MchID != s.Credentials.MchID:
		return nil, paramError("/mchid", "与签名的商户号不一致")
	case call.AppID != s.Credentials.AppID:
		return nil, refuse(http.StatusBadRequest, "APPID_MCHID_NOT_MATCH", "appid和mch_id不匹配")
	case call.Description == "" || utf8.RuneCountInString(call.Description) > 127:
		return nil, paramError("/description", "长度应为1到127个字符")
	case !outTradeNo.MatchString(call.OutTradeNo):
		return nil, paramError("/out_trade_no", "格式不正确，应为6到32个字符")
	case len(call.Attach) > 128:
		return nil, paramError("/attach", "长度不能超过128个字节")
	case !notifyURLFits(call.NotifyURL):
		return nil, paramError("/notify_url", "格式不正确")
	case call.Amount.Total < 1:
		return nil, paramError("/amount/total", "最小值应为1")
	case call.Amount.Currency != "CNY":
		return nil, paramError("/amount/currency", "只支持CNY")
	case !openIDForm.MatchString(call.Payer.OpenID):
		return nil, refuse(http.StatusBadRequest, "PARAM_ERROR", "无效的openid")
	}
	until, refusal := s.payableUntil(end.TimeExpire, time.Now())
	if refusal != nil {
		return nil, refusal
	}
	id, refusal := s.prepay(call, until)
	if refusal != nil {
		return nil, refusal
	}
	return map[string]string{"prepay_id": id}, nil
}

// payableUntil turns time_expire, which is wire time, into the business time that is as far away.
func (s *Simulator) payableUntil(text string, wireNow time.Time) (time.Time, *apiError) {
	if text == "" {
		return time.Time{}, nil
	}
	expire, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, paramError("/time_expire", "不是RFC3339格式的时间")
	}
	left := expire.Sub(wireNow)
	if left <= 0 {
		return time.Time{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "time_expire早于当前时间")
	}
	return s.Clock.Now().Add(left), nil
}

// notifyURLFits: an absolute URL without a query, which the vendor wants to be https. A shop beside the simulators has
// none, so that addresses which nobody outside could reach may be http.
func notifyURLFits(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || strings.ContainsAny(text, "?#") || len(text) > 255 {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && unreachable(u.Hostname())
}

// unreachable are hosts of this machine and of private networks.
func unreachable(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".test")
}

func (s *Simulator) serveQuery(r *http.Request, _ []byte) (any, *apiError) {
	if r.URL.Query().Get("mchid") != s.Credentials.MchID {
		return nil, wrongParameter("query", "mchid", "与签名的商户号不一致")
	}
	t, refusal := s.find(r.PathValue("no"), r.PathValue("id"))
	if refusal != nil {
		return nil, refusal
	}
	return t.wire(), nil
}

func (s *Simulator) serveClose(r *http.Request, body []byte) (any, *apiError) {
	var call struct {
		MchID string `json:"mchid"`
	}
	if refusal := decode(body, &call); refusal != nil {
		return nil, refusal
	}
	if call.MchID != s.Credentials.MchID {
		return nil, paramError("/mchid", "与签名的商户号不一致")
	}
	return nil, s.closeTrade(r.PathValue("no"))
}

func (s *Simulator) serveRefund(r *http.Request, body []byte) (any, *apiError) {
	var call refundCall
	if refusal := decode(body, &call); refusal != nil {
		return nil, refusal
	}
	switch {
	case (call.OutTradeNo == "") == (call.TransactionID == ""):
		return nil, paramError("/out_trade_no", "与transaction_id二选一")
	case !refundNo.MatchString(call.OutRefundNo):
		return nil, paramError("/out_refund_no", "格式不正确")
	case utf8.RuneCountInString(call.Reason) > 80:
		return nil, paramError("/reason", "长度不能超过80个字符")
	case call.NotifyURL != "" && !notifyURLFits(call.NotifyURL):
		return nil, paramError("/notify_url", "格式不正确")
	case call.Amount.Refund < 1:
		return nil, paramError("/amount/refund", "最小值应为1")
	case call.Amount.Total < 1:
		return nil, paramError("/amount/total", "最小值应为1")
	case call.Amount.Refund > call.Amount.Total:
		return nil, paramError("/amount/refund", "不能大于原订单金额")
	case call.Amount.Currency != "CNY":
		return nil, paramError("/amount/currency", "只支持CNY")
	}
	answer, refusal := s.startRefund(journal.From(r.Context()), call)
	if refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

func (s *Simulator) serveRefundQuery(r *http.Request, _ []byte) (any, *apiError) {
	answer, refusal := s.findRefund(r.PathValue("no"))
	if refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

// These bound the platform's certificate; its times are wire times.
var certificateFrom, certificateTo = time.Date(2020, 1, 1, 0, 0, 0, 0, shanghai), time.Date(2050, 1, 1, 0, 0, 0, 0, shanghai)

func (s *Simulator) serveCertificates(*http.Request, []byte) (any, *apiError) {
	type entry struct {
		SerialNo      string `json:"serial_no"`
		EffectiveTime string `json:"effective_time"`
		ExpireTime    string `json:"expire_time"`
		Certificate   sealed `json:"encrypt_certificate"`
	}
	list := []entry{}
	for _, k := range s.certificates() {
		list = append(list, entry{
			SerialNo: k.serial, EffectiveTime: wireTime(certificateFrom), ExpireTime: wireTime(certificateTo),
			Certificate: seal(s.Credentials.APIv3Key, "certificate", k.certificate()),
		})
	}
	return map[string][]entry{"data": list}, nil
}

// certify makes the key's self-signed certificate.
func (k *signer) certify() []byte {
	serial, _ := new(big.Int).SetString(k.serial, 16)
	subject := pkix.Name{Country: []string{"CN"}, Organization: []string{"SIMULATOR ONLY"}, CommonName: "Simulated payment platform"}
	form := &x509.Certificate{
		SerialNumber: serial, Subject: subject, NotBefore: certificateFrom, NotAfter: certificateTo, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &k.key.PublicKey, k.key)
	if err != nil {
		panic(err) // a fixed form and a valid key always work
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

package wechat

import (
	"cmp"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// payAPI is Pay APIv3 over HTTP: it verifies the caller, checks the parameters, and signs every answer.
type payAPI struct {
	credentials dataset.WeChatCredentials
	clock       *testclock.Clock
	faults      faultInjector
	merchant    *merchant
	platform    *platform
	payments    *payments
	bills       *bills
}

// reject returns a rejection with an HTTP status, and a code and text of the vendor.
func reject(status int, code, message string) *journal.Rejection {
	return &journal.Rejection{Status: status, Code: code, Message: message}
}

// orderNotExist is the rejection of a query or close of an unknown trade.
var orderNotExist = reject(http.StatusNotFound, "ORDER_NOT_EXIST", "订单不存在")

// statuses are the HTTP statuses of the vendor's codes, for planned errors, as the tables of error codes of its calls
// list them. Other codes are 400.
var statuses = map[string]int{
	"USERPAYING": 202,
	"SIGN_ERROR": 401,
	"NO_AUTH":    403, "ACCOUNT_ERROR": 403, "OUT_TRADE_NO_USED": 403, "NOT_ENOUGH": 403, "USER_ACCOUNT_ABNORMAL": 403,
	"RULE_LIMIT": 403, "RULELIMIT": 403, "TRADE_ERROR": 403,
	"MCH_NOT_EXISTS": 404, "ORDER_NOT_EXIST": 404, "ORDERNOTEXIST": 404, "RESOURCE_NOT_EXISTS": 404,
	"FREQUENCY_LIMITED": 429, "RATELIMIT_EXCEEDED": 429,
	"SYSTEM_ERROR": 500, "BANK_ERROR": 500, "OPENID_MISMATCH": 500, "INVALID_TRANSACTIONID": 500,
}

// texts are the descriptions of the vendor's codes in its tables of error codes, for planned errors without a text.
var texts = map[string]string{
	"ACCOUNT_ERROR": "账号异常", "APPID_MCHID_NOT_MATCH": "appid和mch_id不匹配", "BANK_ERROR": "银行系统异常",
	"FREQUENCY_LIMITED": "频率超限", "INVALID_REQUEST": "无效请求", "INVALID_TRANSACTIONID": "订单号非法",
	"MCH_NOT_EXISTS": "商户号不存在", "NO_AUTH": "商户无权限", "NO_STATEMENT_EXIST": "账单文件不存在", "NOT_ENOUGH": "余额不足",
	"OPENID_MISMATCH": "openid和appid不匹配", "ORDER_CLOSED": "订单已关闭", "ORDER_NOT_EXIST": "订单不存在",
	"ORDERNOTEXIST": "订单不存在", "ORDERPAID": "订单已支付", "OUT_TRADE_NO_USED": "商户订单号重复", "PARAM_ERROR": "参数错误",
	"RATELIMIT_EXCEEDED": "请求超过频率限制", "RESOURCE_NOT_EXISTS": "查询的资源不存在", "RULE_LIMIT": "业务规则限制",
	"RULELIMIT": "业务规则限制", "SIGN_ERROR": "签名错误", "STATEMENT_CREATING": "账单生成中",
	"SYSTEM_ERROR": "系统异常，请稍后重试", "TRADE_ERROR": "交易错误", "USER_ACCOUNT_ABNORMAL": "用户账号异常",
	"USERPAYING": "用户支付中，需要输入密码",
}

// payCall is one call of Pay APIv3: its pattern, its operation in faults and the journal, and its handler.
type payCall struct {
	pattern   string
	operation string
	answer    http.HandlerFunc
}

// calls lists the simulated calls of Pay APIv3.
func (a *payAPI) calls() []payCall {
	list := []payCall{
		{"POST /v3/refund/domestic/refunds", opRefund, a.verified(a.refund)},
		{"GET /v3/refund/domestic/refunds/{no}", opRefundQuery, a.verified(a.queryRefund)},
		{"GET /v3/certificates", opCertificates, a.verified(a.certificates)},
		{"GET /v3/bill/tradebill", opTradeBill, a.verified(a.bills.tradeBill)},
		{"GET /v3/bill/fundflowbill", opFundBill, a.verified(a.bills.fundFlowBill)},
		{"GET /v3/billdownload/file", opBillDownload, a.serveDownload},
	}
	// A service provider uses separate paths for its sub-merchants.
	for prefix, partner := range map[string]bool{"/v3/pay/transactions": false, "/v3/pay/partner/transactions": true} {
		list = append(list,
			payCall{"GET " + prefix + "/out-trade-no/{no}", opQuery, a.verified(a.query(partner))},
			payCall{"GET " + prefix + "/id/{id}", opQuery, a.verified(a.query(partner))},
			payCall{"POST " + prefix + "/out-trade-no/{no}/close", opClose, a.verified(a.closeTrade(partner))},
		)
		for _, k := range tradeKinds {
			list = append(list, payCall{"POST " + prefix + "/" + k.path, k.operation, a.verified(a.prepay(k, partner))})
		}
	}
	return list
}

// handler answers Pay APIv3 at the vendor's paths (/v3/…) and at the same paths under pathPrefix.
func (a *payAPI) handler() *faults.Endpoint {
	mux, operationOf := http.NewServeMux(), map[string]string{}
	for _, c := range a.calls() {
		mux.HandleFunc(c.pattern, c.answer)
		operationOf[c.pattern] = c.operation
	}
	endpoint := a.faults.endpoint(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, withoutPrefix(r))
	}))
	endpoint.Operation = func(r *http.Request, _ []byte) string {
		_, pattern := mux.Handler(withoutPrefix(r))
		return operationOf[pattern]
	}
	endpoint.Hint = func(r *http.Request) string {
		if isV2(r) {
			return "only Pay APIv3 is simulated; V2 with its XML and MD5 signatures is out of scope"
		}
		return ""
	}
	endpoint.BadBody = "PARAM_ERROR"
	endpoint.Authenticate, endpoint.Sign = a.authenticate, a.sign
	endpoint.Error = func(w http.ResponseWriter, r *http.Request, code, message string) {
		code = cmp.Or(code, "SYSTEM_ERROR")
		message = cmp.Or(message, texts[code], code)
		if isV2(r) {
			writeV2Failure(w, code+": "+message)
			return
		}
		a.write(w, r, nil, reject(cmp.Or(statuses[code], http.StatusBadRequest), code, message))
	}
	return endpoint
}

// isV2 reports whether a call is one of V2, the XML API before APIv3.
func isV2(r *http.Request) bool { return !strings.HasPrefix(withoutPrefix(r).URL.Path, "/v3/") }

// writeV2Failure answers a call of V2 with status 200, as the vendor does ("协议规则" of the V2 documentation).
func writeV2Failure(w http.ResponseWriter, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "<xml><return_code><![CDATA[FAIL]]></return_code><return_msg><![CDATA["+
		strings.ReplaceAll(message, "]]>", "]]&gt;")+"]]></return_msg></xml>")
}

// withoutPrefix returns the call without pathPrefix in its path. r keeps its RequestURI, which the caller may have
// signed with the prefix.
func withoutPrefix(r *http.Request) *http.Request {
	route := r.WithContext(r.Context())
	route.RequestURI = r.URL.RequestURI()
	url := *r.URL
	url.Path, url.RawPath = strings.TrimPrefix(url.Path, pathPrefix), strings.TrimPrefix(url.RawPath, pathPrefix)
	route.URL = &url
	return route
}

// verified returns a handler that authenticates the caller before it runs a call. If the call returns neither a result
// nor a rejection, the answer is 204.
func (a *payAPI) verified(call func(r *http.Request, body []byte) (any, *journal.Rejection)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			a.write(w, r, nil, reject(http.StatusBadRequest, "PARAM_ERROR", "请求体不完整"))
			return
		}
		if a.authenticate(w, r, body) {
			result, rejection := call(r, body)
			a.write(w, r, result, rejection)
		}
	}
}

// authenticate checks the headers and the signature of a call. It answers a rejected call itself, and returns false.
func (a *payAPI) authenticate(w http.ResponseWriter, r *http.Request, body []byte) bool {
	if r.Header.Get("Accept") == "" || r.Header.Get("User-Agent") == "" {
		a.write(w, r, nil, reject(http.StatusBadRequest, "PARAM_ERROR", "Http头缺少Accept或User-Agent"))
		return false
	}
	if rejection := a.merchant.verifyCall(r, body, time.Now()); rejection != nil {
		a.write(w, r, nil, rejection)
		return false
	}
	if serial := r.Header.Get("Wechatpay-Serial"); serial != "" && !a.platform.knows(serial) {
		a.write(w, r, nil, reject(http.StatusBadRequest, "PARAM_ERROR", "平台证书序列号Wechatpay-Serial错误"))
		return false
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(body) > 0 && (err != nil || kind != "application/json") {
		a.write(w, r, nil, reject(http.StatusBadRequest, "PARAM_ERROR", "Http头Content-Type应为application/json"))
		return false
	}
	return true
}

// failure is an error as Pay APIv3 writes it.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Detail  any    `json:"detail,omitempty"`
}

// write sends an answer, signed with the platform's key. Rejections and 204 are signed too.
func (a *payAPI) write(w http.ResponseWriter, r *http.Request, result any, rejection *journal.Rejection) {
	status, body := http.StatusOK, []byte(nil)
	note := journal.From(r.Context())
	switch {
	case rejection != nil:
		status, body = rejection.Status, encode(failure{rejection.Code, rejection.Message, rejection.Detail})
		if note.Verdict == "" {
			rejection.Record(note)
		}
	case result == nil:
		status = http.StatusNoContent
	default:
		body = encode(result)
	}
	a.sign(w, r, body)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// sign sets the headers of an answer with this body, its signature among them.
func (a *payAPI) sign(w http.ResponseWriter, r *http.Request, body []byte) {
	note := journal.From(r.Context())
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Request-ID", "08"+strings.ToUpper(randomHex(15))+"-0")
	if _, hit := a.faults.apply(note, note.Operation, doRotate); hit {
		a.platform.rotate()
	}
	a.platform.forAnswer(r.Header.Get("Wechatpay-Serial")).signHeader(w.Header(), body, time.Now())
	if _, hit := a.faults.apply(note, note.Operation, doAnswerBadSignature); hit {
		corruptSignature(w.Header())
	}
}

// encode is the JSON of a value of this package's types. It panics if a value cannot be encoded.
func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen with the types of this package
	}
	return body
}

// The forms of the ids that a merchant chooses, and of an openid.
var (
	outTradeNo = regexp.MustCompile(`^[0-9a-zA-Z_\-\|\*]+$`)
	refundNo   = regexp.MustCompile(`^[0-9a-zA-Z_\-\|\*@]+$`)
	urlForm    = regexp.MustCompile(`^https?://([^\s/?#\[\]\@]+\@)?([^\s/?#\@:]+)(?::\d{2,5})?([^\s?#\[\]]*)$`)
	openIDForm = regexp.MustCompile(`^[0-9A-Za-z_\-]+$`)
)

// isOpenID reports whether a text has the form of an openid, which is 6 to 128 characters long. The length is not in
// the pattern, because regexp compiles a repeat count to that many copies, at every process start.
func isOpenID(text string) bool {
	return len(text) >= 6 && len(text) <= 128 && openIDForm.MatchString(text)
}

// prepay is the call that creates a trade of a kind ("JSAPI下单", "Native下单", "H5下单", "APP下单" of the vendor's APIv3
// documentation). A rejection contains the first wrong parameter. The vendor does not document the order of the checks.
func (a *payAPI) prepay(kind tradeKind, partner bool) func(*http.Request, []byte) (any, *journal.Rejection) {
	return func(r *http.Request, body []byte) (any, *journal.Rejection) {
		var q order
		var more orderExtras
		if rejection := cmp.Or(decode(body, &q), decode(body, &more)); rejection != nil {
			return nil, rejection
		}
		id, rejection := a.createTrade(journal.From(r.Context()), kind, partner, q, more)
		if rejection != nil {
			return nil, rejection
		}
		return kind.answer(id, a.credentials.MchID), nil
	}
}

// orderExtras are the parameters of a new trade that are not part of its order: they may differ when the order is
// created again.
type orderExtras struct {
	TimeExpire string `json:"time_expire"`
	GoodsTag   string `json:"goods_tag"`
	SceneInfo  struct {
		PayerClientIP string `json:"payer_client_ip"`
		H5Info        struct {
			Type string `json:"type"`
		} `json:"h5_info"`
	} `json:"scene_info"`
}

// createTrade checks the parameters of a trade of a kind, creates it and returns its prepay_id.
func (a *payAPI) createTrade(
	note *journal.Note, kind tradeKind, partner bool, q order, more orderExtras,
) (string, *journal.Rejection) {
	q.Kind, q.Amount.Currency = kind.name, cmp.Or(q.Amount.Currency, "CNY")
	if rejection := a.checkParties(&q, partner); rejection != nil {
		return "", rejection
	}
	if !kind.namesPayer {
		q.Payer.OpenID, q.Payer.SubOpenID = "", ""
	}
	if rejection := cmp.Or(
		checkOutTradeNo(q.OutTradeNo), checkNotifyURL(q.NotifyURL),
		inBody("/description").checkLength(q.Description, false, 1, 127),
		inBody("/attach").checkLength(q.Attach, true, 0, 128),
		inBody("/goods_tag").checkLength(more.GoodsTag, true, 0, 32),
		checkAmount(q.Amount.Total, q.Amount.Currency),
	); rejection != nil {
		return "", rejection
	}
	switch {
	case kind.namesPayer && q.Payer.any() == "":
		return "", inBody("/payer/openid").missing()
	case kind.namesPayer && !isOpenID(q.Payer.any()):
		return "", reject(http.StatusBadRequest, "PARAM_ERROR", "无效的openid")
	case kind.name == kindH5 && net.ParseIP(more.SceneInfo.PayerClientIP) == nil:
		return "", inBody("/scene_info/payer_client_ip").invalid("不是合法的IP地址")
	case kind.name == kindH5 && more.SceneInfo.H5Info.Type == "":
		return "", inBody("/scene_info/h5_info/type").missing()
	}
	until, rejection := a.payableUntil(more.TimeExpire, time.Now())
	if rejection != nil {
		return "", rejection
	}
	return a.payments.prepay(note, q, kind.operation, until)
}

// checkOutTradeNo rejects an invalid out_trade_no.
func checkOutTradeNo(no string) *journal.Rejection {
	p := inBody("/out_trade_no")
	if no == "" {
		return p.missing()
	}
	if rejection := p.checkLength(no, true, 6, 32); rejection != nil {
		return rejection
	}
	if !outTradeNo.MatchString(no) {
		return p.mismatch(no, outTradeNo)
	}
	return nil
}

// checkNotifyURL rejects an address to which no notification can be sent.
func checkNotifyURL(text string) *journal.Rejection {
	p := inBody("/notify_url")
	switch {
	case text == "":
		return p.missing()
	case validNotifyURL(text):
		return nil
	case len(text) > 255:
		return p.checkLength(text, true, 1, 255)
	case !urlForm.MatchString(text):
		return p.mismatch(text, urlForm)
	}
	return p.invalid("必须为外网可访问的https地址，且不能携带参数")
}

// checkAmount rejects a total, in fen, below one, and a currency other than CNY.
func checkAmount(total int64, currency string) *journal.Rejection {
	if total < 1 {
		return inBody("/amount/total").below(total, 1)
	}
	if currency != "CNY" {
		return inBody("/amount/currency").rejected("值字段", "规则校验失败，只支持CNY", currency)
	}
	return nil
}

// subMchID is the form of a sub-merchant's number.
var subMchID = regexp.MustCompile(`^[0-9]{8,10}$`)

// checkParties rejects an order of another merchant or app. An order of a service provider has the provider in sp_mchid
// and sp_appid, and the sub-merchant in sub_mchid.
func (a *payAPI) checkParties(q *order, partner bool) *journal.Rejection {
	prefix := ""
	if partner {
		prefix, q.AppID, q.MchID, q.Payer.OpenID = "sp_", q.SpAppID, q.SpMchID, q.Payer.SpOpenID
		if !subMchID.MatchString(q.SubMchID) {
			return inBody("/sub_mchid").invalid("格式不正确")
		}
	} else {
		q.SubMchID, q.SubAppID, q.Payer.SubOpenID = "", "", ""
	}
	q.SpAppID, q.SpMchID, q.Payer.SpOpenID = "", "", ""
	switch {
	case q.AppID == "":
		return inBody("/" + prefix + "appid").missing()
	case q.MchID != a.credentials.MchID:
		return inBody("/" + prefix + "mchid").invalid("与签名的商户号不一致")
	case q.AppID != a.credentials.AppID:
		return reject(http.StatusBadRequest, "APPID_MCHID_NOT_MATCH", "appid和mch_id不匹配")
	}
	return nil
}

// payableUntil converts time_expire, a real time, into the business time that is as far from now: an hour from real
// time becomes an hour from business time. Without time_expire it returns the zero time.
func (a *payAPI) payableUntil(timeExpire string, wireNow time.Time) (time.Time, *journal.Rejection) {
	if timeExpire == "" {
		return time.Time{}, nil
	}
	expire, err := time.Parse(time.RFC3339, timeExpire)
	if err != nil {
		return time.Time{}, inBody("/time_expire").invalid("不是RFC3339格式的时间")
	}
	left := expire.Sub(wireNow)
	if left <= 0 {
		return time.Time{}, reject(http.StatusBadRequest, "INVALID_REQUEST", "time_expire早于当前时间")
	}
	return a.clock.Now().Add(left), nil
}

// validNotifyURL reports whether a notify_url is absolute, without a query and https, as the vendor requires. http is
// allowed for hosts of this machine and of private networks, because a shop on the developer's machine has no
// certificate.
func validNotifyURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || strings.ContainsAny(text, "?#") || len(text) > 255 {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && privateHost(u.Hostname())
}

// privateHost reports whether a host cannot be reached from the internet.
func privateHost(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	i := strings.LastIndex(host, ".")
	return i < 0 || slices.Contains([]string{".localhost", ".internal", ".local", ".test"}, host[i:])
}

// query is GET /v3/pay/transactions/out-trade-no/{no} ("商户订单号查询订单") and /v3/pay/transactions/id/{id}
// ("微信支付订单号查询订单"), and the same for a service provider.
func (a *payAPI) query(partner bool) func(*http.Request, []byte) (any, *journal.Rejection) {
	return func(r *http.Request, _ []byte) (any, *journal.Rejection) {
		q := r.URL.Query()
		if field := partyField(partner); q.Get(field) != a.credentials.MchID {
			return nil, inQuery("/" + field).invalid("与签名的商户号不一致")
		}
		t, rejection := a.payments.find(r.PathValue("no"), r.PathValue("id"))
		if rejection == nil && t.Order.SubMchID != q.Get("sub_mchid") {
			return nil, orderNotExist
		}
		return t.wire(), rejection
	}
}

// partyField is the name of the field with the caller's merchant number.
func partyField(partner bool) string {
	if partner {
		return "sp_mchid"
	}
	return "mchid"
}

// closeTrade is POST /v3/pay/transactions/out-trade-no/{no}/close ("关闭订单"). A success has no body.
func (a *payAPI) closeTrade(partner bool) func(*http.Request, []byte) (any, *journal.Rejection) {
	return func(r *http.Request, body []byte) (any, *journal.Rejection) {
		var q struct {
			MchID    string `json:"mchid"`
			SpMchID  string `json:"sp_mchid"`
			SubMchID string `json:"sub_mchid"`
		}
		if rejection := decode(body, &q); rejection != nil {
			return nil, rejection
		}
		if partner {
			q.MchID = q.SpMchID
		}
		if q.MchID != a.credentials.MchID {
			return nil, inBody("/" + partyField(partner)).invalid("与签名的商户号不一致")
		}
		if t, rejection := a.payments.find(r.PathValue("no"), ""); rejection == nil && t.Order.SubMchID != q.SubMchID {
			return nil, orderNotExist
		}
		return nil, a.payments.closeTrade(r.PathValue("no"))
	}
}

// refund is POST /v3/refund/domestic/refunds ("退款申请"). Several refunds of one trade are allowed up to its total.
func (a *payAPI) refund(r *http.Request, body []byte) (any, *journal.Rejection) {
	var q refundRequest
	if rejection := decode(body, &q); rejection != nil {
		return nil, rejection
	}
	if rejection := checkRefund(q); rejection != nil {
		return nil, rejection
	}
	answer, rejection := a.payments.startRefund(a.faults, journal.From(r.Context()), q)
	return answer, rejection
}

// checkRefund rejects a refund with an invalid parameter.
func checkRefund(q refundRequest) *journal.Rejection {
	switch refundNoField := inBody("/out_refund_no"); {
	case q.OutTradeNo == "" && q.TransactionID == "":
		return inBody("/out_trade_no").missing()
	case q.OutTradeNo != "" && q.TransactionID != "":
		return inBody("/out_trade_no").invalid("与transaction_id二选一")
	case q.OutRefundNo == "":
		return refundNoField.missing()
	case len(q.OutRefundNo) > 64:
		return refundNoField.checkLength(q.OutRefundNo, true, 1, 64)
	case !refundNo.MatchString(q.OutRefundNo):
		return refundNoField.mismatch(q.OutRefundNo, refundNo)
	case q.Amount.Refund < 1:
		return inBody("/amount/refund").below(q.Amount.Refund, 1)
	case q.Amount.Refund > q.Amount.Total && q.Amount.Total > 0:
		return inBody("/amount/refund").rejected("数值字段", "规则校验失败，不能大于原订单金额", q.Amount.Refund)
	}
	rejection := cmp.Or(inBody("/reason").checkLength(q.Reason, false, 0, 80),
		checkAmount(q.Amount.Total, q.Amount.Currency))
	if rejection == nil && q.NotifyURL != "" {
		rejection = checkNotifyURL(q.NotifyURL)
	}
	return rejection
}

// queryRefund is GET /v3/refund/domestic/refunds/{no} ("查询单笔退款").
func (a *payAPI) queryRefund(r *http.Request, _ []byte) (any, *journal.Rejection) {
	answer, rejection := a.payments.findRefund(r.PathValue("no"), r.URL.Query().Get("sub_mchid"))
	return answer, rejection
}

// certificates is GET /v3/certificates ("下载平台证书"): the platform's certificates, encrypted with the APIv3 key. The call
// is rejected if the merchant has only the public key.
func (a *payAPI) certificates(*http.Request, []byte) (any, *journal.Rejection) {
	type entry struct {
		SerialNo      string `json:"serial_no"`
		EffectiveTime string `json:"effective_time"`
		ExpireTime    string `json:"expire_time"`
		Certificate   sealed `json:"encrypt_certificate"`
	}
	list, published := []entry{}, a.platform.published()
	if len(published) == 0 {
		return nil, reject(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。"+
			"可查看指引https://pay.weixin.qq.com/doc/v3/merchant/4012153196")
	}
	for _, c := range published {
		list = append(list, entry{
			SerialNo: c.signer.serial, EffectiveTime: wireTime(c.From), ExpireTime: wireTime(c.Ends),
			Certificate: seal(a.credentials.APIv3Key, "certificate", c.pem()),
		})
	}
	return map[string][]entry{"data": list}, nil
}

package wechat

import (
	"net/http"
	"strings"

	"marquee/simulators/journal"
)

// bridgeAnswer is what the page's callback gets.
type bridgeAnswer struct {
	Message     string `json:"err_msg"`
	Description string `json:"err_desc,omitempty"`
}

// payParams are the bridge parameters of a payment, as the page hands them over.
type payParams struct {
	AppID     string `json:"appId"`
	TimeStamp string `json:"timeStamp"`
	NonceStr  string `json:"nonceStr"`
	Package   string `json:"package"`
	SignType  string `json:"signType"`
	PaySign   string `json:"paySign"`
}

// checkPayParams says why the phone refuses to show a pay sheet; "" when the parameters are right.
func (s *Simulator) checkPayParams(p payParams) (refusal, why string) {
	message := p.AppID + "\n" + p.TimeStamp + "\n" + p.NonceStr + "\n" + p.Package + "\n"
	signature, err := decodeBase64(p.PaySign)
	switch {
	case p.AppID != s.Credentials.AppID:
		return "商家参数格式有误，请联系商家解决", "appId " + p.AppID + " is not " + s.Credentials.AppID
	case p.TimeStamp == "" || p.NonceStr == "" || !strings.HasPrefix(p.Package, "prepay_id="):
		return "支付验证签名失败", "timeStamp, nonceStr and package=prepay_id=… are required"
	case p.SignType != "RSA":
		return "支付验证签名失败", "signType " + p.SignType + " is not RSA"
	case err != nil || verifyRSA(s.merchant, message, signature) != nil:
		return "支付验证签名失败", wrongSignature(message, signature)
	}
	return "", ""
}

// serveSheet checks the parameters and says what the pay sheet shows.
func (s *Simulator) serveSheet(w http.ResponseWriter, r *http.Request) {
	var params payParams
	if !readJSON(w, r, &params) {
		return
	}
	if refusal, why := s.checkPayParams(params); refusal != "" {
		journal.From(r.Context()).Refuse(why)
		writeJSON(w, bridgeAnswer{bridgeFail, refusal})
		return
	}
	id, openID := strings.TrimPrefix(params.Package, "prepay_id="), s.holder(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.prepaid[id]
	if !known {
		journal.From(r.Context()).Refuse("no such prepay_id")
		writeJSON(w, bridgeAnswer{bridgeFail, "支付场景非法"})
		return
	}
	if err := s.payable(t, id, openID); err != nil && err.Code != "balance_insufficient" {
		journal.From(r.Context()).Refuse(err.Message)
		writeJSON(w, bridgeAnswer{bridgeFail, err.Message})
		return
	}
	writeJSON(w, map[string]any{
		"merchant": merchantName, "description": t.Description, "total": t.Amount.Total, "payer": identity(openID).Name,
	})
}

const merchantName = "影票商城（模拟商户）"

// servePay ends the payment as the person chose.
func (s *Simulator) servePay(w http.ResponseWriter, r *http.Request) {
	var call struct {
		payParams
		Outcome string `json:"outcome"`
	}
	if !readJSON(w, r, &call) {
		return
	}
	note := journal.From(r.Context())
	if refusal, why := s.checkPayParams(call.payParams); refusal != "" {
		note.Refuse(why)
		writeJSON(w, bridgeAnswer{bridgeFail, refusal})
		return
	}
	message, err := s.pay(note, strings.TrimPrefix(call.Package, "prepay_id="), call.Outcome, s.holder(r))
	if err != nil {
		note.Refuse(err.Message)
		writeJSON(w, bridgeAnswer{message, err.Message})
		return
	}
	if note.Fault != "" {
		note.Verdict = journal.Faulted
	}
	writeJSON(w, bridgeAnswer{Message: message})
}

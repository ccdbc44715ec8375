package wechat

import (
	"crypto/sha1" //nolint:gosec // the JS-SDK's signature is SHA-1
	"encoding/hex"
	"strings"
)

// jsConfig is what a page gives to wx.config, as the SDK hands it to the bridge.
type jsConfig struct {
	AppID     string `json:"appId"`
	Timestamp string `json:"timestamp"`
	NonceStr  string `json:"nonceStr"`
	Signature string `json:"signature"`
	URL       string `json:"url"` // the page that the phone's system counts: landing page on iOS, the current one on Android
}

// checkJSConfig says why a page's wx.config is refused, in the vendor's words; "" when it is right. why shows the
// text that had to be signed.
func (s *Simulator) checkJSConfig(c jsConfig) (refusal, why string) {
	s.mu.Lock()
	ticket, end := s.account.ticket, s.account.ticketEnd
	s.mu.Unlock()
	switch {
	case c.AppID != s.Credentials.AppID:
		return "invalid appid", "appId " + c.AppID + " is not " + s.Credentials.AppID
	case ticket == "" || !s.wireNow().Before(end):
		return "invalid signature", "no ticket is alive: the server has to fetch one first"
	}
	url, _, _ := strings.Cut(c.URL, "#")
	text := "jsapi_ticket=" + ticket + "&noncestr=" + c.NonceStr + "&timestamp=" + c.Timestamp + "&url=" + url
	sum := sha1.Sum([]byte(text)) //nolint:gosec // as above
	if want := hex.EncodeToString(sum[:]); !strings.EqualFold(want, c.Signature) {
		return "invalid signature", "expected " + want + " over " + text + ", came " + c.Signature
	}
	return "", ""
}

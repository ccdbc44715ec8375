package wechat

import "marquee/simulators/script"

// effects say what the words do.
var effects = map[string]script.Effect{
	doNotifyDrop:         script.Does("the attempt is not made; the retries go on"),
	doNotifyDelay:        script.Does("the first attempt comes delay_s later", "delay_s"),
	doNotifyReorder:      script.Does("sent right after the next notify, or delay_s (60) later when none comes", "delay_s"),
	doNotifyDuplicate:    script.Does("the attempt is made twice at once"),
	doNotifyBadSignature: script.Does("the signature is WECHATPAY/SIGNTEST/…"),
	doNotifyWrongKey:     script.Does("signed with another key under the platform's serial"),
	doNotifyStale:        script.Does("signed ten minutes ago"),
	doNotifyWrongAmount:  script.Does("one fen more, correctly signed"),
	doRotate:             script.Does("signed with a new certificate, as everything after it; certificates lists both"),
	doAnswerBadSignature: script.Does("the call acts; the answer's signature is WECHATPAY/SIGNTEST/…"),
	doCancelAfterPay:     script.Does("the money moves, the bridge says cancel"),
	doBridgeFail:         script.Does("nothing moves, the bridge says fail"),
	doOKUnpaid:           script.Does("nothing moves, the bridge says ok"),
	doRefundSlow:         script.Does("the refund takes delay_s", "delay_s"),
	doRefundClosed:       script.Does("the refund ends as CLOSED"),
	doRefundAbnormal:     script.Does("the refund ends as ABNORMAL"),
}

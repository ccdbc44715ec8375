package legacygateway

import "marquee/simulators/script"

// effects say what the words do.
var effects = map[string]script.Effect{
	"seat-taken":         script.Does("somebody buys the first seat of the list just before: 3001, and the map shows it"),
	"price-changed":      script.Does("the lock succeeds for one yuan more than the map said"),
	"lock-lost":          script.Does("the hold is gone and the seats are sold to somebody else: 4003, order.query says EXPIRED"),
	"issue-refused":      script.Does("the order ends FAILED with message as its reason; the seats are free again", "message"),
	"issue-late":         script.Does("tickets after delay_s business seconds (600)", "delay_s"),
	"issue-never":        script.Does("ISSUING for ever"),
	"push-drop":          script.Does("the push is never sent; the order is issued all the same"),
	"push-late":          script.Does("sent delay_s business seconds (300) later", "delay_s"),
	"push-duplicate":     script.Does("sent twice"),
	"push-bad-signature": script.Does("sent with a wrong signature, and again with a right one if the shop refuses it"),
}

// Package purchasetest provides fakes for tests of the purchase: a ticket source, a payment gateway and buyers, all in
// memory and scriptable. The fakes return faults under the same rule as the real adapters: a fault of kind Unknown
// means that the provider may have acted, any other fault means that it did not.
package purchasetest

import (
	"time"

	"marquee/server/clocktest"
)

// NewClock returns a stopped clock at 12:00 on 14 March 2026 in Shanghai.
func NewClock() *clocktest.Clock { return clocktest.New(time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)) }

// Package beijing has the time zone of the shop's buyers, cinemas and providers. It is UTC+8 in the entire country and
// all year, so no time-zone database is needed.
package beijing

import "time"

// Time is the zone of dates, of the times of shows and of the providers' timestamps.
var Time = time.FixedZone("GMT+8", 8*60*60)

// Package beijing is the time of day of the shop's buyers, cinemas and providers: UTC+8 the year round, all over the
// country, so that no time-zone database is asked.
package beijing

import "time"

// Time is the zone in which days begin, shows are announced and providers stamp their messages.
var Time = time.FixedZone("GMT+8", 8*60*60)

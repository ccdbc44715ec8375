package reconcile

import (
	"time"

	"marquee/server/beijing"
	"marquee/server/fault"
)

// Day is a date in Beijing, such as "2026-03-14". Comparing two days as strings gives their order in time.
type Day string

// ErrDay means that a text is not a date of the form 2006-01-02.
var ErrDay = fault.New(fault.Invalid, "day_invalid", "日期格式有误").WithExplanation("a day is written 2026-03-14")

// DayOf returns the day of a time.
func DayOf(t time.Time) Day { return Day(t.In(beijing.Time).Format(time.DateOnly)) }

// ParseDay reads a day. It returns ErrDay for another text.
func ParseDay(text string) (Day, error) {
	t, err := time.ParseInLocation(time.DateOnly, text, beijing.Time)
	if err != nil {
		return "", ErrDay
	}
	return DayOf(t), nil
}

// Start returns the first moment of the day, or the zero time if the Day is not valid.
func (d Day) Start() time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(d), beijing.Time)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Add returns the day n days later.
func (d Day) Add(n int) Day { return DayOf(d.Start().AddDate(0, 0, n)) }

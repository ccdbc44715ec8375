package newmovie

import (
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/script"
)

func seconds(f script.Fault, usual time.Duration) time.Duration {
	if f.DelayS > 0 {
		return time.Duration(f.DelayS) * time.Second
	}
	return usual
}

type ticketJSON struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

type orderJSON struct {
	No       string       `json:"outOrderNo"`
	ID       string       `json:"orderNo"`
	State    string       `json:"state"`
	Amount   string       `json:"amount"`
	Expires  int64        `json:"expireAt"`
	Tickets  []ticketJSON `json:"ticketCode"`
	SMS      string       `json:"smsContent"`
	Fail     string       `json:"failReason"`
	FailCode int          `json:"failCode,omitempty"`
}

var states = map[boxoffice.State]string{
	boxoffice.Doing: "DOING", boxoffice.Held: "LOCKED", boxoffice.HoldLost: "LOCK_FAILED", boxoffice.Released: "CANCELLED", boxoffice.Expired: "EXPIRED",
	boxoffice.Sold: "ISSUING", boxoffice.Issuing: "ISSUING", boxoffice.Issued: "ISSUED", boxoffice.IssueRefused: "ISSUE_FAILED",
}

func orderOf(o boxoffice.Order) orderJSON {
	j := orderJSON{
		No: o.No, ID: o.ID, State: states[o.State], Amount: yuan(o.Amount), Expires: o.Expires.Unix(), Tickets: []ticketJSON{}, SMS: o.SMS,
	}
	if o.State == boxoffice.HoldLost || o.State == boxoffice.IssueRefused {
		j.Fail = o.Fail
		j.FailCode, _ = strconv.Atoi(o.FailCode)
	}
	for _, t := range o.Tickets {
		j.Tickets = append(j.Tickets, ticketJSON(t))
	}
	return j
}

// fen reads an amount in yuan with two decimals, exactly.
func fen(text string) (int64, bool) {
	whole, part, ok := strings.Cut(text, ".")
	if !ok || len(part) != 2 || len(whole) == 0 || len(whole) > 9 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+part, 10, 64)
	return n, err == nil
}

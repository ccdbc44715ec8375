package dataset

// Magic is a value, such as a phone number, that gives a call a fixed outcome, for clients that cannot plan faults.
type Magic struct {
	// Value is a phone number, or an amount in fen.
	Value string `json:"value"`
	// Effect is the description of the outcome.
	Effect string `json:"effect"`
	// Do is the kind of fault that a phone number causes at the ticketing providers; missing for other values.
	Do string `json:"do,omitempty"`
}

// MagicMobiles are buyers' phone numbers that give an order at either ticketing provider a fixed outcome. A planned
// fault of the same kind takes precedence. The magic values of SMS and payments are in AddToCatalogue of their
// simulators.
var MagicMobiles = []Magic{
	{"13900001001", "another buyer takes a seat between the map and the lock", "seat-taken"},
	{"13900001002", "the lock is lost between the payment and the confirmation", "lock-lost"},
	{"13900001003", "the tickets are refused", "issue-refused"},
	{"13900001004", "the tickets come ten minutes late", "issue-late"},
	{"13900001005", "the tickets never come", "issue-never"},
	{"13900001006", "newmovie answers DOING and locks twenty seconds later", "doing-late"},
	{"13900001007", "newmovie answers DOING and then rejects the lock", "doing-refused"},
	{"13900001008", "the provider charges one yuan more than in the seat map", "price-changed"},
}

// MagicMobile returns the kind of fault that a buyer's phone number causes, or "" if it is not in MagicMobiles.
func MagicMobile(mobile string) string {
	for _, m := range MagicMobiles {
		if m.Value == mobile {
			return m.Do
		}
	}
	return ""
}

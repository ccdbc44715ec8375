package payment

import "marquee/server/money"

// Quote is how a total splits between cards and the messaging app.
type Quote struct {
	Total   money.Fen
	Cards   money.Fen // what the cards cover
	App     money.Fen // what is left for the messaging app
	CardIDs []int64   // the cards really used, in the order they are used
	Parts   []Part
}

// Part is what one card bears.
type Part struct {
	CardID int64
	Amount money.Fen
}

// Purse is what a card can bear.
type Purse struct {
	CardID int64
	Avail  money.Points
}

// Split spends the purses in the order given until the total is covered.
func Split(total money.Fen, purses []Purse) Quote {
	q := Quote{Total: total, App: total}
	for _, p := range purses {
		take := min(q.App, p.Avail.Fen())
		if take <= 0 {
			continue
		}
		q.App -= take
		q.Cards += take
		q.CardIDs = append(q.CardIDs, p.CardID)
		q.Parts = append(q.Parts, Part{CardID: p.CardID, Amount: take})
	}
	return q
}

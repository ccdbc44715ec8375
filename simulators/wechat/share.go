package wechat

import (
	"maps"
	"net/http"
	"net/url"
	"sync"

	"marquee/simulators/journal"
)

// shareCard is what the messaging app sends when a person shares a page that has called updateAppMessageShareData (for
// a friend or a group) or updateTimelineShareData.
type shareCard struct {
	Title   string `json:"title"`
	Text    string `json:"desc,omitempty"` // shown to a friend, not on the timeline
	Link    string `json:"link"`
	Picture string `json:"imgUrl"`
}

// Receivers of a shared page.
const (
	toFriend   = "friend"
	toTimeline = "timeline"
)

// shares keeps, for each person's phone, the share cards of the page that it shows. They are dropped when the phone
// loads another document.
type shares struct {
	mu    sync.Mutex
	cards map[string]map[string]shareCard // by openid and receiver
}

func newShares() *shares { return &shares{cards: map[string]map[string]shareCard{}} }

func (s *shares) set(openID, receiver string, c shareCard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cards[openID] == nil {
		s.cards[openID] = map[string]shareCard{}
	}
	s.cards[openID][receiver] = c
}

func (s *shares) forget(openID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cards, openID)
}

// of returns the cards of a person's page by receiver. The map is empty if the page has not set a card.
func (s *shares) of(openID string) map[string]shareCard {
	s.mu.Lock()
	defer s.mu.Unlock()
	cards := map[string]shareCard{}
	maps.Copy(cards, s.cards[openID])
	return cards
}

// setShareCard keeps the card that a page has set. A link to another host is rejected, because the messaging app
// accepts only links to the account's domains.
func (p *phone) setShareCard(w http.ResponseWriter, r *http.Request) {
	var q struct {
		shareCard
		To string `json:"to"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	link, err := url.Parse(q.Link)
	switch {
	case q.To != toFriend && q.To != toTimeline:
		http.Error(w, "to must be friend or timeline", http.StatusBadRequest)
		return
	case err != nil || link.Host != r.Host:
		journal.From(r.Context()).Reject("the link is not in the account's domains: " + q.Link)
		writeJSON(w, bridgeAnswer{Message: "fail", Description: "invalid link"})
		return
	}
	p.shares.set(p.people.holder(r), q.To, q.shareCard)
	writeJSON(w, bridgeAnswer{Message: "ok"})
}

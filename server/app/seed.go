package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/content"
)

// Seed is what a new shop is filled with.
type Seed struct {
	Cards   []cards.NewCard
	Content content.Seed
}

// Seed fills the shop through the back office's doors. Doing it again adds what is missing and changes nothing.
func (a *App) Seed(ctx context.Context, s Seed) error {
	for _, c := range s.Cards {
		book := a.cards
		if now := a.cfg.Now(); !c.ExpiresAt.After(now) {
			// A card that is over was good when it was issued: a day before it ended.
			before := c.ExpiresAt.Add(-24 * time.Hour)
			book = cards.New(a.db.Cards(), []byte(a.cfg.Pepper), func() time.Time { return before })
		}
		if err := book.Issue(ctx, []cards.NewCard{c}, "seed"); err != nil && !errors.Is(err, cards.ErrCardExists) {
			return fmt.Errorf("seed cards: %w", err)
		}
	}
	return a.content.Seed(ctx, s.Content)
}

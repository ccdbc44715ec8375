package httpapi

import (
	"context"

	"marquee/server/content"
)

// Texts reads policies and guides.
type Texts interface {
	// Text returns the text of a key, or the built-in one if the back office has not written it. It returns
	// content.ErrTextNotFound for an unknown key.
	Text(ctx context.Context, key content.Key) (content.Text, error)
}

// texts serves policies and guides, as HTML that was sanitized when it was saved.
type texts struct{ texts Texts }

// Text is a policy or a guide.
type Text struct {
	Title string `json:"title"`   // the heading
	HTML  string `json:"content"` // the text as HTML, sanitized when it was saved
}

func newText(t content.Text) Text { return Text{t.Title, t.HTML} }

// ShowPolicy selects a policy.
type ShowPolicy struct {
	ID PolicyID `form:"id"` // 1 for the privacy policy, 2 for the usage rules; a missing one is an error
}

// policy returns the privacy policy or the usage rules.
func (t texts) policy(ctx context.Context, _ *request, in ShowPolicy) (Text, error) {
	text, err := t.texts.Text(ctx, content.Key(in.ID))
	return newText(text), err
}

// Guides are the guides for buying and visiting.
type Guides struct {
	Buying  string `json:"goupiao"`  // how to buy, as HTML
	Viewing string `json:"guanying"` // what to know at the cinema, as HTML
}

// guide returns how to buy and what to know at the cinema.
func (t texts) guide(ctx context.Context, _ none) (Guides, error) {
	buying, err := t.texts.Text(ctx, content.BuyingGuide)
	if err != nil {
		return Guides{}, err
	}
	viewing, err := t.texts.Text(ctx, content.ViewingGuide)
	return Guides{buying.HTML, viewing.HTML}, err
}

package httpapi

import (
	"context"

	"marquee/server/content"
)

// Texts reads policies and guides.
type Texts interface {
	// Text returns the text of a key, the built-in one if the back office has written none. It returns
	// content.ErrTextNotFound for an unknown key.
	Text(ctx context.Context, key content.Key) (content.Text, error)
}

// texts serves policies and guides, as HTML that was sanitized when it was saved.
type texts struct{ texts Texts }

// textAnswer is a policy or a guide. The content is HTML.
type textAnswer struct {
	Title string `json:"title"`
	HTML  string `json:"content"`
}

func newText(t content.Text) textAnswer { return textAnswer{t.Title, t.HTML} }

// policy answers /Login/single: id 1 is the privacy policy, id 2 are the usage rules. Errors: text_not_found.
func (t texts) policy(ctx context.Context, r *request) (any, error) {
	keys := map[string]content.Key{"1": content.Privacy, "2": content.UsageRules}
	key, known := keys[r.form.Text("id")]
	if !known {
		return nil, content.ErrTextNotFound
	}
	text, err := t.texts.Text(ctx, key)
	return newText(text), err
}

// guide answers /movie/route/Movie/guide: how to buy and what to know at the cinema.
func (t texts) guide(ctx context.Context, _ *request) (any, error) {
	buying, err := t.texts.Text(ctx, content.BuyingGuide)
	if err != nil {
		return nil, err
	}
	viewing, err := t.texts.Text(ctx, content.ViewingGuide)
	return struct {
		Buying  string `json:"goupiao"`
		Viewing string `json:"guanying"`
	}{buying.HTML, viewing.HTML}, err
}

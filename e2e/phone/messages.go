package phone

import (
	"fmt"
	"sync"

	"github.com/mxschmitt/playwright-go"
)

// Message is a short message that the page showed, and where, in CSS pixels of the screen.
type Message struct {
	Text      string
	Y, Height float64
}

// messages are those that the page has shown. They go by themselves, on a slow machine before a test looks: so they are
// written down as they come.
type messages struct {
	mu    sync.Mutex
	shown []Message
	heard int // of them
}

// NextMessage finds the message among those shown since the last one that was found.
func (p *Phone) NextMessage(text string) (Message, error) {
	p.messages.mu.Lock()
	defer p.messages.mu.Unlock()
	for i, m := range p.messages.shown[p.messages.heard:] {
		if m.Text == text {
			p.messages.heard += i + 1
			return m, nil
		}
	}
	return Message{}, fmt.Errorf("the page never said %q; before it said %q, since then %q", text,
		texts(p.messages.shown[:p.messages.heard]), texts(p.messages.shown[p.messages.heard:]))
}

func texts(all []Message) (texts []string) {
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return texts
}

// writeDown keeps every message that the pages of a context show.
func (m *messages) writeDown(ctx playwright.BrowserContext) error {
	err := ctx.ExposeBinding("marqueeShown", func(_ *playwright.BindingSource, args ...any) any {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.shown = append(m.shown, Message{Text: args[0].(string), Y: number(args[1]), Height: number(args[2])})
		return nil
	})
	if err != nil {
		return err
	}
	return ctx.AddInitScript(playwright.Script{Content: playwright.String(watchMessages)})
}

func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

// watchMessages tells of everything that comes into a live region, once it can be seen.
const watchMessages = `new MutationObserver((changes) => {
	for (const { addedNodes } of changes)
		for (const node of addedNodes) {
			if (!(node instanceof Element) || !node.closest('[role=status]')) continue
			const text = node.textContent.trim()
			const look = () => {
				if (!node.isConnected) return
				if (!node.checkVisibility()) return setTimeout(look, 10)
				const { y, height } = node.getBoundingClientRect()
				marqueeShown(text, y, height)
			}
			if (text) look()
		}
}).observe(document, { childList: true, subtree: true })`

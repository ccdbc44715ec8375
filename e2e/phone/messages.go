package phone

import (
	"fmt"
	"math"
	"sync"

	"github.com/mxschmitt/playwright-go"
)

// Message is a short message (a toast) that the page showed, and its place on the screen in CSS pixels.
type Message struct {
	Text      string
	Y, Height float64
}

// messages records the toasts of a page as they appear. A toast disappears after a while, on a slow machine before a
// test could look for it.
type messages struct {
	mu    sync.Mutex
	shown []Message
	found int // how many messages of shown NextMessage has returned or skipped
}

// NextMessage returns the first message with the text among those shown after the message that it returned last. It
// returns an error if there is none yet.
func (p *Phone) NextMessage(text string) (Message, error) {
	p.messages.mu.Lock()
	defer p.messages.mu.Unlock()
	for i, m := range p.messages.shown[p.messages.found:] {
		if m.Text == text {
			p.messages.found += i + 1
			return m, nil
		}
	}
	return Message{}, fmt.Errorf("the page did not show %q; found before: %q, shown since then: %q", text,
		messageTexts(p.messages.shown[:p.messages.found]), messageTexts(p.messages.shown[p.messages.found:]))
}

func messageTexts(all []Message) (texts []string) {
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return texts
}

// record keeps every message that the pages of a context show.
func (m *messages) record(ctx playwright.BrowserContext) error {
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

// number converts a number of a page: the driver decodes whole numbers as int and others as float64.
func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}

// watchMessages reports additions to and changes in a live region, as soon as they are visible. It ignores regions of
// one pixel, which repeat a text for screen readers.
const watchMessages = `new MutationObserver((changes) => {
	const changed = new Set()
	for (const { type, target, addedNodes } of changes)
		for (const node of type === 'characterData' ? [target] : addedNodes)
			changed.add(node instanceof Element ? node : node.parentElement)
	for (const node of changed) {
		const region = node?.closest('[role=status]')
		if (!region || region.offsetWidth === 1) continue
		const text = node.textContent.trim()
		const look = () => {
			if (!node.isConnected || node.textContent.trim() !== text) return
			if (!node.checkVisibility()) return setTimeout(look, 10)
			const { y, height } = node.getBoundingClientRect()
			marqueeShown(text, y, height)
		}
		if (text) look()
	}
}).observe(document, { childList: true, characterData: true, subtree: true })`

package pages

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/phone"
)

// Keyboard operates the shop with only the keyboard, and keeps a transcript of what a screen reader announces. The
// transcript contains role, name and state of each focused element from the accessibility tree, each message, and the
// content of pages and dialogs.
type Keyboard struct {
	*Visit
	tree  playwright.CDPSession
	lines []string // the transcript
	modal string   // the dialog that has the focus
}

// NewKeyboard starts with an empty transcript.
func NewKeyboard(v *Visit) *Keyboard {
	tree, err := v.Phone.Context.NewCDPSession(v.Phone.Page)
	v.must(err)
	return &Keyboard{Visit: v, tree: tree}
}

// maxTabs is the maximum number of times that Tab is pressed to reach an element.
const maxTabs = 120

// TabTo presses Tab until the focused element's name contains the words. Every element on the way must show the focus.
func (k *Keyboard) TabTo(words string) {
	for range maxTabs {
		k.press("Tab")
		if strings.Contains(k.hear(), words) {
			return
		}
	}
	require.Fail(k.T, "Tab does not reach it", "%s; passed:\n%s", words, strings.Join(k.lines, "\n"))
}

// Press presses a key, and adds the focused element to the transcript.
func (k *Keyboard) Press(key string) {
	k.press(key)
	k.hear()
}

// Enter presses the focused element.
func (k *Keyboard) Enter() {
	k.lines = append(k.lines, "    [Enter]")
	k.press("Enter")
}

// Type types text, without an entry in the transcript for each key.
func (k *Keyboard) Type(text string) { k.must(k.Phone.Keyboard().Type(text)) }

// FocusIs waits until the focused element's name contains the words.
func (k *Keyboard) FocusIs(words string) {
	require.EventuallyWithT(k.T, func(c *assert.CollectT) {
		assert.Contains(c, k.focused().Name, words)
	}, phone.Patience, 20*time.Millisecond)
	k.hear()
}

// Hears waits for a message, and adds it to the transcript.
func (k *Keyboard) Hears(message string) {
	k.SeesToast(message)
	k.lines = append(k.lines, "    [announced] "+message)
}

// OnPage waits until the document has a title, and adds the title to the transcript, because a screen reader announces
// a new page by it.
func (k *Keyboard) OnPage(title string) {
	k.must(expect.Page(k.Phone.Page).ToHaveTitle(title))
	k.lines = append(k.lines, "", "# "+title)
}

// Reads adds to the transcript what a screen reader reads from the top of the page or of the open dialog: roles, names,
// states and texts in their order. Of many siblings with one role it adds the first ones and the number of the others.
func (k *Keyboard) Reads() {
	k.must(k.Phone.AwaitAnswers())
	scope := k.Phone.Locator("body")
	modal := k.Phone.Locator("dialog:modal")
	open, err := modal.Count()
	k.must(err)
	if open > 0 {
		scope = modal.Last()
	}
	outline, err := scope.AriaSnapshot()
	k.must(err)
	// A screen reader does not read the addresses of links. It reads a live region when that changes, which Hears
	// records.
	outline = regexp.MustCompile(`(?m)^ *- (/url:|status\b).*\n?`).ReplaceAllString(outline, "")
	for _, line := range shorten(strings.Split(strings.TrimSpace(outline), "\n")) {
		k.lines = append(k.lines, "  | "+line)
	}
}

// shorten shortens an indented outline: of more than six siblings with one role it keeps the first three.
func shorten(outline []string) (short []string) {
	const most, shown = 6, 3
	for _, run := range siblings(outline) {
		if len(run) <= most {
			run = append(run, nil)
		} else {
			indent, _, _ := strings.Cut(run[0][0], "-")
			run = append(run[:shown:shown], []string{fmt.Sprintf("%s… and %d more", indent, len(run)-shown)})
		}
		for _, branch := range run {
			if len(branch) > 0 {
				short = append(append(short, branch[0]), shorten(branch[1:])...)
			}
		}
	}
	return short
}

// siblings divides an outline into branches, and groups neighboring branches that have the same role.
func siblings(outline []string) (runs [][][]string) {
	role := func(line string) string { return strings.Trim(strings.Fields(line)[1], ":") }
	for len(outline) > 0 {
		indent := strings.Index(outline[0], "-")
		end := 1
		for end < len(outline) && strings.Index(outline[end], "-") > indent {
			end++
		}
		branch := outline[:end]
		if last := len(runs) - 1; last >= 0 && role(runs[last][0][0]) == role(branch[0]) {
			runs[last] = append(runs[last], branch)
		} else {
			runs = append(runs, [][]string{branch})
		}
		outline = outline[end:]
	}
	return runs
}

// Transcript returns the transcript, without what differs between runs: times, codes and the numbers of orders.
func (k *Keyboard) Transcript() string {
	text := strings.Join(k.lines, "\n") + "\n"
	text = regexp.MustCompile(`\d{2}:\d{2}后|剩余\d{2}:\d{2}`).ReplaceAllString(text, "剩余…")
	text = regexp.MustCompile(`timer "剩余…": .*`).ReplaceAllString(text, `timer "剩余…"`)
	text = regexp.MustCompile(`距开场 .* 分`).ReplaceAllString(text, "距开场 …")
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`).ReplaceAllString(text, "…")
	text = regexp.MustCompile(`(取票二维码|取票号|验证码) \d+`).ReplaceAllString(text, "$1 …")
	text = regexp.MustCompile(`(?m)text: \d+ \d+$`).ReplaceAllString(text, "text: … …")
	return regexp.MustCompile(`\d{12,}`).ReplaceAllString(text, "…")
}

func (k *Keyboard) press(key string) { k.must(k.Phone.Keyboard().Press(key)) }

// hear requires that the focus is visible, adds the focused element to the transcript, and returns the element's name.
func (k *Keyboard) hear() string {
	var f focus
	require.EventuallyWithT(k.T, func(c *assert.CollectT) {
		f = k.focused()
		assert.True(c, f.Ring || f.Role == "", "%s %q does not show that it has the focus", f.Role, f.Name)
	}, phone.Patience/6, 20*time.Millisecond)
	if f.Role == "" {
		return ""
	}
	if f.Modal != k.modal && f.Modal != "" {
		k.lines = append(k.lines, "  dialog "+f.Modal)
	}
	k.modal = f.Modal
	k.lines = append(k.lines, strings.TrimRight("  "+f.Role+" "+f.Name+" "+strings.Join(f.States, " "), " "))
	return f.Name
}

// focus is the focused element in the accessibility tree, and whether the focus is visible.
type focus struct {
	Role, Name, Modal string
	States            []string
	Ring              bool
}

// focusRing reports whether the focus is visible. Most elements show it by an outline, a hidden field by an outline of
// the label around or next to it, and a seat by its stroke. A dialog that has just opened has the focus itself and
// needs no outline.
const focusRing = `() => {
	const one = document.activeElement
	if (!one || one === document.body || one.id === 'main') return { none: true }
	const outlined = (el) => {
		const { outlineStyle, outlineWidth } = getComputedStyle(el)
		return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
	}
	const around = [one, one.nextElementSibling, ...[1, 2, 3].map((n) => {
		let el = one
		for (let i = 0; i < n && el; i++) el = el.parentElement
		return el
	})].filter(Boolean)
	const { stroke, strokeWidth } = getComputedStyle(one)
	const ink = getComputedStyle(document.body).color
	const ring = around.some(outlined) || (stroke === ink && parseFloat(strokeWidth) >= 4) ||
		one.matches('dialog, [role=dialog], [role=alertdialog]')
	const modal = one.closest('dialog, [role=dialog], [role=alertdialog]')
	const title = modal?.getAttribute('aria-label') ??
		document.getElementById(modal?.getAttribute('aria-labelledby') ?? '')?.textContent ?? ''
	return { ring, modal: title }
}`

func (k *Keyboard) focused() focus {
	var page struct {
		None, Ring bool
		Modal      string
	}
	k.Phone.Decode(k.T, focusRing, &page)
	if page.None {
		return focus{}
	}
	var object struct{ Result struct{ ObjectID string } }
	k.send("Runtime.evaluate", map[string]any{"expression": "document.activeElement"}, &object)
	var tree struct {
		Nodes []struct {
			Role, Name struct{ Value string }
			Properties []struct {
				Name  string
				Value struct{ Value any }
			}
		}
	}
	k.send("Accessibility.getPartialAXTree",
		map[string]any{"objectId": object.Result.ObjectID, "fetchRelatives": false}, &tree)
	if len(tree.Nodes) == 0 {
		return focus{}
	}
	node := tree.Nodes[0]
	f := focus{Role: node.Role.Value, Name: node.Name.Value, Modal: page.Modal, Ring: page.Ring}
	for _, p := range node.Properties {
		switch {
		case p.Name == "disabled" && p.Value.Value == true, p.Name == "selected" && p.Value.Value == true:
			f.States = append(f.States, p.Name)
		case p.Name == "checked" && p.Value.Value == "true":
			f.States = append(f.States, p.Name)
		case p.Name == "expanded":
			f.States = append(f.States, map[bool]string{true: "expanded", false: "collapsed"}[p.Value.Value == true])
		}
	}
	return f
}

// send calls the browser's debugging protocol.
func (k *Keyboard) send(method string, params map[string]any, into any) {
	result, err := k.tree.Send(method, params)
	k.must(err)
	text, err := json.Marshal(result)
	k.must(err)
	k.must(json.Unmarshal(text, into))
}

// InDialog waits until a dialog is open and the focus is in it.
func (k *Keyboard) InDialog(title string) {
	k.sees(k.dialog(title))
	require.EventuallyWithT(k.T, func(c *assert.CollectT) {
		assert.Equal(c, title, k.focused().Modal)
	}, phone.Patience, 20*time.Millisecond)
	k.hear()
}

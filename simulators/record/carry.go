package record

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marquee/simulators/wechat"
)

// carrier knows what a value of the recording is called in the replay: ids that came out of earlier answers, numbers that
// the caller chose, people.
type carrier struct {
	provider *provider
	run      string
	chosen   int
	values   map[string]map[string]string // by kind, then by the recorded value
}

func newCarrier(p *provider) *carrier {
	return &carrier{provider: p, run: fmt.Sprintf("R%08X", rand.Uint32()), values: map[string]map[string]string{}} //nolint:gosec // no secret
}

func (c *carrier) keep(kind, recorded, now string) {
	if c.values[kind] == nil {
		c.values[kind] = map[string]string{}
	}
	c.values[kind][recorded] = now
}

// text is a scalar as it stands in a form, "" for everything else.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// learn walks a recorded answer beside the replay's and notes which value became which.
func (c *carrier) learn(name string, recorded, now any) {
	switch recorded := recorded.(type) {
	case map[string]any:
		if now, ok := now.(map[string]any); ok {
			for key, inner := range recorded {
				c.learn(key, inner, now[key])
			}
		}
	case []any:
		if now, ok := now.([]any); ok && len(now) > 0 {
			for i, j := range c.pair(recorded, now) {
				c.learn(name, recorded[i], now[j])
			}
		}
	default:
		if kind := c.provider.carried[strings.ToLower(name)]; kind != "" && text(recorded) != "" && text(now) != "" {
			c.keep(kind, text(recorded), text(now))
		}
	}
}

// pair finds for each recorded element one of the replay's that can stand for it: the same thing if it is there in the
// same condition, else one in the same condition, or at least in one that will do, each once while they last, else any.
func (c *carrier) pair(recorded, now []any) []int {
	same, alike, used := map[string]int{}, map[string][]int{}, map[int]bool{}
	for j, e := range now {
		id, traits := c.identity(e)
		same[id+"\x00"+traits[0]] = j
		for level, trait := range traits {
			key := strconv.Itoa(level) + trait
			alike[key] = append(alike[key], j)
		}
	}
	pairs := make([]int, len(recorded))
	for i, e := range recorded {
		pairs[i] = -1
		if id, traits := c.identity(e); id != "" {
			if j, ok := same[id+"\x00"+traits[0]]; ok {
				pairs[i], used[j] = j, true
			}
		}
	}
	turn := map[string]int{}
	for i, e := range recorded {
		if pairs[i] >= 0 {
			continue
		}
		pairs[i] = i % len(now)
		_, traits := c.identity(e)
		for level, trait := range traits {
			key := strconv.Itoa(level) + trait
			if candidates := alike[key]; len(candidates) > 0 {
				next := turn[key] % len(candidates)
				if free := slices.IndexFunc(candidates[next:], func(j int) bool { return !used[j] }); free >= 0 {
					next += free
				}
				turn[key] = next + 1
				pairs[i] = candidates[next]
				break
			}
		}
		used[pairs[i]] = true
	}
	return pairs
}

// identity is what an element is, and the condition it is in, from the whole of it to what matters most.
func (c *carrier) identity(element any) (id string, traits []string) {
	object, ok := element.(map[string]any)
	if !ok {
		return text(element), []string{""}
	}
	traits = []string{""}
	if c.provider.traits != nil {
		traits = c.provider.traits(object)
	}
	for _, kind := range c.provider.primary {
		for name, value := range object {
			if c.provider.carried[strings.ToLower(name)] == kind && text(value) != "" {
				return kind + ":" + text(value), traits
			}
		}
	}
	return "", traits
}

// request puts the replay's values into a recorded request.
func (c *carrier) request(q Request) Request {
	q.Query, q.Body.Form = c.form(q.Query), c.form(q.Body.Form)
	q.Body.JSON = c.value("", q.Body.JSON)
	segments := strings.Split(q.Path, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			plain = segment
		}
		segments[i] = url.PathEscape(c.segment(segments, i, plain))
	}
	q.Path = strings.Join(segments, "/")
	return q
}

// segment is a part of a path: a value that is known, or a number of the caller's own, which stands after its field's
// name in the vendor's paths.
func (c *carrier) segment(segments []string, i int, plain string) string {
	for _, known := range c.values {
		if now, ok := known[plain]; ok {
			return now
		}
	}
	if i > 0 {
		switch segments[i-1] {
		case "out-trade-no":
			return c.scalar("out_trade_no", plain)
		case "refunds":
			return c.scalar("out_refund_no", plain)
		}
	}
	return plain
}

func (c *carrier) form(form map[string][]string) map[string][]string {
	replaced := map[string][]string{}
	for name, values := range form {
		for _, value := range values {
			replaced[name] = append(replaced[name], c.scalar(name, value))
		}
	}
	return replaced
}

func (c *carrier) value(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		replaced := map[string]any{}
		for key, inner := range v {
			replaced[key] = c.value(key, inner)
		}
		return replaced
	case []any:
		replaced := make([]any, len(v))
		for i, inner := range v {
			replaced[i] = c.value(name, inner)
		}
		return replaced
	case string:
		return c.scalar(name, v)
	case json.Number:
		if now := c.scalar(name, v.String()); isNumber(now) {
			return json.Number(now)
		}
	}
	return v
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// scalar is what one recorded value is now.
func (c *carrier) scalar(name, value string) string {
	name = strings.ToLower(name)
	if kind := c.provider.fresh[name]; kind != "" && value != "" {
		if c.values[kind][value] == "" {
			c.chosen++
			c.keep(kind, value, fmt.Sprintf("%s%04d", c.run, c.chosen))
		}
		return c.values[kind][value]
	}
	if kind := c.provider.carried[name]; kind != "" {
		if now, ok := c.values[kind][value]; ok {
			return now
		}
		if parts := strings.Split(value, "|"); len(parts) > 1 {
			for i, part := range parts {
				if now, ok := c.values[kind][part]; ok {
					parts[i] = now
				}
			}
			value = strings.Join(parts, "|")
		}
	}
	return fill(value)
}

var placeholder = regexp.MustCompile(`\{(phone|openid):([0-9]+)\}`)

// fill puts test values where a recording has placeholders: phones of the range that the simulators use for people
// without a story, and the simulators' own person.
func fill(value string) string {
	value = placeholder.ReplaceAllStringFunc(value, func(found string) string {
		parts := placeholder.FindStringSubmatch(found)
		if parts[1] == "openid" {
			return wechat.BoundOpenID
		}
		n, _ := strconv.Atoi(parts[2])
		return fmt.Sprintf("139%08d", 10000000+n%10000000)
	})
	return strings.ReplaceAll(value, redacted, replayCode)
}

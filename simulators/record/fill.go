package record

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"marquee/simulators/wechat"
)

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

package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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

// learn lays a recorded answer beside the replay's and notes which value became which. Things that have an id of their
// own are paired wherever they stand in the answer; everything else by its place.
func (c *carrier) learn(recorded, now any) {
	was, is := map[string][]any{}, map[string][]any{}
	c.gather(recorded, was)
	c.gather(now, is)
	for kind, things := range was {
		if len(is[kind]) == 0 {
			continue
		}
		for i, j := range c.pair(things, is[kind]) {
			c.learnThing(kind, things[i].(map[string]any), is[kind][j].(map[string]any)) //nolint:forcetypeassert // gather finds objects
		}
	}
	c.learnPlaces("", recorded, now)
}

// gather finds the things in an answer, by kind.
func (c *carrier) gather(v any, found map[string][]any) {
	switch v := v.(type) {
	case map[string]any:
		if kind, _ := c.thing(v); kind != "" {
			found[kind] = append(found[kind], v)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.gather(v[name], found)
		}
	case []any:
		for _, inner := range v {
			c.gather(inner, found)
		}
	}
}

// thing is what an object stands for, and its id; "" when it is only a part of something.
func (c *carrier) thing(object map[string]any) (kind, id string) {
	for _, kind := range c.provider.primary {
		for name, value := range object {
			if c.provider.carried[strings.ToLower(name)] == kind && text(value) != "" {
				return kind, text(value)
			}
		}
	}
	return "", ""
}

// learnThing notes the values of one thing. What it says of other things counts only while nothing better is known.
func (c *carrier) learnThing(of string, recorded, now map[string]any) {
	for name, value := range recorded {
		kind := c.provider.carried[strings.ToLower(name)]
		if kind == "" || text(value) == "" || text(now[name]) == "" {
			continue
		}
		if _, known := c.values[kind][text(value)]; known && kind != of && slices.Contains(c.provider.primary, kind) {
			continue
		}
		c.keep(kind, text(value), text(now[name]))
	}
}

// learnPlaces notes values that are no thing's: an amount, a date on sale.
func (c *carrier) learnPlaces(name string, recorded, now any) {
	switch recorded := recorded.(type) {
	case map[string]any:
		object, ok := now.(map[string]any)
		if kind, _ := c.thing(recorded); !ok || kind != "" {
			return
		}
		for key, inner := range recorded {
			c.learnPlaces(key, inner, object[key])
		}
	case []any:
		if list, ok := now.([]any); ok && len(list) > 0 {
			for i, inner := range recorded {
				c.learnPlaces(name, inner, list[i%len(list)])
			}
		}
	default:
		if kind := c.provider.carried[strings.ToLower(name)]; kind != "" && text(recorded) != "" && text(now) != "" {
			c.keep(kind, text(recorded), text(now))
		}
	}
}

// pair finds for each recorded thing one of the replay's that can stand for it: the same thing if it is there in the
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
		id, traits := c.identity(e)
		if j, ok := same[id+"\x00"+traits[0]]; ok {
			pairs[i], used[j] = j, true
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

// identity is a thing's id and the condition it is in, from the whole of it to what matters most.
func (c *carrier) identity(thing any) (id string, traits []string) {
	object, _ := thing.(map[string]any)
	_, id = c.thing(object)
	if c.provider.traits == nil {
		return id, []string{""}
	}
	return id, c.provider.traits(object)
}

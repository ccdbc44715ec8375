package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marquee/simulators/wechat"
)

// substitution replaces values of the recording by those of the replay: ids from earlier answers, numbers that the
// caller chooses, and placeholders for phones and persons. A replay needs it because, for example, the simulators'
// showings and seats have other ids than the provider's.
type substitution struct {
	provider *provider
	run      string                       // the prefix of every number that the replay chooses
	chosen   int                          // how many numbers the replay has chosen
	values   map[string]map[string]string // the replay's value, by kind and then by the recorded value
}

// newSubstitution returns an empty substitution with a random prefix for the numbers that the replay chooses.
func newSubstitution(p *provider) *substitution {
	return &substitution{provider: p, run: fmt.Sprintf("R%08X", rand.Uint32()), values: map[string]map[string]string{}}
}

// addReplacement records that the value recorded, of a kind such as "seat", is replaced by replayed in later calls.
func (s *substitution) addReplacement(kind, recorded, replayed string) {
	if s.values[kind] == nil {
		s.values[kind] = map[string]string{}
	}
	s.values[kind][recorded] = replayed
}

// scalarText is a scalar as a form has it; "" for null, objects and arrays.
func scalarText(v any) string {
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

// entity is an object in an answer that has an id of some kind, such as a seat or a showing.
type entity struct {
	kind, id  string
	fields    map[string]any
	stateKeys []string // see provider.stateKeys
}

// learn compares a recorded answer with the replayed one, and records which values replace which in later calls.
// Entities are matched by their state, wherever they are in the answers; other values by their position.
func (s *substitution) learn(recorded, replayed any) {
	before, after := map[string][]entity{}, map[string][]entity{}
	s.collect(recorded, before)
	s.collect(replayed, after)
	for kind, entities := range before {
		for i, j := range match(entities, after[kind]) {
			s.learnEntity(entities[i], after[kind][j])
		}
	}
	s.learnPlaces("", recorded, replayed)
}

// collect finds the entities in decoded JSON, by kind.
func (s *substitution) collect(v any, found map[string][]entity) {
	switch v := v.(type) {
	case map[string]any:
		if e, ok := s.entityOf(v); ok {
			found[e.kind] = append(found[e.kind], e)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.collect(v[name], found)
		}
	case []any:
		for _, inner := range v {
			s.collect(inner, found)
		}
	}
}

// entityOf returns an object as an entity, and false if it has no id of an entity. An object with ids of several kinds
// has the kind that comes first in entityKinds.
func (s *substitution) entityOf(object map[string]any) (entity, bool) {
	for _, kind := range s.provider.entityKinds {
		for name, value := range object {
			if id := scalarText(value); id != "" && s.provider.fromAnswers[strings.ToLower(name)] == kind {
				return entity{kind, id, object, s.provider.stateKeys(object)}, true
			}
		}
	}
	return entity{}, false
}

// match returns for each recorded entity the index of the replayed entity that replaces it. The best one has the same
// id and state. If there is none, match takes one in the same state, or else one whose state has the same main part, or
// else any. A replayed entity is used a second time only if every fitting one is already used. The result is empty if
// there are no replayed entities.
func match(recorded, replayed []entity) []int {
	if len(replayed) == 0 {
		return nil
	}
	matched, used := slices.Repeat([]int{-1}, len(recorded)), make([]bool, len(replayed))
	take := func(i int, fits func(e entity) bool) bool {
		best := -1
		for j, e := range replayed {
			if fits(e) && (best < 0 || used[best] && !used[j]) {
				best = j
			}
		}
		if best >= 0 {
			matched[i], used[best] = best, true
		}
		return best >= 0
	}
	for i, r := range recorded {
		take(i, func(e entity) bool { return e.id == r.id && e.stateKeys[0] == r.stateKeys[0] })
	}
	for i, r := range recorded {
		for level := 0; matched[i] < 0; level++ {
			take(i, func(e entity) bool {
				return level >= len(r.stateKeys) || e.stateKeys[level] == r.stateKeys[level]
			})
		}
	}
	return matched
}

// learnEntity records the values of one pair of entities. A value that identifies an entity of another kind, such as
// the city of a cinema, is recorded only if no replacement for it is known yet.
func (s *substitution) learnEntity(recorded, replayed entity) {
	for name, value := range recorded.fields {
		kind := s.provider.fromAnswers[strings.ToLower(name)]
		from, to := scalarText(value), scalarText(replayed.fields[name])
		if kind == "" || from == "" || to == "" {
			continue
		}
		_, known := s.values[kind][from]
		if known && kind != recorded.kind && slices.Contains(s.provider.entityKinds, kind) {
			continue
		}
		s.addReplacement(kind, from, to)
	}
}

// learnPlaces records the values outside of entities, such as an amount or a date on sale, by their position in the
// answers.
func (s *substitution) learnPlaces(name string, recorded, replayed any) {
	switch recorded := recorded.(type) {
	case map[string]any:
		object, ok := replayed.(map[string]any)
		if _, isEntity := s.entityOf(recorded); !ok || isEntity {
			return
		}
		for key, inner := range recorded {
			s.learnPlaces(key, inner, object[key])
		}
	case []any:
		if list, ok := replayed.([]any); ok && len(list) > 0 {
			for i, inner := range recorded {
				s.learnPlaces(name, inner, list[i%len(list)])
			}
		}
	default:
		kind, from, to := s.provider.fromAnswers[strings.ToLower(name)], scalarText(recorded), scalarText(replayed)
		if kind != "" && from != "" && to != "" {
			s.addReplacement(kind, from, to)
		}
	}
}

// rewriteRequest returns a recorded request with the replay's values.
func (s *substitution) rewriteRequest(q Request) Request {
	q.Query, q.Body.Form = rewriteForm(q.Query, s.replaceText), rewriteForm(q.Body.Form, s.replaceText)
	q.Body.JSON = rewriteJSON("", q.Body.JSON, s.replaceScalar)
	segments := strings.Split(q.Path, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			plain = segment
		}
		before := ""
		if i > 0 {
			before = segments[i-1]
		}
		segments[i] = url.PathEscape(s.replaceSegment(before, plain))
	}
	q.Path = strings.Join(segments, "/")
	return q
}

// replaceSegment replaces one segment of a path if it is a known value, or a number that the caller chooses. In the
// vendor's paths such a number follows a fixed segment, such as out-trade-no: before is the previous segment.
func (s *substitution) replaceSegment(before, plain string) string {
	for _, known := range s.values {
		if replayed, ok := known[plain]; ok {
			return replayed
		}
	}
	switch before {
	case "out-trade-no":
		return s.replaceText("out_trade_no", plain)
	case "refunds":
		return s.replaceText("out_refund_no", plain)
	}
	return plain
}

// replaceScalar replaces a scalar of JSON. A number stays a number.
func (s *substitution) replaceScalar(name string, v any) any {
	switch v := v.(type) {
	case string:
		return s.replaceText(name, v)
	case json.Number:
		replayed := s.replaceText(name, v.String())
		if _, err := strconv.ParseFloat(replayed, 64); err == nil {
			return json.Number(replayed)
		}
	}
	return v
}

// replaceText returns the replay's value for the recorded value of a field. A list separated by | is replaced part by
// part.
func (s *substitution) replaceText(name, value string) string {
	name = strings.ToLower(name)
	if kind := s.provider.callerNumbers[name]; kind != "" && value != "" {
		if s.values[kind][value] == "" {
			s.chosen++
			s.addReplacement(kind, value, fmt.Sprintf("%s%04d", s.run, s.chosen))
		}
		return s.values[kind][value]
	}
	if kind := s.provider.fromAnswers[name]; kind != "" {
		if replayed, ok := s.values[kind][value]; ok {
			return replayed
		}
		if parts := strings.Split(value, "|"); len(parts) > 1 {
			for i, part := range parts {
				if replayed, ok := s.values[kind][part]; ok {
					parts[i] = replayed
				}
			}
			value = strings.Join(parts, "|")
		}
	}
	return fillPlaceholders(value)
}

// placeholder matches the placeholders of a redactor for phones and persons.
var placeholder = regexp.MustCompile(`\{(phone|openid):([0-9]+)\}`)

// fillPlaceholders replaces the redactor's placeholders by test values. A phone is replaced by one that is not a magic
// value of the simulators, an openid by that of a demo person, and any other secret by the replay's verification code.
func fillPlaceholders(value string) string {
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

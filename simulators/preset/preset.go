// Package preset brings simulators into a state that a YAML file describes: worlds (isolated sets of simulated
// providers) with their clock, faults, keys, payments and ticket orders. A file is read as strictly as the calls of the
// control API.
package preset

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"marquee/simulators"
	"marquee/simulators/control"
	"marquee/simulators/wechat"
)

//go:embed presets
var shipped embed.FS

// Names lists the shipped presets.
func Names() (names []string) {
	entries, err := shipped.ReadDir("presets")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// maxText bounds the bytes of a preset.
const maxText = 1 << 20

// Read returns the text of a file or, if there is no file with the name, that of the shipped preset with the name. It
// returns an error for a file of more than 1 MiB.
func Read(name string) ([]byte, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(Names(), name) {
		return shipped.ReadFile("presets/" + name + ".yaml")
	}
	if err != nil {
		return nil, fmt.Errorf("read the preset (shipped are %s): %w", strings.Join(Names(), ", "), err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("read the preset: %w", err)
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("%s is not a preset: it is longer than %d bytes", name, maxText)
	}
	return text, nil
}

// file is a preset. Parts that have the form of a body of the control API are kept as YAML nodes, because the control
// API's rules check them later.
type file struct {
	Worlds []world `yaml:"worlds"`
}

// world is one world. Without an id it is the default world, whose seed and time were set at the start of the
// simulators.
type world struct {
	ID        string      `yaml:"id"`
	Create    yaml.Node   `yaml:"create"`     // as the body of POST /sim/v1/worlds, without the id
	SignsWith yaml.Node   `yaml:"signs_with"` // as in PATCH /sim/v1/wechat/merchant
	Payments  []payment   `yaml:"payments"`
	Tickets   []ticket    `yaml:"tickets"`   // after the payments
	Faults    []yaml.Node `yaml:"faults"`    // each as the body of POST /sim/v1/faults
	Stubs     []yaml.Node `yaml:"stubs"`     // each as the body of POST /sim/v1/stubs
	Targets   []yaml.Node `yaml:"targets"`   // each as the body of POST /sim/v1/webhooks/targets, before the payments
	AdvanceS  yaml.Node   `yaml:"advance_s"` // business seconds, after the tickets
	Frozen    yaml.Node   `yaml:"frozen"`    // whether the clock is stopped at the end

	line int
}

// payment is a trade in a given state.
type payment struct {
	OutTradeNo  string `yaml:"out_trade_no"`
	Description string `yaml:"description"`
	Total       int64  `yaml:"total"` // fen
	OpenID      string `yaml:"openid"`
	NotifyURL   string `yaml:"notify_url"`
	State       string `yaml:"state"` // NOTPAY, SUCCESS, CLOSED or REFUND

	line int
}

// The states of a payment.
const (
	stateNotPaid  = "NOTPAY"
	stateSuccess  = "SUCCESS"
	stateClosed   = "CLOSED"
	stateRefunded = "REFUND" // of the full amount, which is PROCESSING until business time advances
)

// parse decodes a preset. The errors have the form of Apply's.
func parse(name string, text []byte) (file, error) {
	var f file
	var places struct { // the text is decoded a second time, because only YAML nodes contain their line numbers
		Worlds []struct {
			Payments []yaml.Node `yaml:"payments"`
			Tickets  []yaml.Node `yaml:"tickets"`
		} `yaml:"worlds"`
	}
	var worlds struct {
		Worlds []yaml.Node `yaml:"worlds"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return file{}, explained(name, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return file{}, errors.New(name + ": only one document is allowed")
	}
	if len(f.Worlds) == 0 {
		return file{}, errors.New(name + ": worlds is missing or empty")
	}
	if err := errors.Join(yaml.Unmarshal(text, &places), yaml.Unmarshal(text, &worlds)); err != nil {
		return file{}, explained(name, err)
	}
	for i := range f.Worlds {
		f.Worlds[i].line = worlds.Worlds[i].Line
		for j := range f.Worlds[i].Payments {
			f.Worlds[i].Payments[j].line = places.Worlds[i].Payments[j].Line
		}
		for j := range f.Worlds[i].Tickets {
			f.Worlds[i].Tickets[j].line = places.Worlds[i].Tickets[j].Line
		}
	}
	return f, nil
}

var (
	place        = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)
	unknownField = regexp.MustCompile(`^field (.*) not found in type preset\.(\w+)$`)
	wrongType    = regexp.MustCompile("^cannot unmarshal !!(\\w+)( `.*`)? into (.*)$")
)

// explained turns the decoder's error into one of the form "name:line: what is wrong", in terms of YAML and not of Go.
func explained(name string, err error) error {
	problems := []string{err.Error()}
	var several *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New(name + ": the file is empty")
	case errors.As(err, &several):
		problems = several.Errors
	}
	for i, problem := range problems {
		found := place.FindStringSubmatch(problem)
		if found == nil {
			problems[i] = name + ": " + strings.TrimPrefix(problem, "yaml: ")
			continue
		}
		text := found[2]
		if field := unknownField.FindStringSubmatch(text); field != nil {
			text = fmt.Sprintf("unknown field %s; valid: %s", field[1], strings.Join(fieldsOf(field[2]), ", "))
		}
		if value := wrongType.FindStringSubmatch(text); value != nil {
			text = neededFor(value[3]) + " is needed, not" + cmp.Or(value[2], " a "+value[1])
		}
		problems[i] = name + ":" + found[1] + ": " + text
	}
	return errors.New(strings.Join(problems, "; "))
}

// fieldsOf lists the fields of a part of a preset.
func fieldsOf(part string) (names []string) {
	types := map[string]reflect.Type{
		"file": reflect.TypeFor[file](), "world": reflect.TypeFor[world](), "payment": reflect.TypeFor[payment](),
		"ticket": reflect.TypeFor[ticket](),
	}
	for _, field := range reflect.VisibleFields(types[part]) {
		if tag := field.Tag.Get("yaml"); tag != "" {
			names = append(names, tag)
		}
	}
	return names
}

// neededFor returns the YAML value for a Go type.
func neededFor(goType string) string {
	switch {
	case goType == "string":
		return "a text"
	case strings.HasPrefix(goType, "int"):
		return "a whole number"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	}
	return "a mapping"
}

// Apply brings simulators into the state of a preset. name is the file's name in errors, which have the form
// "name:line: what is wrong". Changes that were made before an error stay.
func Apply(sims *simulators.Simulators, name string, text []byte) error {
	f, err := parse(name, text)
	if err != nil {
		return err
	}
	for _, w := range f.Worlds {
		if err := (applier{sims: sims, file: name}).apply(w); err != nil {
			return err
		}
	}
	return nil
}

// applier brings one world into its state.
type applier struct {
	sims  *simulators.Simulators
	file  string
	world *simulators.World
}

func (a applier) apply(w world) (err error) {
	switch {
	case w.ID != "":
		w.Create.Line = cmp.Or(w.Create.Line, w.line)
		var q control.NewWorld
		if err := a.read(&w.Create, map[string]any{"id": w.ID}, "", &q); err != nil {
			return err
		}
		if a.world, err = a.sims.NewWorld(q); err != nil {
			return a.failed(w.Create.Line, err)
		}
	case w.Create.Kind != 0:
		return a.failed(w.Create.Line, errors.New("create needs an id: the default world exists already"))
	default:
		a.world = a.sims.Default()
	}
	if w.SignsWith.Kind != 0 {
		var q control.MerchantChange
		if err := a.readField("signs_with", &w.SignsWith, &q); err != nil {
			return err
		}
		control.ProviderThat[control.Merchants](a.world).SignWith(q.SignsWith)
	}
	if err := each(a, w.Targets, "invalid_target", a.world.Targets().Add); err != nil {
		return err
	}
	for _, p := range w.Payments {
		if err := a.payment(p); err != nil {
			return a.failed(p.line, fmt.Errorf("payment %s: %w", p.OutTradeNo, err))
		}
	}
	for _, t := range w.Tickets {
		if err := a.ticket(t); err != nil {
			return a.failed(t.line, fmt.Errorf("ticket %s: %w", t.Number, err))
		}
	}
	if w.AdvanceS.Kind != 0 {
		var q control.Advance
		if err := a.readField("seconds", &w.AdvanceS, &q); err != nil {
			return err
		}
		if err := q.Apply(a.world.Clock()); err != nil {
			return a.failed(w.AdvanceS.Line, err)
		}
	}
	if err := cmp.Or(each(a, w.Faults, "invalid_fault", a.world.Faults().Add),
		each(a, w.Stubs, "invalid_stub", a.world.Faults().AddStub)); err != nil {
		return err
	}
	return a.freeze(w.Frozen)
}

// freeze stops the clock or makes it run. Without a value it does not change the clock.
func (a applier) freeze(value yaml.Node) error {
	var frozen bool
	switch {
	case value.Kind == 0:
	case value.Decode(&frozen) != nil:
		return a.failed(value.Line, errors.New("frozen must be true or false"))
	case frozen:
		a.world.Clock().Freeze()
	default:
		a.world.Clock().Resume()
	}
	return nil
}

// each reads each mapping of a list and calls add with its value. code is the control API's error code for an invalid
// mapping.
func each[T any](a applier, list []yaml.Node, code string, add func(T) (T, error)) error {
	for i := range list {
		var value T
		if err := a.read(&list[i], nil, code, &value); err != nil {
			return err
		}
		if _, err := add(value); err != nil {
			return a.failed(list[i].Line, fmt.Errorf("%s: %w", code, err))
		}
	}
	return nil
}

func (a applier) failed(line int, err error) error { return fmt.Errorf("%s:%d: %w", a.file, line, err) }

// readField reads a value like the body of a control API's call that contains only the field with that name.
func (a applier) readField(name string, value *yaml.Node, into any) error {
	var decoded any
	if err := value.Decode(&decoded); err != nil {
		return explained(a.file, err)
	}
	return a.read(&yaml.Node{Line: value.Line}, map[string]any{name: decoded}, "", into)
}

// read reads a mapping of the file, together with the fields in more, as strictly as the control API reads the body of
// a call. code is passed to control.ReadBody.
func (a applier) read(node *yaml.Node, more map[string]any, code string, into any) error {
	body := map[string]any{}
	if node.Kind != 0 {
		if err := node.Decode(&body); err != nil {
			return explained(a.file, err)
		}
	}
	maps.Copy(body, more)
	encoded, err := json.Marshal(body)
	if err == nil {
		err = control.ReadBody(encoded, code, into)
	}
	if err != nil {
		return a.failed(node.Line, err)
	}
	return nil
}

// payment creates a trade, and pays, closes or refunds it.
func (a applier) payment(p payment) error {
	if states := []string{stateNotPaid, stateSuccess, stateClosed, stateRefunded}; !slices.Contains(states, p.State) {
		return fmt.Errorf("state is %q; valid: %s", p.State, strings.Join(states, ", "))
	}
	app := control.ProviderThat[*wechat.Simulator](a.world)
	prepayID, err := app.CreateTrade(wechat.NewTrade{OutTradeNo: p.OutTradeNo, Description: p.Description,
		OpenID: p.OpenID, NotifyURL: p.NotifyURL, Total: p.Total})
	if err != nil {
		return err
	}
	switch p.State {
	case stateNotPaid:
		return nil
	case stateClosed:
		return app.CloseTrade(p.OutTradeNo)
	}
	if err := app.PayTrade(prepayID); err != nil || p.State == stateSuccess {
		return err
	}
	return app.StartRefund(p.OutTradeNo, p.OutTradeNo+"-R", p.Total)
}

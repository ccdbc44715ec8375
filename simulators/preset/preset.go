// Package preset brings simulators into a state that a YAML file describes: worlds with their clock, faults, keys,
// payments and ticket orders. It uses only the control API and the providers' own calls, so that a file is checked like
// every call.
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
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"marquee/simulators"
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

// Read returns a file's text. A name without a slash and an extension is that of a shipped preset. It returns an error
// for a file of more than 1 MiB.
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

// file is a preset. Parts that are the body of a control API's call stay nodes: the API checks them.
type file struct {
	Worlds []world `yaml:"worlds"`
}

// world is one world. Without an id it is the default one, whose seed and time are those of the start.
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
	var places struct { // decoded a second time: only nodes know their lines
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
		a := applier{sims, name, w.ID}
		if err := a.world(w); err != nil {
			return err
		}
	}
	return nil
}

// applier makes the calls of one world.
type applier struct {
	sims *simulators.Simulators
	file string
	id   string
}

func (a applier) world(w world) error {
	if w.ID != "" {
		w.Create.Line = cmp.Or(w.Create.Line, w.line)
		if err := a.node(http.MethodPost, "/worlds", &w.Create, map[string]any{"id": w.ID}); err != nil {
			return err
		}
	} else if w.Create.Kind != 0 {
		return a.failed(w.Create.Line, "create needs an id: the default world exists already")
	}
	in := "?world=" + w.ID
	if w.SignsWith.Kind != 0 {
		if err := a.field(http.MethodPatch, "/wechat/merchant"+in, "signs_with", &w.SignsWith); err != nil {
			return err
		}
	}
	if err := a.nodes("/webhooks/targets"+in, w.Targets); err != nil {
		return err
	}
	for _, p := range w.Payments {
		if err := a.payment(p); err != nil {
			return a.failed(p.line, "payment "+p.OutTradeNo+": "+err.Error())
		}
	}
	for _, t := range w.Tickets {
		if err := a.ticket(t); err != nil {
			return a.failed(t.line, "ticket "+t.Number+": "+err.Error())
		}
	}
	if w.AdvanceS.Kind != 0 {
		if err := a.field(http.MethodPost, "/clock/advance"+in, "seconds", &w.AdvanceS); err != nil {
			return err
		}
	}
	if err := cmp.Or(a.nodes("/faults"+in, w.Faults), a.nodes("/stubs"+in, w.Stubs)); err != nil {
		return err
	}
	var frozen bool
	if w.Frozen.Kind != 0 {
		if err := w.Frozen.Decode(&frozen); err != nil {
			return a.failed(w.Frozen.Line, "frozen must be true or false")
		}
		path := map[bool]string{true: "/clock/freeze", false: "/clock/resume"}[frozen]
		return a.node(http.MethodPost, path+in, &yaml.Node{Line: w.Frozen.Line}, nil)
	}
	return nil
}

// nodes makes a call for each mapping of a list.
func (a applier) nodes(path string, list []yaml.Node) error {
	for i := range list {
		if err := a.node(http.MethodPost, path, &list[i], nil); err != nil {
			return err
		}
	}
	return nil
}

func (a applier) failed(line int, text string) error {
	return fmt.Errorf("%s:%d: %s", a.file, line, text)
}

// field makes a call whose body has one field.
func (a applier) field(method, path, name string, value *yaml.Node) error {
	var decoded any
	if err := value.Decode(&decoded); err != nil {
		return explained(a.file, err)
	}
	return a.node(method, path, &yaml.Node{Line: value.Line}, map[string]any{name: decoded})
}

// node makes a call of the control API whose body is a mapping of the file and more fields.
func (a applier) node(method, path string, node *yaml.Node, more map[string]any) error {
	body := map[string]any{}
	if node.Kind != 0 {
		if err := node.Decode(&body); err != nil {
			return explained(a.file, err)
		}
	}
	for name, value := range more {
		body[name] = value
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return a.failed(node.Line, err.Error())
	}
	if err := a.control(method, path, encoded, nil); err != nil {
		return a.failed(node.Line, err.Error())
	}
	return nil
}

// control makes a call of the control API and decodes its answer.
func (a applier) control(method, path string, body []byte, into any) error {
	request := httptest.NewRequest(method, "/sim/v1"+path, bytes.NewReader(body))
	request.Host = "localhost"
	request.Header.Set("Content-Type", "application/json")
	status, answer := a.send(request)
	if status < http.StatusBadRequest {
		return decode(answer, into)
	}
	var rejected struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &rejected); err != nil {
		return errors.New(string(answer))
	}
	return errors.New(rejected.Error.Code + ": " + rejected.Error.Message)
}

// send makes a call of the simulators within this process.
func (a applier) send(request *http.Request) (status int, answer []byte) {
	recorder := httptest.NewRecorder()
	a.sims.Handler().ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.Bytes()
}

// decode reads an answer, unless into is nil.
func decode(answer []byte, into any) error {
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// payment makes a trade by the calls that a merchant makes, and pays or closes it.
func (a applier) payment(p payment) error {
	if states := []string{stateNotPaid, stateSuccess, stateClosed, stateRefunded}; !slices.Contains(states, p.State) {
		return fmt.Errorf("state is %q; valid: %s", p.State, strings.Join(states, ", "))
	}
	w := a.sims.ByID(a.id)
	keys := w.Credentials().WeChat
	body, err := json.Marshal(map[string]any{
		"appid": keys.AppID, "mchid": keys.MchID, "description": p.Description, "out_trade_no": p.OutTradeNo,
		"notify_url": p.NotifyURL, "amount": map[string]any{"total": p.Total},
		"payer": map[string]any{"openid": p.OpenID},
	})
	if err != nil {
		return err
	}
	var prepaid struct {
		PrepayID string `json:"prepay_id"`
	}
	if err := a.merchantCall(w, "/v3/pay/transactions/jsapi", body, &prepaid); err != nil {
		return err
	}
	switch p.State {
	case stateNotPaid:
		return nil
	case stateSuccess:
		return w.Pay(prepaid.PrepayID, "pay")
	case stateClosed:
		body := []byte(`{"mchid":"` + keys.MchID + `"}`)
		return a.merchantCall(w, "/v3/pay/transactions/out-trade-no/"+p.OutTradeNo+"/close", body, nil)
	}
	if err := w.Pay(prepaid.PrepayID, "pay"); err != nil { // REFUND
		return err
	}
	body, err = json.Marshal(map[string]any{
		"out_trade_no": p.OutTradeNo, "out_refund_no": p.OutTradeNo + "-R",
		"amount": map[string]any{"refund": p.Total, "total": p.Total, "currency": "CNY"},
	})
	if err != nil {
		return err
	}
	return a.merchantCall(w, "/v3/refund/domestic/refunds", body, nil)
}

// merchantCall makes a signed call of Pay APIv3 and decodes its answer.
func (a applier) merchantCall(w *simulators.World, path string, body []byte, into any) error {
	request := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	request.Host = wechat.PayHost
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "marquee-preset")
	if err := wechat.Authorize(request, w.Credentials().WeChat, body, time.Now()); err != nil {
		return err
	}
	status, answer := a.send(request)
	if status >= http.StatusBadRequest {
		return errors.New(string(answer))
	}
	return decode(answer, into)
}

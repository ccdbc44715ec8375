// Package preset brings simulators into a state that a YAML file describes: worlds with their clock, faults, keys and
// payments. It uses the control API and the providers' own calls alone, so that a file is checked as every call is.
package preset

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
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

// Read returns a file's text. A name without a slash and an ending is that of a shipped preset.
func Read(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(Names(), name) {
		return shipped.ReadFile("presets/" + name + ".yaml")
	}
	if err != nil {
		return nil, fmt.Errorf("read the preset (shipped are %s): %w", strings.Join(Names(), ", "), err)
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
	Faults    []yaml.Node `yaml:"faults"`    // each as the body of POST /sim/v1/faults
	Stubs     []yaml.Node `yaml:"stubs"`     // each as the body of POST /sim/v1/stubs
	Targets   []yaml.Node `yaml:"targets"`   // each as the body of POST /sim/v1/webhooks/targets, before the payments
	AdvanceS  yaml.Node   `yaml:"advance_s"` // business seconds, after the payments
	Frozen    yaml.Node   `yaml:"frozen"`    // whether the clock stands in the end
}

// payment is a trade in a given state.
type payment struct {
	OutTradeNo  string `yaml:"out_trade_no"`
	Description string `yaml:"description"`
	Total       int64  `yaml:"total"` // fen
	OpenID      string `yaml:"openid"`
	NotifyURL   string `yaml:"notify_url"`
	State       string `yaml:"state"` // NOTPAY, SUCCESS or CLOSED
	line        int
}

// UnmarshalYAML keeps the line of a payment, which is a scalar's or a mapping's.
func (p *payment) UnmarshalYAML(node *yaml.Node) error {
	type plain payment
	if err := strict(node, (*plain)(p)); err != nil {
		return err
	}
	p.line = node.Line
	return nil
}

// UnmarshalYAML refuses fields that there are not.
func (w *world) UnmarshalYAML(node *yaml.Node) error {
	type plain world
	return strict(node, (*plain)(w))
}

// strict decodes a mapping whose keys are all fields of a struct. yaml.Decoder.KnownFields is not passed on to
// UnmarshalYAML.
func strict(node *yaml.Node, into any) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a mapping is needed", node.Line)
	}
	text, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		known := strings.TrimSpace(strings.ReplaceAll(err.Error(), "yaml: unmarshal errors:\n", ""))
		_, known, _ = strings.Cut(known, ": ") // the line within the part
		return fmt.Errorf("line %d: %s", node.Line, strings.Split(known, " in type")[0])
	}
	return node.Decode(into) // with the lines of the file
}

// Apply brings simulators into the state of a preset. name is the file's name in errors, which have the form
// "name:line: what is wrong". What was done before an error stays.
func Apply(sims *simulators.Simulators, name string, text []byte) error {
	var f file
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return errors.New(name + ": " + strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n ", ""), "yaml: "))
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
		if err := a.node(http.MethodPost, "/worlds", &w.Create, map[string]any{"id": w.ID}); err != nil {
			return err
		}
	} else if w.Create.Kind != 0 {
		return a.failed(w.Create.Line, "create needs an id: the default world is there already")
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
		return a.failed(value.Line, err.Error())
	}
	return a.node(method, path, &yaml.Node{Line: value.Line}, map[string]any{name: decoded})
}

// node makes a call of the control API whose body is a mapping of the file and more fields.
func (a applier) node(method, path string, node *yaml.Node, more map[string]any) error {
	body := map[string]any{}
	if node.Kind != 0 {
		if err := node.Decode(&body); err != nil {
			return a.failed(node.Line, "a mapping is needed")
		}
	}
	for name, value := range more {
		body[name] = value
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return a.failed(node.Line, err.Error())
	}
	request := httptest.NewRequest(method, "/sim/v1"+path, bytes.NewReader(encoded))
	request.Host = "localhost"
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	a.sims.Handler().ServeHTTP(answer, request)
	if answer.Code < http.StatusBadRequest {
		return nil
	}
	var refused struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &refused); err != nil {
		return a.failed(node.Line, answer.Body.String())
	}
	return a.failed(node.Line, refused.Error.Code+": "+refused.Error.Message)
}

// payment makes a trade by the calls that a merchant makes, and pays or closes it.
func (a applier) payment(p payment) error {
	w := a.sims.ByID(a.id)
	keys := w.Credentials().WeChat
	body, err := json.Marshal(map[string]any{
		"appid": keys.AppID, "mchid": keys.MchID, "description": p.Description, "out_trade_no": p.OutTradeNo,
		"notify_url": p.NotifyURL, "amount": map[string]any{"total": p.Total}, "payer": map[string]any{"openid": p.OpenID},
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
	case "NOTPAY":
		return nil
	case "SUCCESS":
		return w.Pay(prepaid.PrepayID, "pay")
	case "CLOSED":
		body := []byte(`{"mchid":"` + keys.MchID + `"}`)
		return a.merchantCall(w, "/v3/pay/transactions/out-trade-no/"+p.OutTradeNo+"/close", body, nil)
	}
	return fmt.Errorf("state is %q; valid: NOTPAY, SUCCESS, CLOSED", p.State)
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
	answer := httptest.NewRecorder()
	a.sims.Handler().ServeHTTP(answer, request)
	if answer.Code >= http.StatusBadRequest {
		return errors.New(answer.Body.String())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Body.Bytes(), into)
}

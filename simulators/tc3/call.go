package tc3

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"marquee/simulators/journal"
)

// formType is the only content type of a GET, and that of a POST under a v1 signature ("请求结构" of the vendor's
// documentation).
const formType = "application/x-www-form-urlencoded"

// v1Parameters are the common parameters of a call under a v1 signature ("公共参数"). The vendor's SDKs add RequestClient.
var v1Parameters = []string{"Action", "Region", "Timestamp", "Nonce", "SecretId", "Signature", "SignatureMethod",
	"Version", "Token", "Language", "RequestClient"}

// Call has the common parameters of a call: from headers under TC3-HMAC-SHA256, from parameters under the v1
// signatures.
type Call struct {
	Action, Version, Region string
	// V1 holds all parameters of a call under a v1 signature; else it is nil.
	V1 url.Values

	parameters url.Values // those of the API, if the call has them in a query or a form
	body       []byte     // their JSON, if the call has them in JSON
}

// CallOf reads the call that is being served; its body is in the journal note.
func CallOf(r *http.Request) Call { return NewCall(r, journal.From(r.Context()).Body) }

// NewCall reads a call. body is its body.
func NewCall(r *http.Request, body []byte) Call {
	c := Call{Action: r.Header.Get("X-TC-Action"), Version: r.Header.Get("X-TC-Version"),
		Region: r.Header.Get("X-TC-Region"), body: body}
	all := r.URL.Query()
	form := isForm(r)
	if r.Method == http.MethodPost && form {
		all, _ = url.ParseQuery(string(body)) // parts that cannot be decoded are missing, so the signature is wrong
	}
	switch {
	case c.Action != "" || r.Header.Get("Authorization") != "":
		if r.Method == http.MethodGet {
			c.parameters = all
		}
	case all.Has("Action") || all.Has("SecretId"):
		c.Action, c.Version, c.Region = all.Get("Action"), all.Get("Version"), all.Get("Region")
		c.V1, c.parameters = all, url.Values{}
		for name, values := range all {
			if !slices.Contains(v1Parameters, name) {
				c.parameters[name] = values
			}
		}
	}
	return c
}

// isForm reports whether the Content-Type of the call is that of a form.
func isForm(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == formType
}

// indexed matches the name of one value of a list, such as PhoneNumberSet.0.
var indexed = regexp.MustCompile(`^([A-Za-z]\w*)\.(0|[1-9][0-9]{0,5})$`)

// JSON returns the parameters of a call, without the common ones, as a JSON object. In a query or a form all values are
// texts: the fields of the struct to which into points determine which become numbers. A parameter without a field
// remains a text.
func (c Call) JSON(into any) []byte {
	if c.parameters == nil {
		return c.body
	}
	object := map[string]any{}
	lists := map[string]map[int]any{}
	for name, values := range c.parameters {
		base, index := name, -1
		if m := indexed.FindStringSubmatch(name); m != nil {
			base = m[1]
			index, _ = strconv.Atoi(m[2]) // the pattern has digits only
		}
		value := jsonValue(values[0], into, base)
		if index < 0 {
			object[base] = value
			continue
		}
		if lists[base] == nil {
			lists[base] = map[int]any{}
		}
		lists[base][index] = value
	}
	for base, list := range lists {
		ordered := make([]any, 0, len(list))
		for index := range len(list) {
			if value, ok := list[index]; ok {
				ordered = append(ordered, value)
			}
		}
		if len(ordered) < len(list) { // an index is missing
			object[base] = nil
			continue
		}
		object[base] = ordered
	}
	encoded, err := json.Marshal(object)
	if err != nil {
		panic(err) // texts, numbers and lists of them always encode
	}
	return encoded
}

// jsonValue returns the value of a parameter for its field: a number if the field is a number and the text can be read
// as one, else the text.
func jsonValue(text string, into any, field string) any {
	found, known := reflect.TypeOf(into).Elem().FieldByName(field)
	if !known {
		return text
	}
	kind := found.Type
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	if kind.Kind() != reflect.String && integer.MatchString(text) {
		return json.Number(text)
	}
	return text
}

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

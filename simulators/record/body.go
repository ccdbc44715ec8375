package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"strings"
)

// readBody decodes a body by what it is, and not by what its Content-Type claims: providers are careless with that.
func readBody(contentType string, raw []byte) Body {
	kind, _, _ := mime.ParseMediaType(contentType)
	b := Body{Kind: bodyOther, Bytes: len(raw)}
	switch text := bytes.TrimSpace(raw); {
	case len(text) == 0:
		b.Kind = bodyEmpty
	case decodeJSON(raw, &b.JSON) == nil && (text[0] == '{' || text[0] == '[' || strings.HasSuffix(kind, "json")):
		b.Kind = bodyJSON
	case kind == "application/x-www-form-urlencoded":
		b.JSON = nil
		if form, err := url.ParseQuery(string(raw)); err == nil {
			b.Kind, b.Form = bodyForm, form
		}
	case kind == "text/html" || text[0] == '<':
		b.JSON, b.Kind = nil, bodyHTML
	default:
		b.JSON = nil
	}
	return b
}

// decodeJSON decodes exactly one value and keeps numbers as they are written.
func decodeJSON(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// encode is the body as it goes over the wire again. The error is a body that the recording does not hold.
func (b Body) encode() ([]byte, error) {
	switch b.Kind {
	case bodyEmpty:
		return nil, nil
	case bodyForm:
		return []byte(url.Values(b.Form).Encode()), nil
	case bodyJSON:
		return encodeJSON(b.JSON)
	}
	return nil, fmt.Errorf("a body of kind %s is not in the recording", b.Kind)
}

// encodeJSON leaves <, > and & alone, so that files can be read and bodies are what they were.
func encodeJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Text is the body of one or many answers. It is compressed at most once, however often it is written.
type Text struct {
	plain  []byte
	packed func() []byte // nil if the text is never compressed
}

// NewText makes a Text. It is compressed when it is first written to a client that accepts that.
func NewText(plain []byte) *Text {
	return &Text{plain, sync.OnceValue(func() []byte { return compress(plain) })}
}

// NewJSON makes the Text of a value.
func NewJSON(v any) (*Text, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return NewText(plain), nil
}

// NewPrivateJSON makes the Text of a value that may hold a secret. It is never compressed, because the length of a
// compressed answer could reveal the secret.
func NewPrivateJSON(v any) (*Text, error) {
	t, err := NewJSON(v)
	if err != nil {
		return nil, err
	}
	return &Text{plain: t.plain}, nil
}

// Plain returns the text. The caller must not change it.
func (t *Text) Plain() []byte { return t.plain }

// gzipLevel is a compromise: a higher level takes more time, which pays only for texts that are written many times.
const gzipLevel = 5

var gzipWriters = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzipLevel)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	return w
}}

func compress(plain []byte) []byte {
	var b bytes.Buffer
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&b)
	_, _ = w.Write(plain) // writing to memory never fails
	_ = w.Close()
	return b.Bytes()
}

// WriteText writes a text as the body of an answer with status 200, compressed if the client accepts it. The caller has
// set the content type.
func WriteText(w http.ResponseWriter, r *http.Request, t *Text) {
	body := t.plain
	if t.packed != nil {
		w.Header().Add("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			body = t.packed()
		}
	}
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// WriteAnswer writes an envelope with status 200.
func WriteAnswer(w http.ResponseWriter, r *http.Request, envelope *Text) {
	setAnswerHeaders(w.Header())
	WriteText(w, r, envelope)
}

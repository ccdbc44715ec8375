package wire

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Text is a part of answers that is compressed at most once, however often it is written. Its compressed form is a
// sequence of DEFLATE blocks that ends at a byte boundary and does not refer to data before it, so that the compressed
// forms of several texts in a row are one compressed stream (RFC 1951, and pigz --independent).
type Text struct {
	plain  []byte
	packed func() []byte
}

// NewText makes a Text. It is compressed when it is first written to a client that accepts that.
func NewText(plain []byte) *Text {
	return &Text{plain, sync.OnceValue(func() []byte { return deflate(plain) })}
}

// NewShortText makes a Text that is not worth compressing.
func NewShortText(plain []byte) *Text {
	return &Text{plain, func() []byte { return stored(plain) }}
}

// NewJSON makes the Text of a value.
func NewJSON(v any) (*Text, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return NewText(plain), nil
}

// Plain returns the text. The caller must not change it.
func (t *Text) Plain() []byte { return t.plain }

// deflateLevel is a compromise: a higher level takes more time, which pays only for texts that are written many times.
const deflateLevel = 5

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, deflateLevel)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	return w
}}

// deflate returns the text as DEFLATE blocks. None is marked as the last of the stream, because other texts may follow.
// Flush ends them at a byte boundary.
func deflate(plain []byte) []byte {
	var b bytes.Buffer
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&b)
	_, _ = w.Write(plain) // writing to memory never fails
	_ = w.Flush()
	return b.Bytes()
}

// stored returns DEFLATE blocks that hold the text uncompressed.
func stored(plain []byte) (blocks []byte) {
	const longest = 1<<16 - 1
	for part := range slices.Chunk(plain, longest) {
		n := uint16(len(part))
		blocks = binary.LittleEndian.AppendUint16(append(blocks, 0), n)
		blocks = append(binary.LittleEndian.AppendUint16(blocks, ^n), part...)
	}
	return blocks
}

// gzipHeader is the header of a stream without a name and a time (RFC 1952). lastBlock is an empty block that is marked
// as the last of a stream.
var (
	gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	lastBlock  = []byte{3, 0}
)

// WriteTexts writes texts in a row as the body of an answer with status 200, compressed if the client accepts it. The
// caller has set the content type.
func WriteTexts(w http.ResponseWriter, r *http.Request, texts ...*Text) {
	head := w.Header()
	head.Add("Vary", "Accept-Encoding")
	var body []byte
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		head.Set("Content-Encoding", "gzip")
		body = gzipped(texts)
	} else {
		for _, t := range texts {
			body = append(body, t.plain...)
		}
	}
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// gzipped joins the compressed forms of texts to one gzip stream.
func gzipped(texts []*Text) []byte {
	packed := make([][]byte, 0, len(texts)+2)
	packed = append(packed, gzipHeader)
	var sum, size uint32
	for _, t := range texts {
		packed = append(packed, t.packed())
		sum, size = crc32.Update(sum, crc32.IEEETable, t.plain), size+uint32(len(t.plain))
	}
	body := bytes.Join(append(packed, lastBlock), nil)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(body, sum), size)
}

// WriteText writes an answer that is already encoded.
func WriteText(w http.ResponseWriter, r *http.Request, answer *Text) {
	setAnswerHeaders(w.Header())
	WriteTexts(w, r, answer)
}

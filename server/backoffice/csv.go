package backoffice

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"marquee/server/fault"
	"marquee/server/wording"
)

// errFileNotText means that a file is not UTF-8 text.
var errFileNotText = fault.New(fault.Invalid, "file_not_utf8", "文件须为UTF-8编码").WithExplanation(
	"save the file as CSV in UTF-8")

// record is one record of a CSV file.
type record struct {
	fields  []string // one for each column
	line    int      // the line of the file on which the record starts, counted from 1
	topmost bool     // the first record of a file without column names
}

// readCSV parses every record of a CSV file. It skips a byte order mark, and a first record that contains the column
// names. It returns errFileNotText if the file is not UTF-8 text. If a record is not valid CSV, has another number of
// fields than columns, or is rejected by parse, the error contains its line. A file without records is an error, too.
func readCSV[T any](file io.Reader, columns []string, parse func(record) (T, error)) ([]T, error) {
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	text, err := wording.Document(string(content))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, errFileNotText)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = len(columns)
	var out []T
	for topmost := true; ; topmost = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, csv.ErrBareQuote) {
			err = fmt.Errorf(`%w: a field with quotation marks, such as ="1", is written "=""1"""`, err)
		}
		if errors.Is(err, csv.ErrFieldCount) {
			err = fmt.Errorf("%w: a line has %s, separated by commas", err, strings.Join(columns, ","))
		}
		if err != nil {
			return nil, fmt.Errorf("read the file: %w", err) // the error, a csv.ParseError, contains the line
		}
		if topmost && isHeader(row, columns) {
			continue
		}
		line, _ := r.FieldPos(0)
		v, err := parse(record{row, line, topmost})
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, errors.New("the file has no lines")
	}
	return out, nil
}

// isHeader reports whether a record contains the names of the columns.
func isHeader(row, columns []string) bool {
	for i, name := range columns {
		if !strings.EqualFold(asText(row[i]), name) {
			return false
		}
	}
	return true
}

// asText returns the content of a field that a spreadsheet has marked as text: the text in ="…" or after an apostrophe,
// without spaces around it.
func asText(field string) string {
	field = strings.TrimSpace(field)
	if text, found := strings.CutPrefix(field, `="`); found && strings.HasSuffix(text, `"`) {
		return strings.ReplaceAll(strings.TrimSuffix(text, `"`), `""`, `"`)
	}
	return strings.TrimPrefix(field, "'")
}

// textField returns a field in the form ="…", which a spreadsheet program keeps as text instead of turning it into a
// number or a date.
func textField(text string) string {
	if text == "" {
		return ""
	}
	return `="` + text + `"`
}

package backoffice

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readCSV parses every record of a CSV file. Line is the line of the file on which the record starts, counted from 1.
// A first record that repeats the column names is skipped, and so is a byte order mark. It returns an error that names
// the line if a record has another number of fields or parse refuses it, and an error if the file has no records.
func readCSV[T any](file io.Reader, columns []string, parse func(row []string, line int) (T, error)) ([]T, error) {
	r := csv.NewReader(file)
	r.FieldsPerRecord = len(columns)
	var out []T
	for first := true; ; first = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the file: %w", err) // csv.ParseError names the line
		}
		row[0] = strings.TrimPrefix(row[0], "\ufeff")
		if first && strings.EqualFold(strings.Join(row, ","), strings.Join(columns, ",")) {
			continue
		}
		line, _ := r.FieldPos(0)
		v, err := parse(row, line)
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

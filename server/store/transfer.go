package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marquee/server/fault"
)

// Faults of a transfer between two databases.
var (
	ErrSchemaDiffers = fault.New(fault.Conflict, "transfer_schema_differs", "数据库结构不一致").WithExplanation(
		"the two databases have different tables or columns: run shop migrate of the same release on both")
	ErrTargetNotEmpty = fault.New(fault.Conflict, "transfer_target_not_empty", "目标数据库不为空").WithExplanation(
		"the target contains rows that are not in the source: use an empty database")
	ErrContentsDiffer = fault.New(fault.Conflict, "transfer_contents_differ", "数据不一致").WithExplanation(
		"the copy differs from the source in the row of the error: do not use the copy")
	ErrTransferUnfinished = fault.New(fault.Conflict, "db_transfer_unfinished", "数据库复制尚未完成").WithExplanation(
		"a move or a restore into this database is unfinished: run it again to continue")
	ErrMovedAway = fault.New(fault.Conflict, "db_moved_away", "数据库已迁走").WithExplanation(
		"the shop was moved to the database of the message: set MARQUEE_DB to that. If the move is given up, and no " +
			"shop serves that database, shop move --from=DATABASE --take-back lets this one be served again")
	ErrNotAShop = fault.New(fault.Invalid, "db_not_a_shop", "不是本系统的数据库").WithExplanation(
		"the database does not contain a shop: check MARQUEE_DB")
)

// TransferMark is a table that a database has while a copy into it is unfinished. It is not part of the schema: it is
// created before the schema, and dropped before the database is used.
const TransferMark = "transfer_unfinished"

// MarkTransfer is the statement that creates the mark.
const MarkTransfer = `CREATE TABLE IF NOT EXISTS ` + TransferMark + ` (id BIGINT PRIMARY KEY)`

// ownTables are the tables that belong to the database and not to the shop: they are neither copied nor compared.
var ownTables = []string{"goose_db_version", "schema_support", ChecksumTable, "backups", TransferMark, movedMark}

// Progress is called with how many rows of a table are done.
type Progress func(table string, rows int64)

// Repaired is called for each text that a copy repairs: it contains NUL or invalid UTF-8 in the source, which are
// replaced by U+FFFD. The key is the primary key of the row, such as "id=17".
type Repaired func(table, key, column string)

// table describes a table for a transfer.
type table struct {
	name    string
	columns []string
	flags   []bool   // whether a column is a boolean of the engine
	key     []string // columns of the primary key
	self    []string // columns that refer to the table itself
	parents []string
}

// listColumns lists (table, column, type, position in the primary key or 0) by table and position.
var listColumns = map[Dialect]string{
	SQLite: `SELECT m.name, p.name, lower(p.type), p.pk FROM sqlite_schema m, pragma_table_info(m.name) p
		WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' ORDER BY m.name, p.cid`,
	PostgreSQL: `SELECT c.table_name::text, c.column_name::text, c.data_type::text, coalesce((
			SELECT k.ordinal_position FROM information_schema.key_column_usage k
			JOIN information_schema.table_constraints t
			ON t.constraint_name = k.constraint_name AND t.table_schema = k.table_schema AND t.table_name = k.table_name
			WHERE t.constraint_type = 'PRIMARY KEY' AND k.table_schema = c.table_schema AND k.table_name = c.table_name
			AND k.column_name = c.column_name), 0)::bigint
		FROM information_schema.columns c WHERE c.table_schema = current_schema()
		ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
}

// listParents lists (table, column, parent) of foreign keys.
var listParents = map[Dialect]string{
	SQLite: `SELECT m.name, f."from", f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' ORDER BY m.name, f."from"`,
	PostgreSQL: `SELECT c.relname::text, a.attname::text, p.relname::text FROM pg_constraint f
		JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
		JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey)
		WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, a.attname`,
}

// tables returns the tables of the shop, each after those that it refers to.
func (s *Stores) tables(ctx context.Context) ([]table, error) {
	type column struct {
		table, name, kind string
		key               int64
	}
	dialect := s.engine.Dialect()
	columns, err := queryAll(ctx, s, func(row scanner) (c column, err error) {
		return c, row.Scan(&c.table, &c.name, &c.kind, &c.key)
	}, listColumns[dialect])
	if err != nil {
		return nil, err
	}
	parents, err := queryAll(ctx, s, func(row scanner) (c column, err error) {
		return c, row.Scan(&c.table, &c.name, &c.kind)
	}, listParents[dialect])
	if err != nil {
		return nil, err
	}
	byName := map[string]*table{}
	keys := map[string]map[int64]string{}
	for _, c := range columns {
		if slices.Contains(ownTables, c.table) {
			continue
		}
		t := byName[c.table]
		if t == nil {
			t = &table{name: c.table}
			byName[c.table], keys[c.table] = t, map[int64]string{}
		}
		t.columns, t.flags = append(t.columns, c.name), append(t.flags, c.kind == "boolean")
		if c.key > 0 {
			keys[c.table][c.key] = c.name
		}
	}
	for name, key := range keys {
		for _, position := range slices.Sorted(maps.Keys(key)) {
			byName[name].key = append(byName[name].key, key[position])
		}
	}
	for _, p := range parents {
		switch t := byName[p.table]; {
		case t == nil:
		case p.kind == p.table:
			t.self = append(t.self, p.name)
		default:
			t.parents = append(t.parents, p.kind)
		}
	}
	return parentsFirst(byName), nil
}

// parentsFirst sorts tables so that each follows those that it refers to.
func parentsFirst(byName map[string]*table) []table {
	var sorted []table
	done := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		t := byName[name]
		if t == nil || done[name] {
			return
		}
		done[name] = true
		for _, parent := range t.parents {
			visit(parent)
		}
		sorted = append(sorted, *t)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		visit(name)
	}
	return sorted
}

// CountRows returns the number of rows of each table of the shop, all from the same commit.
func (s *Stores) CountRows(ctx context.Context) (map[string]int64, error) {
	tables, err := s.tables(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	return counts, s.view(ctx, func(q querier) error {
		for _, t := range tables {
			n, err := queryOne(ctx, q, scanValue[int64], nil, `SELECT count(*) FROM `+t.name)
			if err != nil {
				return fmt.Errorf("count %s: %w", t.name, err)
			}
			counts[t.name] = n
		}
		return nil
	})
}

// Copy copies every row of the shop from one database to another, whatever their engines, and compares the contents. It
// reads one commit of the source. Both schemas must be the same (ErrSchemaDiffers). The target must be empty, or
// contain the beginning of an earlier copy, which is continued (ErrTargetNotEmpty); copying again changes nothing. From
// the first write to the last the target has the TransferMark, so that no engine opens it for use. Texts that can no
// longer be stored are repaired in the copy and reported to repaired. progress and repaired may be nil. Copy returns
// the number of rows of each table, and ErrContentsDiffer with the table, the row and the column if the copy differs.
func Copy(
	ctx context.Context, from, to *Stores, progress Progress, repaired Repaired,
) (map[string]int64, error) {
	source, err := from.tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the schema of the source: %w", err)
	}
	target, err := to.tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the schema of the target: %w", err)
	}
	if err := sameSchema(source, target); err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	err = from.view(ctx, func(q querier) error {
		// Nothing is written until every table of the target is known to be empty or to begin like that of the source.
		present := map[string]int64{}
		for _, t := range source {
			if present[t.name], err = startOf(ctx, q, to, t); err != nil {
				return err
			}
		}
		for _, t := range target {
			i := slices.IndexFunc(source, func(s table) bool { return s.name == t.name })
			counts[t.name], err = copyTable(ctx, q, to, source[i], t, present[t.name], progress, repaired)
			if err != nil {
				return fmt.Errorf("copy %s: %w", t.name, err)
			}
		}
		return nil
	})
	if err != nil {
		return counts, err
	}
	return counts, finishCopy(ctx, to, target)
}

// sameSchema returns ErrSchemaDiffers if the tables or their columns differ. Their order does not matter.
func sameSchema(a, b []table) error {
	describe := func(list []table) map[string][]string {
		m := map[string][]string{}
		for _, t := range list {
			m[t.name] = slices.Sorted(slices.Values(t.columns))
		}
		return m
	}
	x, y := describe(a), describe(b)
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if !slices.Equal(x[name], y[name]) {
			return fmt.Errorf("%w: table %s", ErrSchemaDiffers, name)
		}
	}
	if len(x) != len(y) {
		return fmt.Errorf("%w: %d and %d tables", ErrSchemaDiffers, len(x), len(y))
	}
	return nil
}

// digest summarizes rows: their number and the sum of their hashes, which does not depend on their order.
type digest struct {
	rows int64
	sum  [4]uint64
}

// add adds a row.
func (c *digest) add(row []any) error {
	hash, err := hashRow(row)
	if err != nil {
		return err
	}
	for i := range c.sum {
		c.sum[i] += binary.BigEndian.Uint64(hash[8*i:])
	}
	c.rows++
	return nil
}

// hashRow hashes a row in an encoding that is the same for both engines: a flag is 0 or 1.
func hashRow(row []any) ([sha256.Size]byte, error) {
	var b []byte
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			b = append(b, 0)
		case int64:
			b = binary.BigEndian.AppendUint64(append(b, 1), uint64(v))
		case string:
			b = append(binary.BigEndian.AppendUint64(append(b, 2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.BigEndian.AppendUint64(append(b, 3), uint64(len(v))), v...)
		default:
			return [sha256.Size]byte{}, fmt.Errorf("a value of type %T", v)
		}
	}
	return sha256.Sum256(b), nil
}

// keyOf returns the primary key of a row, such as "id=17".
func (t table) keyOf(row []any) string {
	var parts []string
	for _, name := range t.key {
		switch v := row[slices.Index(t.columns, name)].(type) {
		case string:
			parts = append(parts, fmt.Sprintf("%s=%q", name, v))
		case []byte:
			parts = append(parts, fmt.Sprintf("%s=%x", name, v))
		default:
			parts = append(parts, fmt.Sprintf("%s=%v", name, v))
		}
	}
	return strings.Join(parts, ",")
}

// selectRows returns the query of the rows of a table in the order of its key, at most limit unless limit is negative.
// Without self, columns that refer to the table itself are selected as NULL.
func (t table) selectRows(columns []string, self bool, limit int64) string {
	list := slices.Clone(columns)
	for i, c := range list {
		if !self && slices.Contains(t.self, c) {
			list[i] = `NULL`
		}
	}
	query := `SELECT ` + strings.Join(list, `, `) + ` FROM ` + t.name + ` ORDER BY ` + strings.Join(t.key, `, `)
	if limit >= 0 {
		query += fmt.Sprintf(` LIMIT %d`, limit)
	}
	return query
}

// eachRow calls use with every row of a query, with flags as integers and texts as they are in the database.
func eachRow(ctx context.Context, q querier, query string, columns int, use func([]any) error) (err error) {
	rows, err := q.query(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		row, into := make([]any, columns), make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range row {
			switch v := v.(type) {
			case bool:
				row[i] = int64(0)
				if v {
					row[i] = int64(1)
				}
			case int32:
				row[i] = int64(v)
			case int16:
				row[i] = int64(v)
			}
		}
		if err := use(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// contentOf returns the digest of the first limit rows of a table, or of all of them if limit is negative.
func contentOf(ctx context.Context, q querier, t table, self bool, limit int64) (c digest, err error) {
	return c, eachRow(ctx, q, t.selectRows(t.columns, self, limit), len(t.columns), func(row []any) error {
		return c.add(storable(row))
	})
}

// difference describes how the target differs from the first limit rows of the source, or from all of them if limit is
// negative: the table, the row, and the column if both have the row. It is slow and keeps hashes of both tables in
// memory: call it only to explain an error.
func difference(ctx context.Context, source, target querier, t table, self bool, limit int64) (string, error) {
	hashes := func(q querier, limit int64) (map[string][]uint64, error) { // of each column, by the key of the row
		rows := map[string][]uint64{}
		return rows, eachRow(ctx, q, t.selectRows(t.columns, self, limit), len(t.columns), func(row []any) error {
			var list []uint64
			for _, value := range storable(row) {
				hash, err := hashRow([]any{value})
				if err != nil {
					return err
				}
				list = append(list, binary.BigEndian.Uint64(hash[:]))
			}
			rows[t.keyOf(row)] = list
			return nil
		})
	}
	want, err := hashes(source, limit)
	if err != nil {
		return "", err
	}
	got, err := hashes(target, -1)
	if err != nil {
		return "", err
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		for i, hash := range want[key] {
			switch {
			case got[key] == nil:
				return fmt.Sprintf("table %s, row %s is missing in the target", t.name, key), nil
			case got[key][i] != hash:
				return fmt.Sprintf("table %s, row %s, column %s", t.name, key, t.columns[i]), nil
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if want[key] == nil {
			return fmt.Sprintf("table %s, row %s is not in the source", t.name, key), nil
		}
	}
	return "table " + t.name, nil
}

// startOf returns how many rows of a table the target has. It returns ErrTargetNotEmpty unless they are the first rows
// of the source.
func startOf(ctx context.Context, source querier, to *Stores, t table) (int64, error) {
	present, err := contentOf(ctx, to, t, false, -1)
	if err != nil || present.rows == 0 {
		return 0, err
	}
	first, err := contentOf(ctx, source, t, false, present.rows)
	if err != nil {
		return 0, err
	}
	if first != present {
		where, err := difference(ctx, source, to, t, false, present.rows)
		return 0, errors.Join(fmt.Errorf("%w: %s", ErrTargetNotEmpty, where), err)
	}
	return present.rows, nil
}

const (
	batchRows   = 500    // in one transaction
	batchValues = 30_000 // in one statement: SQLite allows 32,766, PostgreSQL 65,535
)

// copyTable copies the rows of a table t, except the first done ones, which the target has already, and compares the
// contents. target is the same table as the target declares it.
func copyTable(
	ctx context.Context, source querier, to *Stores, t, target table, done int64, progress Progress, repaired Repaired,
) (int64, error) {
	columns := len(t.columns)
	most := max(1, min(batchRows, batchValues/columns))
	var batch [][]any
	skipped := int64(0)
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		rows := batch
		batch = nil
		done += int64(len(rows))
		if progress != nil {
			defer progress(t.name, done)
		}
		return to.withoutTriggers(ctx, t.name, func(w *writeTx) error {
			if _, err := w.exec(MarkTransfer); err != nil {
				return err
			}
			return insertRows(w, t, target, rows)
		})
	}
	before := done
	err := eachRow(ctx, source, t.selectRows(t.columns, false, -1), columns, func(row []any) error {
		if skipped < before {
			skipped++
			return nil
		}
		t.repair(row, repaired)
		if batch = append(batch, row); len(batch) < most {
			return nil
		}
		return flush()
	})
	if err = errors.Join(err, flush()); err != nil {
		return done, err
	}
	if err := copyReferences(ctx, source, to, t); err != nil {
		return done, err
	}
	want, err := contentOf(ctx, source, t, true, -1)
	if err != nil {
		return done, err
	}
	got, err := contentOf(ctx, to, t, true, -1)
	if err == nil && got != want {
		var where string
		where, err = difference(ctx, source, to, t, true, -1)
		err = errors.Join(fmt.Errorf("%w: %s; the source has %d rows and the target %d", ErrContentsDiffer, where,
			want.rows, got.rows), err)
	}
	return want.rows, err
}

// repair repairs the texts of a row, and calls repaired for each one that it changes.
func (t table) repair(row []any, repaired Repaired) {
	before := slices.Clone(row)
	storable(row)
	for i := range row {
		if text, ok := before[i].(string); ok && text != row[i] && repaired != nil {
			repaired(t.name, t.keyOf(row), t.columns[i])
		}
	}
}

// insertRows inserts rows whose columns are those of t into the table target.
func insertRows(w *writeTx, t, target table, rows [][]any) error {
	flags := map[string]bool{}
	for i, c := range target.columns {
		flags[c] = target.flags[i]
	}
	var values []any
	var lists []string
	for _, row := range rows {
		var places []string
		for i, v := range row {
			if n, isInt := v.(int64); isInt && flags[t.columns[i]] {
				v = n != 0
			}
			values = append(values, v)
			places = append(places, fmt.Sprintf(`$%d`, len(values)))
		}
		lists = append(lists, `(`+strings.Join(places, `, `)+`)`)
	}
	insert := `INSERT INTO ` + t.name + ` (` + strings.Join(t.columns, `, `) + `) VALUES ` + strings.Join(lists, `, `)
	_, err := w.exec(insert, values...)
	return err
}

// copyReferences sets the columns that refer to rows of the same table, which may not have existed when the row was
// inserted.
func copyReferences(ctx context.Context, source querier, to *Stores, t table) error {
	for _, column := range t.self {
		query := `SELECT ` + column + `, ` + strings.Join(t.key, `, `) + ` FROM ` + t.name +
			` WHERE ` + column + ` IS NOT NULL`
		set := `UPDATE ` + t.name + ` SET ` + column + ` = $1 WHERE ` + t.key[0] + ` = $2 AND ` + column + ` IS NULL`
		var rows [][]any
		if err := eachRow(ctx, source, query, 1+len(t.key), func(row []any) error {
			rows = append(rows, row)
			return nil
		}); err != nil {
			return err
		}
		for page := range slices.Chunk(rows, batchRows) {
			if err := to.withoutTriggers(ctx, t.name, func(w *writeTx) error {
				changed := int64(0)
				for _, row := range page {
					n, err := w.exec(set, row...)
					if err != nil {
						return err
					}
					changed += n
				}
				if changed == 0 {
					return nil
				}
				_, err := w.exec(MarkTransfer)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutTriggers runs a write transaction in which the triggers of a table are off. They are rules for changes, and a
// copy of valid rows may break them, for example an order of an account that was closed later.
func (s *Stores) withoutTriggers(ctx context.Context, name string, fn func(*writeTx) error) error {
	return s.write(ctx, func(w *writeTx) error {
		on := []string{`ALTER TABLE ` + name + ` ENABLE TRIGGER USER`}
		off := []string{`ALTER TABLE ` + name + ` DISABLE TRIGGER USER`}
		if s.engine.Dialect() == SQLite {
			type trigger struct{ name, text string }
			triggers, err := txQueryAll(w, func(row scanner) (t trigger, err error) {
				return t, row.Scan(&t.name, &t.text)
			}, `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = $1`, name)
			if err != nil {
				return err
			}
			on, off = nil, nil
			for _, t := range triggers {
				on, off = append(on, t.text), append(off, `DROP TRIGGER `+t.name)
			}
		}
		for _, statement := range off {
			if _, err := w.exec(statement); err != nil {
				return err
			}
		}
		if err := fn(w); err != nil {
			return err
		}
		for _, statement := range on {
			if _, err := w.exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// finishCopy makes PostgreSQL number new rows after the copied ones, and analyzes the tables for its query planner,
// which otherwise scans entire tables until the automatic analysis minutes later. SQLite needs neither. Then it removes
// TransferMark and the mark of an earlier move away from the target.
func finishCopy(ctx context.Context, to *Stores, tables []table) error {
	return to.write(ctx, func(w *writeTx) error {
		if to.engine.Dialect() != PostgreSQL {
			tables = nil
		}
		for _, t := range tables {
			if _, err := w.exec(`ANALYZE ` + t.name); err != nil {
				return fmt.Errorf("analyze %s: %w", t.name, err)
			}
			if !slices.Contains(t.columns, "id") {
				continue
			}
			if _, err := txQueryAll(w, scanValue[*int64], `SELECT setval(sequence, next, false) FROM (
				SELECT pg_get_serial_sequence('`+t.name+`', 'id') AS sequence,
					(SELECT coalesce(max(id), 0) + 1 FROM `+t.name+`) AS next) AS s
					WHERE sequence IS NOT NULL`); err != nil {
				return fmt.Errorf("number %s: %w", t.name, err)
			}
		}
		if _, err := w.exec(`DROP TABLE IF EXISTS ` + TransferMark); err != nil {
			return err
		}
		_, err := w.exec(dropMovedMark) // the shop was moved back to this database
		return err
	})
}

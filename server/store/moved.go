package store

import (
	"context"
	"fmt"
)

// movedMark is a table that a database has after its shop was moved to another one. Two databases of one shop must not
// be served: both would sell the same seats. Like TransferMark it is not part of the schema.
const movedMark = "moved_away"

const dropMovedMark = `DROP TABLE IF EXISTS ` + movedMark

// hasTable has the queries that report whether a table exists.
var hasTable = map[Dialect]string{
	SQLite:     `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)`,
	PostgreSQL: `SELECT to_regclass($1) IS NOT NULL`,
}

// CheckMoved returns ErrMovedAway with the present database of the shop if the shop was moved away from this one.
func (s *Stores) CheckMoved(ctx context.Context) error {
	moved, err := queryOne(ctx, s, scanValue[bool], nil, hasTable[s.engine.Dialect()], movedMark)
	if err != nil || !moved {
		return err
	}
	target, err := queryOne(ctx, s, scanValue[string], nil, `SELECT target FROM `+movedMark)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: to %s", ErrMovedAway, target)
}

// MoveAway records in this database to which database its shop was moved. target must not contain a password, because
// error messages quote it.
func (s *Stores) MoveAway(ctx context.Context, target string) error {
	return s.write(ctx, func(w *writeTx) error {
		statements := []string{
			`CREATE TABLE IF NOT EXISTS ` + movedMark + ` (target TEXT NOT NULL)`, `DELETE FROM ` + movedMark,
		}
		if s.engine.Dialect() == PostgreSQL { // for the roles of shops: their error quotes the target
			statements = append(statements, `GRANT SELECT ON `+movedMark+` TO PUBLIC`)
		}
		for _, statement := range statements {
			if _, err := w.exec(statement); err != nil {
				return err
			}
		}
		_, err := w.exec(`INSERT INTO `+movedMark+` (target) VALUES ($1)`, target)
		return err
	})
}

// TakeBack removes what MoveAway has recorded.
func (s *Stores) TakeBack(ctx context.Context) error {
	return s.write(ctx, func(w *writeTx) error {
		_, err := w.exec(dropMovedMark)
		return err
	})
}

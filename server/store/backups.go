package store

import (
	"context"

	"marquee/server/backoffice"
)

// RecordBackup records a backup of this database.
func (s *Stores) RecordBackup(ctx context.Context, b backoffice.Backup) error {
	return s.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO backups (at, name, release, bytes) VALUES ($1, $2, $3, $4)`,
			toEpoch(b.At), b.Name, b.Release, b.Bytes)
		return err
	})
}

// LastBackup implements ops.Backups. It returns the zero value if no backup is recorded.
func (s *Stores) LastBackup(ctx context.Context) (b backoffice.Backup, err error) {
	list, err := queryAll(ctx, s, func(row scanner) (b backoffice.Backup, err error) {
		var at int64
		err = row.Scan(&at, &b.Name, &b.Release, &b.Bytes)
		b.At = fromEpoch(at)
		return b, err
	}, `SELECT at, name, release, bytes FROM backups ORDER BY at DESC LIMIT 1`)
	if err != nil || len(list) == 0 {
		return b, err
	}
	return list[0], nil
}

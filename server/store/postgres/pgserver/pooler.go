package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"marquee/server/platform"
)

// Pooler is a running PgBouncer.
type Pooler struct {
	dir   string
	cmd   *exec.Cmd
	log   bytes.Buffer    // its messages; read them after ended
	ended <-chan struct{} // closed when the process has ended
}

// StartPooler starts PgBouncer in transaction mode in front of the server of a database, with default settings: it does
// not support prepared statements and rejects unknown startup parameters. It uses the PgBouncer that is installed on
// the machine, or unpacks Debian's package.
func StartPooler(ctx context.Context, database string) (_ *Pooler, err error) {
	root, err := ModuleRoot()
	if err != nil {
		return nil, err
	}
	owner, err := findOwner()
	if err != nil {
		return nil, err
	}
	found, err := exec.CommandContext(ctx, filepath.Join(root, "e2e", "setup", "debian-tool.sh"),
		"pgbouncer", "pgbouncer", "libraries").Output()
	if err != nil {
		return nil, fmt.Errorf("postgres: PgBouncer is needed: install it, or let debian-tool.sh unpack it: %w", err)
	}
	target, err := pgx.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "marquee-pooler-")
	if err != nil {
		return nil, fmt.Errorf("postgres: folder of the pooler: %w", err)
	}
	p := &Pooler{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Stop())
		}
	}()
	users, settings := filepath.Join(dir, "users.txt"), filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\n* = host=%s\n[pgbouncer]\npool_mode = transaction\nlisten_port = 5432\n"+
		"unix_socket_dir = %s\nauth_type = trust\nauth_file = %s\ndefault_pool_size = 4\n"+
		"log_connections = 0\nlog_disconnections = 0\n", target.Host, dir, users)
	err = errors.Join(owner.own(dir), os.WriteFile(users, []byte(`"`+User+`" ""`), 0o644),
		os.WriteFile(settings, []byte(text), 0o644))
	if err != nil {
		return nil, fmt.Errorf("postgres: settings of the pooler: %w", err)
	}
	p.cmd = owner.program(context.Background(), strings.TrimSpace(string(found)), settings)
	p.cmd.Stderr = &p.log
	if p.ended, err = platform.StartChild(p.cmd); err != nil {
		return nil, fmt.Errorf("postgres: start the pooler: %w", err)
	}
	return p, p.await(ctx, database)
}

// await returns when a query through the pooler succeeds.
func (p *Pooler) await(ctx context.Context, database string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	address, err := p.URL(database)
	if err != nil {
		return err
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, address)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("postgres: the pooler does not answer: %w", err)
		}
	}
}

// URL returns the URL, through the pooler, of a database of the server.
func (p *Pooler) URL(database string) (string, error) {
	u, err := url.Parse(database)
	if err != nil {
		return "", err
	}
	query := u.Query()
	query.Set("host", p.dir)
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// Stop ends the pooler. If it has ended before, the error has its messages.
func (p *Pooler) Stop() error {
	var early error
	if p.ended != nil {
		select {
		case <-p.ended:
			early = fmt.Errorf("postgres: the pooler has ended: %s\n%s", p.cmd.ProcessState, p.log.Bytes())
		default:
			_ = p.cmd.Process.Kill()
			<-p.ended
		}
	}
	return errors.Join(early, os.RemoveAll(p.dir))
}

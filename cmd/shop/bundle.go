package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/caarlos0/env/v11"

	"marquee/server/app"
)

type bundleCommand struct {
	File string `arg:"" help:"The zip file to write. It must not exist."`
}

// Help explains what the bundle contains.
func (bundleCommand) Help() string {
	return "Writes a zip file for support: variables without secrets, versions, the doctor's findings, the " +
		"metrics of " +
		"the running shop, queues, rows by table, and the latest changes without persons, subjects and " +
		"values. Secrets and " +
		"phone numbers are removed from every text. Read it before you send it.\n\nExit codes: 0 written, " +
		"9 an argument is invalid, 10 the file exists or cannot be written, 1 another error."
}

// Run writes the support bundle. If it cannot be completed, the file is removed.
func (c bundleCommand) Run(ctx context.Context, p *process) (err error) {
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	set := env.ToMap(os.Environ())
	if all, err := app.WithSecretFiles(set); err == nil { // otherwise the doctor reports the error in the bundle
		set = all
	}
	doctor := newDoctor(ctx, p)
	err = errors.Join(doctor.WriteBundle(ctx, file, set), file.Close(), doctor.Close())
	if err != nil {
		return errors.Join(err, os.Remove(c.File))
	}
	return p.printf(nil, "%s", c.File)
}

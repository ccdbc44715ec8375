package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"marquee/cmd/sim/staging"
)

// stagingCommand writes the environment of a shop that is configured as in production but uses the simulated providers.
type stagingCommand struct {
	Folder    string `arg:"" default:"data/staging" help:"Where the environment is written."`
	Addr      string `default:"${simAddr}" help:"Where the simulators listen (MARQUEE_SIM_ADDR), as the shop reaches them."`
	Name      string `default:"${hosts}" help:"A name of the simulators, of -sim-hosts (MARQUEE_SIM_HOSTS). It needs no DNS."`
	PublicURL string `required:"" name:"public-url" help:"The https address of the shop for buyers, such as https://shop.staging.example."`
}

// Help implements kong.HelpProvider.
func (stagingCommand) Help() string {
	return "Writes the environment of a shop that runs as in production and buys from running simulators. " +
		"cmd/shop/deploy/STAGING.md has the steps. Exit status: 0 if it is written, 1 if not, 2 if a flag is wrong."
}

// Run writes the environment and prints where.
func (c stagingCommand) Run(ctx context.Context, p *process) error {
	name, _, _ := strings.Cut(c.Name, ",")
	if name == "" {
		return withFailureStatus(errors.New("staging: -name is needed: start the simulators with -sim-hosts NAME"))
	}
	err := staging.Write(ctx, staging.Options{
		Folder: c.Folder, Simulators: "http://" + c.Addr, Name: name, PublicURL: c.PublicURL,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, filepath.Join(c.Folder, "environment"))
	return err
}

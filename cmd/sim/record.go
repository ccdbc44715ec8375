package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"marquee/simulators"
	"marquee/simulators/record"
)

type recordCommand struct {
	Provider string        `required:"" help:"What is recorded: ${providers}."`
	Target   string        `required:"" help:"The provider's base URL."`
	Listen   string        `default:"127.0.0.1:9191" help:"Where the proxy listens."`
	Out      string        `required:"" help:"The recording's file; it must not exist."`
	Timeout  time.Duration `default:"${timeout}" help:"How long the provider may take for an answer."`
}

// Help implements kong.HelpProvider.
func (recordCommand) Help() string {
	return "It serves until Ctrl-C. Exit status: 0 after Ctrl-C, 2 if it could not start or failed."
}

// Run serves a recording proxy until ctx ends.
func (c recordCommand) Run(ctx context.Context, p *process) error {
	o := record.ProxyOptions{
		Provider: c.Provider, Target: c.Target, Out: io.Discard, Timeout: c.Timeout,
		Logger: slog.New(slog.NewTextHandler(p.stderr, nil)),
	}
	if _, err := record.NewProxy(o); err != nil { // checks the options before the file is created
		return withFailureStatus(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return withFailureStatus(&record.Error{Code: "listen_failed", Message: err.Error()})
	}
	file, err := record.Create(c.Out)
	if err != nil {
		return withFailureStatus(errors.Join(err, listener.Close()))
	}
	o.Out = file
	proxy, err := record.NewProxy(o)
	if err != nil {
		return withFailureStatus(errors.Join(err, listener.Close(), file.Close()))
	}
	fmt.Fprintf(p.stdout, "recording   http://%s for %s at %s\n", listener.Addr(), c.Provider, c.Target)
	return withFailureStatus(errors.Join(serveUntil(ctx, listener, proxy, c.Timeout), file.Close()))
}

// serveUntil serves until ctx ends. Calls in progress may then take the grace period and one second more.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler, grace time.Duration) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace+time.Second)
		defer cancel()
		stopped <- server.Shutdown(ctx)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// replayFlags are the flags that replay and compare have in common.
type replayFlags struct {
	In          string        `required:"" help:"The recording."`
	Credentials string        `help:"A file of credentials for a target that is a provider; without it the target must be simulators, which return them."`
	World       string        `help:"The world of those simulators; the default one if empty."`
	WithWrites  bool          `help:"Also send calls that change something: orders, payments, messages."`
	Timeout     time.Duration `default:"${timeout}" help:"How long an answer may take."`
}

// open reads the recording, and the credentials of the target: from the file, or from the catalogue of the simulators.
func (f replayFlags) open(ctx context.Context, target string) (*record.Recording, record.ReplayOptions, error) {
	rec, err := record.ReadFile(f.In)
	if err != nil {
		return nil, record.ReplayOptions{}, err
	}
	var o record.ReplayOptions
	if f.Credentials == "" {
		o, err = record.AtSimulators(ctx, target, f.World, rec.Provider)
	} else {
		o.Target = target
		o.Credentials, err = record.ReadCredentials(f.Credentials, rec.Provider)
	}
	o.WithWrites, o.Timeout = f.WithWrites, f.Timeout
	return rec, o, err
}

type replayCommand struct {
	replayFlags
	Target string `required:"" help:"The base URL of another provider, or of simulators."`
	Out    string `help:"A file for the answers, which is a recording too; it must not exist."`
}

// Help implements kong.HelpProvider.
func (replayCommand) Help() string { return "Exit status: 0 if every call had an answer, else 2." }

// Run sends the calls of a recording to another target and prints the answers.
func (c replayCommand) Run(ctx context.Context, p *process) error {
	rec, o, err := c.open(ctx, c.Target)
	if err != nil {
		return withFailureStatus(err)
	}
	if c.Out == "" {
		return withFailureStatus(record.Replay(ctx, rec, o, p.stdout, nil))
	}
	file, err := record.Create(c.Out)
	if err != nil {
		return withFailureStatus(err)
	}
	return withFailureStatus(errors.Join(record.Replay(ctx, rec, o, p.stdout, file), file.Close()))
}

type compareCommand struct {
	replayFlags
	Target string `help:"The simulators, or with --credentials a provider; if empty, simulators are started for it."`
	JSON   bool   `name:"json" help:"Print the report or the error as JSON."`
}

// Help implements kong.HelpProvider.
func (compareCommand) Help() string {
	return "Exit status, as of diff: 0 equal, 1 different, 2 an error."
}

// Run prints where the answers of a target differ in shape from a recording. It ends with exitDifferent if they do.
func (c compareCommand) Run(ctx context.Context, p *process) error {
	report, err := compare(ctx, c)
	if err != nil {
		var known *record.Error
		if c.JSON && errors.As(err, &known) {
			_ = json.NewEncoder(p.stdout).Encode(map[string]any{"error": known})
		}
		return withFailureStatus(err)
	}
	if c.JSON {
		encoder := json.NewEncoder(p.stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.Text(p.stdout)
	}
	if err == nil && len(report.Differences) > 0 {
		return &exit{exitDifferent, nil}
	}
	return withFailureStatus(err)
}

// compare compares a recording with a target. Without a target it starts simulators for the comparison.
func compare(ctx context.Context, c compareCommand) (report *record.Report, err error) {
	if c.Target == "" && c.Credentials != "" {
		return nil, &record.Error{Code: "bad_target", Message: "-credentials needs -target"}
	}
	if c.Target == "" {
		if _, err := os.Stat(c.In); err != nil {
			return nil, &record.Error{Code: "bad_recording", Message: err.Error()}
		}
		sims, err := simulators.Start(simulators.Options{})
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, sims.Close()) }()
		c.Target = sims.URL()
	}
	rec, o, err := c.open(ctx, c.Target)
	if err != nil {
		return nil, err
	}
	return record.Compare(ctx, rec, o)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/record"
)

// runRecord serves a recording proxy until ctx ends.
func runRecord(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("record")
	provider := flags.String("provider", "", "what is recorded: "+strings.Join(record.Providers(), ", "))
	target := flags.String("target", "", "the provider's base URL")
	listen := flags.String("listen", "127.0.0.1:9191", "where the proxy listens")
	out := flags.String("out", "", "the recording's file; it must not exist")
	credentials := flags.String("credentials", "",
		"a file of credentials to sign every call anew with; without it the caller's signature is passed on")
	timeout := flags.Duration("timeout", record.DefaultTimeout, "how long the provider may take for an answer")
	if err := parse(flags, stdout, args, "provider", "target", "out"); err != nil {
		return err
	}
	var keys *dataset.Credentials
	if *credentials != "" {
		read, err := record.ReadCredentials(*credentials, *provider)
		if err != nil {
			return withFailureStatus(err)
		}
		keys = &read
	}
	o := record.ProxyOptions{
		Provider: *provider, Target: *target, Out: io.Discard, Credentials: keys, Listen: *listen, Timeout: *timeout,
		Logger: slog.New(slog.NewTextHandler(stderr, nil)),
	}
	if _, err := record.NewProxy(o); err != nil { // checks the options before the file is created
		return withFailureStatus(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *listen)
	if err != nil {
		return withFailureStatus(&record.Error{Code: "listen_failed", Message: err.Error()})
	}
	file, err := record.Create(*out)
	if err != nil {
		return withFailureStatus(errors.Join(err, listener.Close()))
	}
	o.Out = file
	proxy, err := record.NewProxy(o)
	if err != nil {
		return withFailureStatus(errors.Join(err, listener.Close(), file.Close()))
	}
	fmt.Fprintf(stdout, "recording   http://%s for %s at %s\n", listener.Addr(), *provider, *target)
	return withFailureStatus(errors.Join(serveUntil(ctx, listener, proxy, *timeout), file.Close()))
}

// serveUntil serves until ctx ends. Calls under way may then take the grace period and one second more.
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
	in, target, credentials, world string
	withWrites                     bool
	timeout                        time.Duration
}

// declare adds the flags to a set. target describes the flag of that name.
func (f *replayFlags) declare(flags *flag.FlagSet, target string) {
	flags.StringVar(&f.in, "in", "", "the recording")
	flags.StringVar(&f.target, "target", "", target)
	flags.StringVar(&f.credentials, "credentials", "",
		"a file of credentials for a target that is a provider; without it the target is simulators, and is asked "+
			"for them")
	flags.StringVar(&f.world, "world", "", "the world of those simulators; none is the default one")
	flags.BoolVar(&f.withWrites, "with-writes", false,
		"also send calls that change something: orders, payments, messages")
	flags.DurationVar(&f.timeout, "timeout", record.DefaultTimeout, "how long an answer may take")
}

// open reads the recording, and the credentials of the target: from the file, or from the catalogue of the simulators.
func (f *replayFlags) open(ctx context.Context) (*record.Recording, record.ReplayOptions, error) {
	rec, err := record.ReadFile(f.in)
	if err != nil {
		return nil, record.ReplayOptions{}, err
	}
	var o record.ReplayOptions
	if f.credentials == "" {
		o, err = record.AtSimulators(ctx, f.target, f.world, rec.Provider)
	} else {
		o.Target = f.target
		o.Credentials, err = record.ReadCredentials(f.credentials, rec.Provider)
	}
	o.WithWrites, o.Timeout = f.withWrites, f.timeout
	return rec, o, err
}

// runReplay sends the calls of a recording to another target and prints what it answers.
func runReplay(ctx context.Context, args []string, stdout, _ io.Writer) error {
	flags := newFlags("replay")
	var f replayFlags
	f.declare(flags, "the base URL of another provider, or of simulators")
	out := flags.String("out", "", "a file for the answers, which is a recording too; it must not exist")
	if err := parse(flags, stdout, args, "in", "target"); err != nil {
		return err
	}
	rec, o, err := f.open(ctx)
	if err != nil {
		return withFailureStatus(err)
	}
	if *out == "" {
		return withFailureStatus(record.Replay(ctx, rec, o, stdout, nil))
	}
	file, err := record.Create(*out)
	if err != nil {
		return withFailureStatus(err)
	}
	return withFailureStatus(errors.Join(record.Replay(ctx, rec, o, stdout, file), file.Close()))
}

// runCompare prints where the answers of a target differ in shape from a recording. It ends with exitDifferent if they
// do.
func runCompare(ctx context.Context, args []string, stdout, _ io.Writer) error {
	flags := newFlags("compare")
	var f replayFlags
	f.declare(flags, "the simulators, or with -credentials a provider; none: simulators are started for it")
	asJSON := flags.Bool("json", false, "the report, or what went wrong, as JSON")
	if err := parse(flags, stdout, args, "in"); err != nil {
		return err
	}
	report, err := compare(ctx, f)
	if err != nil {
		var known *record.Error
		if *asJSON && errors.As(err, &known) {
			_ = json.NewEncoder(stdout).Encode(map[string]any{"error": known})
		}
		return withFailureStatus(err)
	}
	if *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.Text(stdout)
	}
	if err == nil && len(report.Differences) > 0 {
		return &exit{exitDifferent, nil}
	}
	return withFailureStatus(err)
}

// compare compares a recording with a target. Without a target it starts simulators for the comparison.
func compare(ctx context.Context, f replayFlags) (report *record.Report, err error) {
	if f.target == "" && f.credentials != "" {
		return nil, &record.Error{Code: "bad_target", Message: "-credentials needs the -target that they are for"}
	}
	if f.target == "" {
		if _, err := os.Stat(f.in); err != nil {
			return nil, &record.Error{Code: "bad_recording", Message: err.Error()}
		}
		sims, err := simulators.Start(simulators.Options{})
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, sims.Close()) }()
		f.target = sims.URL()
	}
	rec, o, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	return record.Compare(ctx, rec, o)
}

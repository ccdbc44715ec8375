package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"marquee/server/app"
	"marquee/simulators/preset"
	"marquee/simulators/record"
)

// Further exit statuses.
const (
	exitDifferent = 1 // the command compare found a difference; diff has the same status
	exitFailure   = 2 // the command line is wrong or has an unusable file or address; record, replay or compare failed
	exitVerdict   = 3 // a call to the simulators had one of the verdicts of -fail-on
)

// exit is an error with a specific exit status. Nothing is printed for a nil err.
type exit struct {
	status int
	err    error
}

// Error is the text of err; an exit without one is not printed.
func (e *exit) Error() string { return fmt.Sprint(e.err) }

// Unwrap returns err, which may be nil.
func (e *exit) Unwrap() error { return e.err }

// withFailureStatus gives an error the exit status exitFailure. Nil stays nil.
func withFailureStatus(err error) error {
	if err == nil {
		return nil
	}
	return &exit{exitFailure, err}
}

// coded gives an error the exit status exitFailure, and puts a stable code for scripts at the beginning of its message.
// simulators/README.md lists the codes. Nil stays nil.
func coded(code string, err error) error {
	if err == nil {
		return nil
	}
	return withFailureStatus(fmt.Errorf("%s: %w", code, err))
}

// commands declares the commands of the program. The parser and the help use it.
type commands struct {
	VersionFlag kong.VersionFlag `name:"version" help:"Print the version and exit."`

	Run     options        `cmd:"" default:"withargs" help:"Serve the simulators and the shop until Ctrl-C (the default)."`
	Version versionCommand `cmd:"" help:"Print the version, the commit and the versions of the engines."`
	Cluster clusterCommand `cmd:"" help:"PostgreSQL, the simulators and three replicas of the shop behind a balancer, until Ctrl-C."`
	Get     getCommand     `cmd:"" help:"Send a GET request to the simulators and print the answer."`
	Health  healthCommand  `cmd:"" help:"Check whether simulators are running, for containers and CI."`
	Staging stagingCommand `cmd:"" help:"Write the environment of a shop that runs as in production with running simulators."`
	Reset   resetCommand   `cmd:"" help:"Delete the database of earlier runs; not while one runs."`
	Record  recordCommand  `cmd:"" help:"A proxy in front of a real provider that writes its answers to a file, without secrets."`
	Replay  replayCommand  `cmd:"" help:"Send the calls of a recording to another address and print the answers."`
	Compare compareCommand `cmd:"" help:"Report where the simulators' answers have another shape than the recorded ones."`
}

const description = `The full stack offline: the simulated providers and the shop in one process, on one clock.

The shop is on http://127.0.0.1:8080, the simulators' console on http://127.0.0.1:9090, a phone with the messaging app on
http://127.0.0.1:9090/phone. HTTPS is on https://127.0.0.1:9443, and for every vendor's host by
HTTPS_PROXY=http://127.0.0.1:9090; trust http://127.0.0.1:9090/sim/v1/ca.pem.

The database is kept between runs, and business time continues from the last run. shop verify and shop admin can work on
it at the same time.

The flags of a run: sim run --help

` + runStatus

// runStatus describes the exit statuses of a run.
const runStatus = `Exit status: 0 after Ctrl-C or SIGTERM; 1 if it could not start or failed; 2 if the command line is wrong or has an
unusable file; 3 if a call had a verdict of --fail-on.`

// process is what a command gets from the operating system.
type process struct{ stdout, stderr io.Writer }

// variables are the values that the help texts and the defaults of the commands insert. An empty variable of the
// environment counts as not set.
func variables() kong.Vars {
	set := func(name, otherwise string) string { return cmp.Or(os.Getenv(name), otherwise) }
	return kong.Vars{
		"version": version, "addr": set("MARQUEE_ADDR", "127.0.0.1:8080"),
		"simAddr": set("MARQUEE_SIM_ADDR", "127.0.0.1:9090"), "adminAddr": set("MARQUEE_ADMIN_ADDR", "127.0.0.1:0"),
		"tlsAddr": set("MARQUEE_SIM_TLS_ADDR", ""), "defaultTLSAddr": defaultTLSAddr,
		"authority": set("MARQUEE_SIM_AUTHORITY", defaultAuthority), "hosts": set("MARQUEE_SIM_HOSTS", ""),
		"apps": set("MARQUEE_SIM_APPS", ""), "presets": strings.Join(preset.Names(), ", "),
		"db":     set("MARQUEE_DB", defaultDB),
		"dbHelp": "The shop's SQLite file or postgres:// URL; postgres: a separate server for it (MARQUEE_DB).",
		"shop":   siblingProgram("shop"), "providers": strings.Join(record.Providers(), ", "),
		"timeout": record.DefaultTimeout.String(),
	}
}

type versionCommand struct{}

// Run prints what identifies this build.
func (versionCommand) Run(p *process) error {
	_, err := io.WriteString(p.stdout, app.Version(version))
	return err
}

// run parses the arguments and runs a command. Nothing is opened before the arguments are known to be valid.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var grammar commands
	printed := false // help or version was printed, after which kong calls its Exit function
	parser, err := kong.New(&grammar, kong.Name("sim"), kong.Description(description), variables(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Writers(stdout, stderr),
		kong.Exit(func(int) { printed = true }), kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(&process{stdout, stderr}))
	if err != nil {
		return fmt.Errorf("build the command line: %w", err)
	}
	command, err := parser.Parse(longFlags(args))
	if printed {
		return nil
	}
	if err != nil {
		return withFailureStatus(fmt.Errorf("%w (see sim --help and sim COMMAND --help)", err))
	}
	return command.Run()
}

// longFlags accepts flags with one dash, and help in addition to --help.
func longFlags(args []string) (long []string) {
	for _, arg := range args {
		if len(arg) > 2 && arg[0] == '-' && unicode.IsLetter(rune(arg[1])) {
			arg = "-" + arg
		}
		long = append(long, arg)
	}
	if len(long) > 0 && long[0] == "help" {
		return append(long[1:], "--help")
	}
	return long
}

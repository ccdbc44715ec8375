// Command shop is the shop's server and its back office. It is configured by environment variables; shop -help lists
// the commands and the variables.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // root certificates for images that have none

	"marquee/server/app"
	"marquee/server/backoffice"
	"marquee/server/fault"
)

// version is set by the linker.
var version = "dev"

// gcPercent is the garbage collector's GOGC, which trades memory for processor time: the heap of a shop is a few tens
// of MB, and at Go's default of 100 the collector takes a seventh of the processor time of a purchase. Near the memory
// limit it runs earlier.
const gcPercent = 400

func main() {
	// A closed terminal and some log rotations send SIGHUP, which would otherwise end the process without finishing the
	// requests in progress.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	// Set GOMEMLIMIT, if it is missing, to nine tenths of the limit of the cgroup. Without a cgroup there is no limit.
	_, _ = memlimit.Set()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		stop()
		os.Exit(exitCode(err)) // stop has run
	}
}

// commands declares the commands of the program. The parser, -help and the test of the READMEs use it.
type commands struct {
	VersionFlag kong.VersionFlag `name:"version" help:"Print the version and exit."`

	Run         serveCommand       `cmd:"" default:"1" help:"Serve the shop and run its jobs until SIGINT or SIGTERM (the default)."`
	Verify      verifyCommand      `cmd:"" help:"Cross-check ledger, seats, stock, codes, payments and orders of MARQUEE_DB."`
	Migrate     migrateCommand     `cmd:"" help:"Bring the schema of MARQUEE_DB up to this release."`
	Reconcile   reconcileCommand   `cmd:"" help:"Compare the books of a day with the gateway's bills and the ticket sources' order lists."`
	Trace       showOrder          `cmd:"" help:"Print everything about an order, with its timeline, as admin order show does."`
	Doctor      doctorCommand      `cmd:"" help:"Check configuration, database, providers, clocks, certificates and ages; change nothing."`
	Backup      backupCommand      `cmd:"" help:"Write a copy of MARQUEE_DB to a file while the shop serves it."`
	Restore     restoreCommand     `cmd:"" help:"Put a backup into MARQUEE_DB, of either engine."`
	Move        moveCommand        `cmd:"" help:"Copy a shop between SQLite and PostgreSQL, and compare the contents."`
	Bundle      bundleCommand      `cmd:"" help:"Write a zip file for support, without secrets and personal data."`
	Healthcheck healthcheckCommand `cmd:"" help:"Ask the running shop whether it is ready, as the probe of an image without a shell."`
	Environment environmentCommand `cmd:"" help:"Print an environment file with every variable, its meaning and its default."`
	Version     versionCommand     `cmd:"" help:"Print the version, the commit and the versions of the engines."`
	Admin       adminCommands      `cmd:"" help:"Back office. Every change is recorded in the audit."`
}

type environmentCommand struct{}

// Run prints the variables in the form that systemd and Compose read. Those that are not required are commented out.
func (environmentCommand) Run(p *process) error {
	var b strings.Builder
	for _, v := range app.Variables() {
		line := v.Name + "=" + v.Default
		if v.Required == "" {
			line = "#" + line
		}
		fmt.Fprintf(&b, "# %s%s\n%s\n\n", v.Help, notesOf(v), line)
	}
	_, err := io.WriteString(p.stdout, strings.TrimSuffix(b.String(), "\n"))
	return err
}

// notesOf returns, in brackets, whether a variable is required and whether it is a secret.
func notesOf(v app.Variable) (notes string) {
	switch v.Required {
	case "always":
		notes = " (required)"
	case app.Production:
		notes = " (required in production)"
	}
	if v.Secret {
		notes += " (secret)"
	}
	return notes
}

type versionCommand struct{}

// Run prints what identifies this build.
func (versionCommand) Run(p *process) error {
	_, err := io.WriteString(p.stdout, app.Version(version))
	return err
}

// process is what a command gets from the operating system.
type process struct {
	stdout io.Writer
	stderr io.Writer // progress of long work, and the log
	log    *slog.Logger
	level  *slog.LevelVar // of log: INFO until the configuration is read
}

// inMilliseconds writes a duration as a number in milliseconds and says so in its name: took becomes took_ms.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(a.Key+"_ms", float64(a.Value.Duration())/float64(time.Millisecond))
}

// printf prints a line to standard output. If err is not nil, it prints nothing and returns err.
func (p *process) printf(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, format+"\n", args...)
	return err
}

// variables are the values that the help texts and the defaults of the commands insert.
func variables() kong.Vars { return kong.Vars{"version": version, "operator": systemUser()} }

// run parses the arguments and runs a command. Nothing is opened before the arguments are known to be valid.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	p := &process{stdout: stdout, stderr: stderr, level: new(slog.LevelVar)}
	p.log = slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: p.level, ReplaceAttr: inMilliseconds}))
	printed := false // help or version, after which kong wants the program to exit
	var grammar commands
	var opened *app.App
	parser, err := kong.New(&grammar,
		kong.Name("shop"), kong.Description("The shop. It is configured by environment variables."),
		variables(), kong.Help(printHelp), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { printed = true }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(p),
		kong.BindToProvider(func(command *kong.Context) (office *backoffice.BackOffice, err error) {
			opened, office, err = openBackOffice(ctx, p.log, grammar.Admin.By, !creates(command.Selected()))
			return office, err
		}))
	if err != nil {
		return fmt.Errorf("build the command line: %w", err)
	}
	command, err := parser.Parse(longFlags(args))
	if printed {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w (%s)", errArguments, err, errArguments.Explanation)
	}
	err = explain(command.Run(command))
	if opened != nil {
		err = errors.Join(err, opened.Close())
	}
	return err
}

// longFlags accepts -help, -version and help in addition to --help and --version.
func longFlags(args []string) []string {
	if len(args) == 0 {
		return args
	}
	switch args[0] {
	case "-help", "-version":
		return append([]string{"-" + args[0]}, args[1:]...)
	case "help":
		return append([]string{"--help"}, args[1:]...)
	}
	return args
}

// printHelp adds the environment variables to the help of the program.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	err := kong.DefaultHelpPrinter(options, ctx)
	if command := ctx.Command(); err != nil || command != "" && command != "run" {
		return err
	}
	var b strings.Builder
	b.WriteString("\nEnvironment:\n")
	for _, v := range app.Variables() {
		fmt.Fprintf(&b, "  %-30s %s", v.Name, v.Help)
		if v.Default != "" {
			fmt.Fprintf(&b, " (default %s)", v.Default)
		}
		b.WriteString(notesOf(v) + "\n")
	}
	_, err = io.WriteString(ctx.Stdout, b.String())
	return err
}

// explain adds the explanation of the fault in err: its English explanation or, if it has none, its message for buyers.
// A failure of the database already contains its explanation.
func explain(err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) && !app.IsDatabaseFailure(err) {
		err = withFileFault(err)
	}
	if !errors.As(err, &f) {
		return err
	}
	return fmt.Errorf("%w: %s", err, cmp.Or(f.Explanation, f.Message))
}

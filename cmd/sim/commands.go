package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Exit statuses besides 0 and 1.
const (
	exitDifferent = 1 // compare found a difference, as diff reports it
	exitFailure   = 2 // the command line is wrong or names what cannot be used; record, replay or compare failed
	exitVerdict   = 3 // the run had a call with a verdict of -fail-on
)

// exit is an error with an exit status of its own. Nothing is printed for a nil err.
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

// coded is withFailureStatus with a stable code for scripts, which the message begins with. README.md lists the codes.
func coded(code string, err error) error {
	if err == nil {
		return nil
	}
	return withFailureStatus(fmt.Errorf("%s: %w", code, err))
}

// A command is what the first argument chooses. Without one, sim serves.
type command struct {
	name    string
	args    string // what it takes besides flags
	summary string // one line of sim help
	details string // what sim help NAME adds to it: arguments, results, exit status
	run     func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// commands lists every command but help, in the order of sim help.
func commands() []command {
	return []command{
		{"cluster", "", "PostgreSQL, the simulators and three replicas of the shop behind a balancer, until Ctrl-C",
			"Every replica is a process of its own, so that it can be killed; it is started again.\n" +
				"Exit status: 0 after Ctrl-C, 1 if it could not start or work, 2 if a flag is wrong.", runCluster},
		{"get", "ADDRESS", "print what an address of the simulators answers",
			"It is for scripts on machines without curl, and uses no proxy.\n" +
				"Exit status: 0 if the answer's status is below 400, else 1; 2 if the address is wrong.", runGet},
		{"health", "", "ask running simulators whether they serve, for containers and CI",
			"With -wait 30s it asks until they do.\n" +
				"Exit status: 0 if simulators serve, 1 if not, 2 if a flag is wrong.", runHealth},
		{"reset", "", "delete the database of earlier runs; not while one runs",
			"Exit status: 0 if nothing is left, 1 if a process serves the database, 2 if a flag is wrong.", runReset},
		{"record", "", "a proxy in front of a real provider that writes its answers to a file, without secrets",
			"It serves until Ctrl-C.\nExit status: 0 after Ctrl-C, 2 if it could not start or work.", runRecord},
		{"replay", "", "send the calls of a recording to another address and print what it answers",
			"Exit status: 0 if every call had an answer, else 2.", runReplay},
		{"compare", "", "report where the simulators' answers have another shape than the recorded ones",
			"Exit status, as of diff: 0 alike, 1 different, 2 trouble.", runCompare},
	}
}

// commandNamed returns the command with a name. The error lists the names.
func commandNamed(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, withFailureStatus(fmt.Errorf("unknown command %q; commands: %s (sim help explains them)",
		name, strings.Join(append(names, "help"), ", ")))
}

// summaries are the lines of sim help about the commands.
func summaries() string {
	var text strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&text, "  sim %-17s %s\n", strings.TrimSpace(c.name+" "+c.args), c.summary)
	}
	return text.String()
}

// runHelp explains one command, or lists all commands and the flags of serving.
func runHelp(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) == 0 || len(args) == 1 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]):
		return serve(ctx, []string{"-help"}, stdout, stderr)
	case len(args) > 1:
		return withFailureStatus(fmt.Errorf("sim help explains one command, not %q", args))
	}
	c, err := commandNamed(args[0])
	if err != nil {
		return err
	}
	return c.run(ctx, []string{"-help"}, stdout, stderr)
}

// newFlags returns the flag set of a command. It prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {} // a wrong flag is answered with one line, and -help with the flags
	return flags
}

// parse reads the flags. It refuses further arguments, and required flags that are empty, with exitFailure. -help
// prints what the command does and its flags, and ends it with status 0.
func parse(flags *flag.FlagSet, stdout io.Writer, args []string, required ...string) error {
	if err := parseFlags(flags, stdout, args, required...); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return withFailureStatus(fmt.Errorf("sim %s takes flags only, not %q", flags.Name(), flags.Arg(0)))
	}
	for _, name := range required {
		if flags.Lookup(name).Value.String() == "" {
			return withFailureStatus(fmt.Errorf("sim %s needs -%s", flags.Name(), name))
		}
	}
	return nil
}

// parseFlags is parse for a command that takes arguments besides flags.
func parseFlags(flags *flag.FlagSet, stdout io.Writer, args []string, required ...string) error {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		if err := explain(flags, stdout, required); err != nil {
			return err
		}
		return &exit{}
	case err != nil:
		return withFailureStatus(fmt.Errorf("%w (sim %s -help lists what there is)", err, flags.Name()))
	}
	return nil
}

// explain prints the help of a command. Of the required flags, those without a default are named.
func explain(flags *flag.FlagSet, stdout io.Writer, required []string) error {
	c, err := commandNamed(flags.Name())
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "sim %s: %s\n\n%s\n", strings.TrimSpace(c.name+" "+c.args), c.summary, c.details)
	required = slices.DeleteFunc(slices.Clone(required), func(name string) bool {
		return flags.Lookup(name).DefValue != ""
	})
	if len(required) > 0 {
		fmt.Fprintf(stdout, "It needs -%s.\n", strings.Join(required, ", -"))
	}
	declared := 0
	flags.VisitAll(func(*flag.Flag) { declared++ })
	if declared > 0 {
		fmt.Fprintln(stdout, "\nFlags, with the variables that set them too:")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
	}
	return nil
}

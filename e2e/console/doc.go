// Package console holds the suite of the simulators' console: a tester's laptop and telephone, the simulated providers
// in the test's own process, and an integration under test that calls them while the console looks on.
package console

// Package console tests the simulators' console and phone page in a desktop browser and on a phone. The simulated
// providers run in the test's process; the tests call them as an integration would, and the console shows the calls.
package console

// Package consumer tests the shop's clients as consumers of the four providers, behind the build tag pact. The tests
// record in ../pacts what the clients send and expect.
package consumer

// Package consumer holds nothing but tests, behind the tag pact: the shop's clients as consumers of the four providers. What
// they send, and what they expect, is recorded into ../pacts.
package consumer

// Package buying buys tickets of both sources in a browser, in a plain mobile browser and inside the messaging app:
// from the cinema to the ticket or the refund, and with every failure on the way.
package buying

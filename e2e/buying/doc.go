// Package buying walks through purchases in a browser, from the cinema to the ticket or to the money's way back: as a
// plain mobile browser and inside the messaging app, of both sources, and with everything that goes wrong on the way.
package buying

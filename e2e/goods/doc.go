// Package goods buys what the shop sells besides tickets, in a browser: as a plain mobile browser and inside the
// messaging app, with points, with the messaging app and with both, and with everything that goes wrong on the way.
package goods

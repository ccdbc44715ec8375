// Package goods buys what the shop sells besides tickets, in a plain mobile browser and inside the messaging app: with
// points, with the messaging app and with both, and with every failure on the way.
package goods

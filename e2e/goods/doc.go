// Package goods buys vouchers and recharges of accounts, in a plain mobile browser and inside the messaging app: with
// points, with the messaging app and with both. It also tests what can fail on the way. Package cards buys points.
package goods

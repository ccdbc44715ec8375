// Package cards uses welfare cards in a browser: binding, merging, recharging, records and deletion. It also changes
// the buyer's picture.
package cards

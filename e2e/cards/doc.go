// Package cards uses welfare cards in a browser: binding them in three ways, merging, recharging, their records and
// their end, and the buyer's own page.
package cards

// Package visiting walks through everything around a purchase in a browser: logging in and out, cities, films and
// cinemas, cards, orders and the buyer's own page.
package visiting

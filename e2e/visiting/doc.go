// Package visiting uses everything around a purchase in a browser: login, cities, films, cinemas, cards, orders and the
// buyer's own page.
package visiting

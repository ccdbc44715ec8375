package main

import "strings"

// areaPrices reads "A:4200,B:5200".
func areaPrices(text string) map[string]string {
	prices := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if area, price, ok := strings.Cut(pair, ":"); ok {
			prices[area] = price
		}
	}
	return prices
}

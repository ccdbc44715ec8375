// Package screens looks at every screen: on a phone of 390×844 and on one 320 pixels wide, by day and by night, full,
// empty and failing. No rule of axe-core may be broken and nothing may stick out sideways. With MARQUEE_SCREENS=1, as
// `make screens` has it, what it looked like is kept in e2e/artifacts/screens for people to look at.
package screens

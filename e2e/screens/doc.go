// Package screens examines every screen on phones of 390×844 and 320×640 pixels, by day and by night, full, empty and
// failing. A screen may not violate a rule of axe-core, and may not be wider than the phone. With MARQUEE_SCREENS=1, as
// in `make screens`, screenshots are kept in e2e/artifacts/screens.
package screens

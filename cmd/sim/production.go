package main

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"marquee/server/app"
	"marquee/simulators"
)

// checkNotProduction returns an error if a variable of the environment has a value of a real shop. The error contains
// the variable's name. The simulators issue tickets without payment, and their shop would write demo cards into the
// database of that environment.
func checkNotProduction(getenv func(string) string, seed uint64) error {
	reject := func(name, why string) error {
		return fmt.Errorf("%s %s: the simulators do not start with settings of a real shop; unset it", name, why)
	}
	if getenv("MARQUEE_ENV") == app.Production {
		return reject("MARQUEE_ENV", "is production")
	}
	if err := app.CheckEnv(getenv("MARQUEE_ENV")); err != nil {
		return err
	}
	if getenv("MARQUEE_PEPPER") != "" {
		return reject("MARQUEE_PEPPER", "is a real shop's")
	}
	if u, err := url.Parse(getenv("MARQUEE_PUBLIC_URL")); err == nil && u.Scheme == "https" &&
		!thisMachine(u.Hostname()) {
		return reject("MARQUEE_PUBLIC_URL", "is a real shop's")
	}
	for _, name := range []string{"MARQUEE_GATEWAY_URL", "MARQUEE_NEWMOVIE_URL"} {
		if value := getenv(name); value != "" {
			if u, err := url.Parse(value); err != nil || !thisMachine(u.Hostname()) {
				return reject(name, "is a real provider's address")
			}
		}
	}
	simulated := simulators.EnvironmentOf(seed)
	for _, name := range slices.Sorted(maps.Keys(simulated)) {
		if value := getenv(name); value != "" && value != simulated[name] {
			return reject(name, "is not a simulated credential and may be real")
		}
	}
	return nil
}

// thisMachine reports whether a host is a loopback address, localhost or a subdomain of it.
func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

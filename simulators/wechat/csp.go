package wechat

import (
	"net/http"
	"slices"
	"strings"

	"marquee/simulators/ownname"
)

const (
	policyHeader     = "Content-Security-Policy"
	reportOnlyHeader = "Content-Security-Policy-Report-Only"
	frameAncestors   = "frame-ancestors"
)

// allowFraming lets only the phone page frame an answer of the web app: pages of other sites cannot. The phone page has
// the port of the in-app browser's host.
func allowFraming(h http.Header, host string) {
	h.Del("X-Frame-Options")
	for _, name := range []string{policyHeader, reportOnlyHeader} {
		values := h.Values(name)
		h.Del(name)
		for _, value := range values {
			kept := []string{}
			for part := range strings.SplitSeq(value, ";") {
				words := strings.Fields(part)
				if len(words) > 0 && !strings.EqualFold(words[0], frameAncestors) {
					kept = append(kept, strings.TrimSpace(part))
				}
			}
			if len(kept) > 0 {
				h.Add(name, strings.Join(kept, "; "))
			}
		}
	}
	h.Add(policyHeader, frameAncestors+" 'self' "+pageHost+strings.TrimPrefix(host, ownname.WithoutPort(host)))
}

// relaxPolicies changes a page's Content-Security-Policy only as far as the phone needs: nothing is upgraded to https,
// and the bridge's script may be loaded and may call the origin of the page. It returns the nonce that the script
// needs, or "".
func relaxPolicies(h http.Header) (nonce string) {
	for _, name := range []string{policyHeader, reportOnlyHeader} {
		values := h.Values(name)
		h.Del(name)
		for _, value := range values {
			var relaxed string
			relaxed, nonce = relaxPolicy(value, nonce)
			if relaxed != "" {
				h.Add(name, relaxed)
			}
		}
	}
	return nonce
}

// directive is one part of a policy.
type directive struct {
	name    string
	sources []string
}

// relaxPolicy changes one policy. nonce is the one that an earlier policy of the same page has for the bridge, or "".
func relaxPolicy(policy, nonce string) (relaxed, usedNonce string) {
	var list []directive
	for part := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		switch name := strings.ToLower(words[0]); name {
		case "upgrade-insecure-requests", "block-all-mixed-content":
		default:
			list = append(list, directive{name, words[1:]})
		}
	}
	list, nonce = allowScript(list, nonce)
	list = allowSelf(list, "connect-src", "default-src")
	parts := make([]string, len(list))
	for i, d := range list {
		parts[i] = strings.Join(append([]string{d.name}, d.sources...), " ")
	}
	return strings.Join(parts, "; "), nonce
}

// allowScript allows the bridge to load. A policy with 'self' or * allows that already, unless it contains
// 'strict-dynamic', with which browsers ignore both. Otherwise the policy gets a nonce, which is returned.
func allowScript(list []directive, nonce string) ([]directive, string) {
	i := governing(list, "script-src-elem", "script-src", "default-src")
	if i < 0 {
		return list, nonce
	}
	strict := slices.Contains(list[i].sources, "'strict-dynamic'")
	if !strict && (slices.Contains(list[i].sources, "'self'") || slices.Contains(list[i].sources, "*")) {
		return list, nonce
	}
	if nonce == "" {
		nonce = randomHex(16)
	}
	list, i = splitDefault(list, i, "script-src")
	list[i].sources = append(withoutNone(list[i].sources), "'nonce-"+nonce+"'")
	return list, nonce
}

// allowSelf adds 'self' to the directive that applies to the names (see governing), unless it allows that already.
func allowSelf(list []directive, names ...string) []directive {
	i := governing(list, names...)
	if i < 0 || slices.Contains(list[i].sources, "'self'") || slices.Contains(list[i].sources, "*") {
		return list
	}
	list, i = splitDefault(list, i, names[0])
	list[i].sources = append(withoutNone(list[i].sources), "'self'")
	return list
}

// splitDefault copies default-src into a separate directive, so that a change does not affect other kinds of resources.
func splitDefault(list []directive, i int, name string) ([]directive, int) {
	if list[i].name != "default-src" {
		return list, i
	}
	return append(list, directive{name, slices.Clone(list[i].sources)}), len(list)
}

// governing returns the index of the directive that applies, which is the first of the names that the policy contains;
// -1 if it contains none of them.
func governing(list []directive, names ...string) int {
	for _, name := range names {
		if i := slices.IndexFunc(list, func(d directive) bool { return d.name == name }); i >= 0 {
			return i
		}
	}
	return -1
}

// withoutNone removes 'none', which cannot be combined with another source.
func withoutNone(sources []string) []string {
	return slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return s == "'none'" })
}

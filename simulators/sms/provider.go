package sms

import (
	"net/http"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/provider"
	"marquee/simulators/tc3"
)

var (
	_ provider.Provider   = (*Simulator)(nil)
	_ provider.Publisher  = (*Simulator)(nil)
	_ provider.Cataloguer = (*Simulator)(nil)
	_ control.Inbox       = (*Simulator)(nil)
	_ control.Webhooks    = (*Simulator)(nil)
)

// Name identifies the provider in faults, in the journal and in snapshots.
func (s *Simulator) Name() string { return Name }

// Mounts serves each API at its vendor's hosts, and at any other host for calls with the API's action header or its
// parameter with the key's id. The id of the access key selects the world of a call.
func (s *Simulator) Mounts() []provider.Mount {
	return []provider.Mount{
		{Hosts: append(regionalHosts, Host), Header: "X-Acs-Action", Parameter: "AccessKeyId", Credential: alibabaKeyOf,
			Handler: s.Handler()},
		{Hosts: append(tencentRegionalHosts, TencentHost), Header: "X-Tc-Action", Parameter: "SecretId",
			Credential: func(r *http.Request) provider.Credential {
				return accessKey(tc3.SecretIDOf(r, faults.Peek(r)))
			},
			Handler: s.TencentHandler()},
	}
}

// CallCredentials are the ids of the access keys of both APIs.
func (s *Simulator) CallCredentials() []provider.Credential {
	return []provider.Credential{accessKey(s.alibaba.Credentials.AccessKeyID), accessKey(s.tencent.Tencent.SecretID)}
}

// State saves the inbox, the limits and the nonces of both APIs.
func (s *Simulator) State() provider.State { return provider.StateOf(s.Save, s.Load) }

// Close cancels reports in progress and sends no further ones.
func (s *Simulator) Close() { s.reporter.sender.Close() }

// AddToCatalogue appends the phone numbers for which sending always has the same outcome.
func (s *Simulator) AddToCatalogue(c *control.Catalogue) {
	c.Phones = append(c.Phones,
		dataset.Magic{Value: PhoneLimited, Effect: "SMS: rejected with isv.BUSINESS_LIMIT_CONTROL"},
		dataset.Magic{Value: PhoneIllegal, Effect: "SMS: rejected with isv.MOBILE_NUMBER_ILLEGAL"},
		dataset.Magic{Value: PhoneNoBalance, Effect: "SMS: rejected with isv.AMOUNT_NOT_ENOUGH"},
		dataset.Magic{Value: PhoneSystemError, Effect: "SMS: fails with isp.SYSTEM_ERROR"},
		dataset.Magic{Value: PhoneNotDelivered, Effect: "SMS: accepted, not delivered, and reported as such"},
	)
}

// accessKey is the credential that selects the world of a call.
func accessKey(id string) provider.Credential {
	return provider.Credential{Kind: "sms access key", Value: id}
}

// alibabaKeyOf reads the id of the access key from "Credential={id},…" in the Authorization header, or else from the
// parameters of an RPC call.
func alibabaKeyOf(r *http.Request) provider.Credential {
	if call := newAlibabaCall(r, faults.Peek(r)); call.rpc {
		return accessKey(call.parameters.Get("AccessKeyId"))
	}
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	id, _, _ := strings.Cut(rest, ",")
	return accessKey(strings.TrimSpace(id))
}

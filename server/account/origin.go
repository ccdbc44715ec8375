package account

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"

	"marquee/server/durations"
)

// Origin is where a request for a code comes from.
type Origin struct {
	Address string          // the client's network address
	Device  string          // the token of RememberDevice, "" if the client has none
	Answer  ChallengeAnswer // the zero value if the client has not solved a challenge

	session bool  // the request carries a session of the phone's owner
	userID  int64 // of the session that asks for a code
}

func (o Origin) asker() string { return askerOf(o.Device, o.userID) }

// askerOf returns a text that identifies the client to which a code belongs: the buyer of its session, or its device.
// It returns "" for a client that has neither. A client without a session gets a device from EnsureDevice when it asks
// for a code.
func askerOf(device string, userID int64) string {
	switch {
	case userID != 0:
		return fmt.Sprintf("user:%d", userID)
	case tokenShape.MatchString(device):
		return hex.EncodeToString(hashToken(device))
	}
	return ""
}

// EnsureDevice returns the token of a client's device, and a new one if the client has none.
func EnsureDevice(token string) string { return ensureToken(token) }

// ofOwner returns the origin of a request that carries a session of the phone's owner.
func (o Origin) ofOwner(userID int64) Origin {
	o.session, o.userID = true, userID
	return o
}

// NetworkOf returns the network that an address counts as in limits: the /64 of an IPv6 address, because a provider
// assigns a /64 to one customer, and the address itself for IPv4, even if it is mapped into IPv6. A text that is not an
// address is returned as it is.
func NetworkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return address
	}
	return network.String()
}

// RememberDevice records that the buyer has logged in on a device, so that strangers cannot use up the allowance of
// codes there, and so that DeviceLogin is possible for this buyer only. before is the token that the device had, "" for
// none. RememberDevice returns a new token for the device at each login, so that an attacker who has planted the former
// token in the browser does not know the new one. The owner is notified of a login on a device that the account did not
// know.
func (c *Codes) RememberDevice(ctx context.Context, userID int64, before string) (string, error) {
	token, e := newToken(), c.journal.event(ctx, DeviceAdded, userID)
	added, err := c.store.RememberDevice(ctx, hashToken(before), hashToken(token), e)
	if err != nil {
		return "", fmt.Errorf("remember the device: %w", err)
	}
	if added {
		c.journal.Log(ctx, e)
	}
	return token, nil
}

// isOwner reports whether the request for a code comes from the owner of the phone, as Limits defines it.
func (c *Codes) isOwner(ctx context.Context, phone string, from Origin) (bool, error) {
	if from.session {
		return true, nil
	}
	if !tokenShape.MatchString(from.Device) {
		return false, nil
	}
	known, err := c.store.KnowsDevice(ctx, phone, hashToken(from.Device), c.now().Add(-durations.Device))
	if err != nil {
		return false, fmt.Errorf("find the device: %w", err)
	}
	return known, nil
}

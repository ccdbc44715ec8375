package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"github.com/mileusna/useragent"

	"marquee/server/durations"
)

// LiveSession is a session that has not ended.
type LiveSession struct {
	Hash    []byte // of the token
	Method  Method // how the buyer logged in
	Device  string // as deviceName returns it, at the login
	Network string // as coarseNetwork returns it, when the session was last used
	Created time.Time
	Used    time.Time // when it was last used, within durations.SessionUse
}

// Handle identifies the session in calls. It is not the token, and cannot be used to log in.
func (s LiveSession) Handle() string { return hex.EncodeToString(s.Hash) }

// IsOf reports whether the session is that of a token.
func (s LiveSession) IsOf(token string) bool {
	return s.Handle() == hex.EncodeToString(hashToken(token))
}

// touch saves that a session is used, at most once in durations.SessionUse. If saving fails, this is logged and the
// request continues.
func (s *Service) touch(ctx context.Context, live LiveSession) {
	now := s.now()
	if now.Sub(live.Used) < durations.SessionUse {
		return
	}
	err := s.sessions.TouchSession(context.WithoutCancel(ctx), live.Hash, coarseNetwork(clientOf(ctx).address), now)
	if err != nil {
		s.journal.logger.WarnContext(ctx, "save the use of a session failed", "error", err)
	}
}

// MaxSessions is the maximum number of sessions that are listed for a buyer.
const MaxSessions = 100

// Sessions lists the sessions of a buyer, the latest used first, at most MaxSessions.
func (s *Security) Sessions(ctx context.Context, userID int64) ([]LiveSession, error) {
	return s.store.Sessions(ctx, userID, s.now())
}

// Identities lists the identities of a buyer, the latest first.
func (s *Security) Identities(ctx context.Context, userID int64) ([]BoundIdentity, error) {
	return s.identities.Identities(ctx, userID)
}

// EndSession ends the session with the handle, and makes DeviceLogin impossible on all devices of the buyer, because
// the session may be that of any of them. It returns ErrSessionUnknown if the buyer has no such session.
func (s *Security) EndSession(ctx context.Context, userID int64, id string) error {
	hash, err := hex.DecodeString(id)
	if err != nil {
		return ErrSessionUnknown
	}
	e := s.journal.event(ctx, SessionEnded, userID)
	if err := s.store.EndSession(ctx, userID, hash, e); err != nil {
		return fmt.Errorf("end the session: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// EndOtherSessions ends all sessions of the buyer except that of the token, makes DeviceLogin impossible on all
// devices, and removes the identities that are not confirmed, because a thief of a session may have bound one.
func (s *Security) EndOtherSessions(ctx context.Context, userID int64, token string) error {
	e := s.journal.event(ctx, OtherSessionsEnded, userID)
	if err := s.store.EndSessions(ctx, userID, hashToken(token), e); err != nil {
		return fmt.Errorf("end the other sessions: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// maxDevice is the longest name of a device that is kept, in characters. Clients can send any name.
const maxDevice = 40

// deviceName returns device and browser of a User-Agent, such as "iPhone · 微信", or "" for an unknown device.
func deviceName(agent string) string {
	parsed := useragent.Parse(strings.ToValidUTF8(agent, ""))
	browser := parsed.Name
	if strings.Contains(agent, "MicroMessenger") {
		browser = "微信"
	}
	name := strings.Join(strings.FieldsFunc(cmp.Or(parsed.Device, parsed.OS)+"\n"+browser, func(r rune) bool {
		return !unicode.IsPrint(r)
	}), " · ")
	if runes := []rune(name); len(runes) > maxDevice {
		name = string(runes[:maxDevice])
	}
	return name
}

// coarseNetwork returns the part of an address that identifies a network but not a person: 203.0.113.* or
// 2001:db8:1::/48. It returns "" for a text that is not an address.
func coarseNetwork(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		b := ip.As4()
		return fmt.Sprintf("%d.%d.%d.*", b[0], b[1], b[2])
	}
	return netip.PrefixFrom(ip, 48).Masked().String()
}

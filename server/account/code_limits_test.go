package account_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
)

func TestSendLoginCode_AnOutsiderDoesNotUseUpTheOwnersAllowance(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.limitCodes(account.DefaultLimits)
	for range 40 {
		_ = r.SendLoginCode(t.Context(), bob, account.Origin{Address: "9.9.9.9"})
		r.clock.Advance(13 * time.Minute)
	}
	require.NoError(t, r.SendLoginCode(t.Context(), bob, account.Origin{Address: "8.8.8.8"}))
}

func TestSendLoginCode_TheOwnersDeviceHasAShareThatStrangersCannotUse(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.limitCodes(account.DefaultLimits)
	l := r.login(t, alice)
	device, err := r.codes.RememberDevice(t.Context(), l.UserID, "")
	require.NoError(t, err)
	for i := range 100 { // each from another network
		_ = r.SendLoginCode(t.Context(), alice, account.Origin{Address: fmt.Sprintf("203.0.113.%d", i)})
		r.clock.Advance(5 * time.Minute)
	}
	stranger := account.Origin{Address: "198.51.100.1"}
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, stranger), account.ErrSMSLimited)
	known := stranger
	known.Device = device
	require.NoError(t, r.SendLoginCode(t.Context(), alice, known))
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, stranger), "a session is known too")
}

func TestSendLoginCode_OneIPv6NetworkIsOneAddress(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	base := netip.MustParseAddr("2001:db8:1:2::").As16()
	sent := 0
	for i := range 50 {
		base[15] = byte(i)
		from := account.Origin{Address: netip.AddrFrom16(base).String()}
		if r.SendLoginCode(t.Context(), fmt.Sprintf("139%08d", i), from) == nil {
			sent++
		}
	}
	require.Equal(t, 20, sent)
}

func TestNetworkOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.7":          "203.0.113.7",
		"::ffff:203.0.113.7":   "203.0.113.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:DB8:1:2::1":      "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
		"":                     "",
		"not an address":       "not an address",
	} {
		require.Equal(t, want, account.NetworkOf(address), address)
	}
}

func TestSendLoginCode_TheShopsCeilingKeepsAPartForOwners(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	r.clock.Advance(time.Minute)
	r.limitCodes(account.Limits{ShopHour: 5})
	for i := range 3 {
		require.NoError(t, r.SendLoginCode(t.Context(), fmt.Sprintf("137%08d", i), home))
	}
	require.ErrorIs(t, r.SendLoginCode(t.Context(), bob, home), account.ErrSMSCeiling)
	require.Contains(t, r.log.String(), `"ceiling":4`, "the log shows the limit that was reached")
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
	require.ErrorIs(t, r.SendPasswordCode(t.Context(), l.UserID, home), account.ErrSMSLimited, "the resend wait first")
	n, err := r.codes.SentLastHour(t.Context())
	require.NoError(t, err)
	require.Equal(t, 5, n)
	require.Equal(t, 5, r.codes.HourlyCeiling())
	r.clock.Advance(time.Hour)
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home))
}

// challenge is a captcha vendor that accepts one ticket once.
type challenge struct {
	ticket string
	err    error
	asked  int
}

func (c *challenge) Check(_ context.Context, a account.ChallengeAnswer, _ string) error {
	c.asked++
	if c.err != nil {
		return c.err
	}
	if a.Ticket != c.ticket {
		return account.ErrChallengeFailed
	}
	c.ticket = "used"
	return nil
}

func TestSendLoginCode_StrangersPassAChallengeFirst(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	vendor := &challenge{ticket: "right"}
	r.configureCodes(account.CodesConfig{Challenge: vendor})
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrChallengeRequired)
	require.Zero(t, vendor.asked)
	answered := home
	answered.Answer.Ticket = "wrong"
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, answered), account.ErrChallengeFailed)
	require.Empty(t, r.code(alice), "nothing was sent")
	answered.Answer.Ticket = "right"
	require.NoError(t, r.SendLoginCode(t.Context(), alice, answered), "the rejected requests did not count")
	r.clock.Advance(time.Minute)
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, answered), account.ErrChallengeFailed,
		"a ticket is used once")

	l, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
	require.NoError(t, err)
	known := home
	known.Device, err = r.codes.RememberDevice(t.Context(), l.UserID, "")
	require.NoError(t, err)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, known), "the owner is not asked")
	require.ErrorIs(t, r.SendLoginCode(t.Context(), bob, known), account.ErrChallengeRequired, "on another's phone")
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))

	vendor.err = fmt.Errorf("ask the vendor: %w", fault.ErrUnavailable)
	require.NoError(t, r.SendLoginCode(t.Context(), bob, answered), "an outage of the vendor blocks no codes")
	r.clock.Advance(time.Minute)
	require.ErrorIs(t, r.SendLoginCode(t.Context(), bob, answered), account.ErrSMSLimited, "within lower limits")
	vendor.err = fmt.Errorf("invalid parameter: %w", account.ErrChallengeFailed)
	require.ErrorIs(t, r.SendLoginCode(t.Context(), "13700000003", answered), account.ErrChallengeFailed)
	vendor.err = errors.New("a defect")
	require.ErrorIs(t, r.SendLoginCode(t.Context(), bob, answered), vendor.err)
}

// During an outage of the vendor, strangers get lower limits, and owners keep theirs.
func TestSendLoginCode_WithoutTheVendorTheLimitsAreLower(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.configureCodes(account.CodesConfig{
		Challenge: &challenge{err: fault.ErrUnavailable},
		Limits: account.Limits{
			PhoneHour: 5, PhoneDay: 10, StrangerHour: 4, StrangerDay: 8, OriginHour: 3, OriginDay: 5, NetworkHour: 60,
			NetworkDay: 300, ShopHour: 100,
		},
	})
	from := func(network int) account.Origin {
		return account.Origin{
			Address: fmt.Sprintf("192.0.2.%d", network), Answer: account.ChallengeAnswer{Ticket: "made up"},
		}
	}
	send := func(network, phone int) error {
		return r.SendLoginCode(t.Context(), fmt.Sprintf("1370000%04d", phone), from(network))
	}
	for phone := range 10 {
		require.NoError(t, send(1, phone))
	}
	require.ErrorIs(t, send(1, 10), account.ErrSMSLimited, "ten of sixty for the network")
	require.NoError(t, send(2, 10))
	r.clock.Advance(time.Minute)
	require.ErrorIs(t, send(2, 10), account.ErrSMSLimited, "one of three for the phone from a network")
	require.NoError(t, send(3, 10))
	r.clock.Advance(time.Minute)
	require.ErrorIs(t, send(4, 10), account.ErrSMSLimited, "two of four for the phone")
	for phone := 11; phone < 19; phone++ {
		require.NoError(t, send(5, phone))
	}
	require.ErrorIs(t, send(6, 19), account.ErrSMSCeiling, "twenty of eighty for all strangers")

	l, err := r.Login(t.Context(), account.EnteredCode{Phone: "13700000018", Code: r.code("13700000018")})
	require.NoError(t, err)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home), "an owner")
}

// The codes of a phone's owner stay usable on the owner's device, whatever an outsider without it enters or asks for.
func TestLogin_AnOutsidersTriesLockNoCodeOnTheOwnersDevice(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	r.limitCodes(account.DefaultLimits)
	owner, outsider := home, account.Origin{Address: "203.0.113.9"}
	owner.Device, outsider.Device = account.EnsureDevice(""), account.EnsureDevice("")
	require.NotEqual(t, owner.Device, outsider.Device)
	require.Equal(t, owner.Device, account.EnsureDevice(owner.Device))
	enter := func(from account.Origin, code string) error {
		_, err := r.Login(ctx, account.EnteredCode{Phone: alice, Code: code, Device: from.Device})
		return err
	}
	require.NoError(t, r.SendLoginCode(ctx, alice, owner))
	code := r.code(alice)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, outsider))
	unknown := outsider
	unknown.Device = ""
	for range account.CodeTries + 1 {
		require.Error(t, enter(outsider, "000000"))
		require.Error(t, enter(unknown, "000000"))
	}
	require.ErrorIs(t, enter(outsider, code), account.ErrCodeLocked)
	require.ErrorIs(t, enter(owner, "000000"), account.ErrCodeWrong)
	require.NoError(t, enter(owner, code))
	require.ErrorIs(t, enter(owner, code), account.ErrCodeWrong, "once")
}

// The client that asked for a code learns how many tries are left of it, and that the last one has ended it. Others do
// not learn that there is a code.
func TestLogin_ReportsHowManyTriesAreLeft(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	asker := home
	asker.Device = account.EnsureDevice("")
	enter := func(device, code string) *fault.Fault {
		_, err := r.Login(ctx, account.EnteredCode{Phone: alice, Code: code, Device: device})
		require.Error(t, err)
		return fault.Of(err)
	}
	require.Zero(t, enter(asker.Device, "000000").TriesLeft, "no code was sent")
	require.NoError(t, r.SendLoginCode(ctx, alice, asker))
	code := r.code(alice)
	for left := account.CodeTries - 1; left > 0; left-- {
		rejected := enter(asker.Device, wrong(code))
		require.ErrorIs(t, rejected, account.ErrCodeWrong)
		require.Equal(t, left, rejected.TriesLeft)
		require.Zero(t, enter(account.EnsureDevice(""), "000000").TriesLeft, "another device")
	}
	require.ErrorIs(t, enter(asker.Device, wrong(code)), account.ErrCodeLocked, "the last try")
	require.ErrorIs(t, enter(asker.Device, code), account.ErrCodeLocked, "even the right one")
}

// ErrCodeWrong also has TriesLeft for a code to the phone of the session's account.
func TestSession_ReportsHowManyTriesAreLeft(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(ctx, l.UserID, home))
	rejected := fault.Of(r.SetPaymentPassword(ctx, l.UserID, wrong(r.code(alice)), right))
	require.ErrorIs(t, rejected, account.ErrCodeWrong)
	require.Equal(t, account.CodeTries-1, rejected.TriesLeft)
	require.NoError(t, r.SetPaymentPassword(ctx, l.UserID, r.code(alice), right), "the code is still good")
}

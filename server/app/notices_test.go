package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/simulators/faults"
)

// notices returns the texts without a code that the phone has received, in the order in which they came.
func (h *testShop) notices(phone string) (texts []string) {
	for _, m := range slices.Backward(h.Messages(phone)) {
		if m.Code == "" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// waitForNotice waits until the phone has received a number of notices, and returns the last.
func (h *testShop) waitForNotice(phone string, count int) string {
	h.T.Helper()
	require.Eventually(h.T, func() bool { return len(h.notices(phone)) >= count }, 20*time.Second, 10*time.Millisecond)
	all := h.notices(phone)
	require.Len(h.T, all, count)
	return all[count-1]
}

// The owner is notified by SMS of what a thief would do, at the phone that the account had.
func TestNotices_TellTheOwner(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	const former, present = "13811110021", "13811110022"
	b := h.newBuyer(former).login()
	b.setPaymentPassword()
	require.Contains(t, b.waitForNotice(former, 1), "设置了支付密码")
	b.http.ProveIdentity(b.token, openID)
	require.Contains(t, b.waitForNotice(former, 2), "绑定了微信")
	b.AdvanceClock(time.Minute)
	h.newBuyer(former).login()
	require.Contains(t, b.waitForNotice(former, 3), "在新设备上登录")

	// The vendor is down: the change succeeds, and the notice is sent when the vendor is back.
	code := b.ownCode("safety")
	dataOf[any](t, b.call("/Member/newphonecode", params{"phone": present}))
	newCode := b.Code(present)
	h.PlanFaults(faults.Fault{Provider: "sms", Operation: "*", Do: faults.Error, Code: "isv.OUT_OF_SERVICE", Times: 3})
	dataOf[any](t, b.call("/Member/changephone", params{"phone": present, "newcode": newCode, "code": code}))
	require.Eventually(t, func() bool {
		if len(h.notices(former)) == 4 {
			return true
		}
		h.AdvanceClock(time.Minute) // to the next try
		return false
	}, 20*time.Second, 20*time.Millisecond)
	require.Contains(t, h.notices(former)[3], "更换了手机号")
	require.False(t, slices.ContainsFunc(h.notices(former), func(text string) bool {
		return strings.Contains(text, present) || strings.Contains(text, openID)
	}))
	require.Empty(t, h.notices(present))
	h.Verify()
}

func TestNotices_WithoutATemplateAreNotSent(t *testing.T) {
	t.Parallel()
	h := &testShop{harness.New(t, harness.Options{Configure: func(c *app.Config) {
		c.SMS.NewPassword, c.SMS.NewDevice = "", ""
	}})}
	const phone = "13811110023"
	b := h.newBuyer(phone).login()
	b.setPaymentPassword()
	b.http.ProveIdentity(b.token, openID)
	require.Contains(t, b.waitForNotice(phone, 1), "绑定了微信")
}

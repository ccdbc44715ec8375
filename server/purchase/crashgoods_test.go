package purchase_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// goodsStories are stories, as in crash_test.go, of purchases of a code, of an account recharge and of points. Their
// database holds one code, one recharge and the two cards.
var goodsStories = map[string]func(*child) error{
	"code":             func(c *child) error { return c.steps(c.buyBoth(1), c.notify, c.jobs, c.later) },
	"code with points": func(c *child) error { return c.steps(c.buyCards(1), c.jobs, c.later) },
	"code, cancelled":  func(c *child) error { return c.steps(c.withoutKill(c.buyBoth(1)), c.cancel, c.jobs) },
	"code, expired":    func(c *child) error { return c.steps(c.withoutKill(c.buyBoth(1)), c.muchLater) },
	"account":          func(c *child) error { return c.steps(c.buyBoth(2), c.notify, c.jobs, c.later, c.later) },
	"account, rejected": func(c *child) error {
		return c.steps(c.withoutKill(c.buyBoth(2), c.notify), c.jobs, c.later, c.later)
	},
	"bought points":   func(c *child) error { return c.steps(c.recharge, c.notify, c.jobs, c.later) },
	"code, unknown":   func(c *child) error { return c.steps(c.withoutKill(c.buyBoth(1), c.payUnseen), c.muchLater) },
	"points, unknown": func(c *child) error { return c.steps(c.withoutKill(c.recharge, c.payUnseen), c.muchLater) },
}

func (c *child) buyBoth(sku int64) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		b := buyRequest(sku, 1)
		b.Key = "k"
		announced, err := c.Checkout.Purchases.BuyGoodsWithApp(ctx, 7, b)
		c.order.No = announced.OrderNo
		return "prepaid", err
	}
}

func (c *child) buyCards(sku int64) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		_, err := c.Checkout.Purchases.BuyGoodsWithCards(ctx, 7, buyRequest(sku, 2))
		return "paid", err
	}
}

func (c *child) recharge(ctx context.Context) (string, error) {
	announced, err := c.Checkout.Purchases.RechargeCard(ctx, 7,
		checkout.RechargeCard{CardID: 1, Points: 50_00, OpenID: purchasetest.OpenID(7)})
	c.order.No = announced.OrderNo
	return "prepaid", err
}

func TestCrash_AtEveryCommitOfGoodsAndRecharges(t *testing.T) {
	t.Parallel()
	seed := newGoodsShopAt(t, newDatabase(t), 1)
	seed.giveCard(t, 7, smallCard)
	seed.giveCard(t, 7, bigCard)
	seed.countStock(t, 1)
	require.NoError(t, seed.db.Close())
	// A purchase of a code with points is one commit.
	crashAtEveryCommit(t, goodsStories, 1, func(t *testing.T, story, when string, n int) bool {
		return crashGoodsOnce(t, seed.path, story, when, n)
	})
}

// crashGoodsOnce is crashOnce for the stories of goodsStories.
func crashGoodsOnce(t *testing.T, seed, story, when string, n int) (killed bool) {
	t.Helper()
	path := copyDatabase(t, seed)
	clock := purchasetest.NewClock()
	s := &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)}
	if strings.HasSuffix(story, "unknown") {
		s.silenceGateway()
	}
	acked := runChild(t, s, strings.Join([]string{story, "ADDR", path, when, strconv.Itoa(n)}, "|"), &killed)
	s.gateway.Clear()
	s.openAfterChild(t, path, withoutPeriodicJobs(story),
		func(c *purchase.Config) { c.Topup = topupProviderFor(story) })
	for _, d := range []time.Duration{0, 10 * time.Second, time.Minute, 15 * time.Minute, time.Minute, time.Hour} {
		s.runDueJobsAfter(t, d)
	}
	name := fmt.Sprintf("%s, killed %s commit %d, reported to the buyer: %v", story, when, n, acked)
	s.verifyGoodsRecovery(t, name, story, acked)
	s.requireNoDifferences(t)
	require.NoError(t, s.db.Close())
	return killed
}

// topupProviderFor returns the provider of account recharges for the story.
func topupProviderFor(story string) order.Deliverer {
	if story == "account, rejected" {
		return &fakeTopupProvider{issue: order.ErrIssueRejected, state: order.ProviderIssueRejected}
	}
	return &fakeTopupProvider{state: order.ProviderIssued}
}

// verifyGoodsRecovery verifies that payments, points, stock and codes agree after a recovery.
func (s *shop) verifyGoodsRecovery(t *testing.T, name, story string, acked map[string]bool) {
	t.Helper()
	found, err := s.db.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.Empty(t, found, name)
	assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind <> 'periodic'`), name)
	require.LessOrEqual(t, s.count(t, `SELECT count(*) FROM orders`), 1, name)
	bought := s.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`)
	assert.Zero(t, s.count(t, `SELECT count(*) FROM orders WHERE state NOT IN ('ISSUED', 'REFUNDED', 'CANCELLED',
		'EXPIRED')`), name)
	left := s.pointsLeft(t, name)
	paid, refunded := s.gateway.Money()
	spent, value := paid-refunded+(smallCard+bigCard-left).Fen(), goodsPrice
	if story == "bought points" || story == "points, unknown" {
		value = 0 // the paid amount is on the card
	}
	assert.Equal(t, value*money.Fen(bought), spent, name)
	stock := 1
	if bought == 1 && value > 0 {
		stock = 0
	}
	code := "codes-month"
	if strings.HasPrefix(story, "account") {
		code = "topup-month"
	}
	assert.Equal(t, stock, s.count(t, `SELECT stock FROM goods_skus WHERE code = $1`, code), name)
	if acked["paid"] && story != "account, rejected" {
		assert.Equal(t, 1, bought, name)
	}
	if story == "account, rejected" {
		assert.Zero(t, bought, name)
	}
}

package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/account"
)

// ownCode sends a code for a purpose to the buyer's own phone and returns it.
func (b *buyer) ownCode(purpose string) string {
	b.AdvanceClock(time.Minute)
	dataOf[any](b.T, b.call("/Member/securitycode", params{"purpose": purpose}))
	return b.Code(b.phone)
}

type closing struct {
	Unfinished []struct{ OrderNo, Kind, Reason string }
	Cards      int
	Points     string
	Vouchers   int
}

func TestCloseAccount_ErasesThePersonAndKeepsTheBooks(t *testing.T) {
	t.Parallel()
	const phone, recharged = "13800138111", "13900139222"
	b, db, rich := closingBuyer(t, phone)
	sku := b.firstSKU("手机话费直充")
	paid := dataOf[struct {
		OrderNo string `json:"order_no"`
	}](t, b.call("/Kaquan/flkpay", params{
		"ka_ids": rich, "pass": password, "ggid": sku.ID, "number": "1", "position": "1", "phone": recharged,
	}))
	b.waitForGoodsState(paid.OrderNo, 4)
	unpaid := lockLegacy(b, 0)

	preview := dataOf[closing](t, b.call("/Member/closing", nil))
	require.Len(t, preview.Unfinished, 1)
	require.Equal(t, "unpaid", preview.Unfinished[0].Reason)
	require.Equal(t, 2, preview.Cards)
	code := b.ownCode("closing")
	requireFault(t, b.call("/Member/close", params{"points": preview.Points, "code": code}), "orders_unfinished")
	dataOf[any](t, b.call("/Film/unlockseat", params{"oid": unpaid}))
	requireFault(t, b.call("/Member/close", params{"points": "0", "code": code}), "points_unconfirmed")
	requireFault(t, b.call("/Member/close", params{"points": preview.Points, "code": "000000"}), "code_wrong")
	other := b.newBuyer(phone)
	other.token = b.token
	dataOf[any](t, b.call("/Member/close", params{"points": preview.Points, "code": code}))

	requireFault(t, other.call("/Member/index", nil), "login_required")
	b.Verify()
	requireNoTrace(t, db, phone, recharged, openID)

	// The number opens a new account, and the identity is free.
	b.AdvanceClock(time.Minute)
	fresh := b.newBuyer(phone).login()
	me := dataOf[struct {
		CardNum  int                   `json:"card_num"`
		OrderNum struct{ All float64 } `json:"order_num"`
	}](t, fresh.call("/Member/index", nil))
	require.Zero(t, me.CardNum)
	require.Zero(t, me.OrderNum.All)
	fresh.http.ProveIdentity(fresh.token, openID)
	b.Verify()
}

// closingBuyer returns the buyer of buyerWithCards on a new database, which it also returns.
func closingBuyer(t *testing.T, phone string) (b *buyer, db, rich string) {
	db = harness.NewDatabase(t)
	h := startTestShop(t, db)
	require.NoError(t, h.Shop.SeedDemo(t.Context(), nil))
	h.issueCard("8010000000000001", 100_000)
	h.issueCard("8010000000000002", 100)
	b = h.newBuyer(phone).login()
	b.setPaymentPassword()
	rich = b.bindCard("8010000000000001")
	b.bindCard("8010000000000002")
	b.http.ProveIdentity(b.token, openID)
	return b, db, rich
}

// requireNoTrace searches every value of the database for the texts, except the codes that were sent: they keep the
// phone for two days, because limits count them.
func requireNoTrace(t *testing.T, db string, texts ...string) {
	t.Helper()
	d := openSQL(t, db)
	list := `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sms_codes'`
	if isPostgres(db) {
		list = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'sms_codes'`
	}
	tables, err := d.Query(list)
	require.NoError(t, err)
	var names []string
	for tables.Next() {
		var name string
		require.NoError(t, tables.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, tables.Err())
	require.Greater(t, len(names), 20)
	for _, name := range names {
		rows, err := d.Query(`SELECT * FROM "` + name + `"`)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			require.NoError(t, rows.Scan(values...))
			for i, v := range values {
				for _, text := range texts {
					require.NotContains(t, fmt.Sprintf("%s", *v.(*any)), text, "%s.%s", name, columns[i])
				}
			}
		}
		require.NoError(t, rows.Err())
	}
}

func TestExport_HoldsEverythingOfTheBuyerAndNothingOfOthers(t *testing.T) {
	t.Parallel()
	const phone = "13800138112"
	b, rich, _ := buyerWithCards(t, phone)
	sku := b.firstSKU("手机话费直充")
	dataOf[any](t, b.call("/Kaquan/flkpay", params{
		"ka_ids": rich, "pass": password, "ggid": sku.ID, "number": "1", "position": "1",
		"phone": "13900139222",
	}))
	other := b.newBuyer("13800138113").login()
	requireFault(t, b.call("/Member/export", nil), "code_required")
	requireFault(t, b.call("/Member/export", params{"code": b.ownCode("closing")}), "code_wrong")
	b.AdvanceClock(2 * time.Minute) // until a further code may be sent
	dataOf[any](t, other.call("/Login/sendcode", params{"phone": phone}))
	requireFault(t, other.call("/Login/phoneLogin", params{"phone": phone, "code": "000000"}), "code_wrong")
	for range 5 {
		b.call("/Kaquan/flkpay", params{
			"ka_ids": rich, "pass": "135792", "ggid": sku.ID, "number": "1", "position": "1", "phone": "13900139222",
		})
	}
	answer := b.call("/Member/export", params{"code": b.ownCode("safety")})
	data := dataOf[struct {
		Account struct {
			Phone   string
			OpenIDs []string `json:"wechat_openids"`
		}
		Cards []struct {
			Number  string
			Records []struct{ Event string }
		}
		Orders []struct {
			Recharged string `json:"recharged_account"`
			Payments  []struct{ Amount string }
		}
		Events []struct{ Kind, Address string }
	}](t, answer)
	require.Equal(t, phone, data.Account.Phone)
	require.Equal(t, []string{openID}, data.Account.OpenIDs)
	require.Len(t, data.Cards, 2)
	require.Len(t, data.Orders, 1)
	require.Equal(t, "13900139222", data.Orders[0].Recharged)
	require.Len(t, data.Orders[0].Payments, 1)
	require.NotEmpty(t, data.Cards[0].Records)
	kinds := map[string]bool{}
	for _, e := range data.Events {
		kinds[e.Kind] = true
		require.Equal(t, strings.HasSuffix(e.Kind, "_refused") || e.Kind == "password_locked", e.Address == "",
			"%s: an attempt that was rejected may be another person's", e.Kind)
	}
	require.True(t, kinds["code_refused"] && kinds["password_refused"] && kinds["password_locked"] &&
		kinds["login_code"])
	require.NotContains(t, string(answer.Data), other.phone)
	require.NotContains(t, string(answer.Data), "argon2id")
}

func TestBackOffice_AccountRequests(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	h := newTestShop(t)
	b := h.newBuyer("13800138114").login()
	office, err := h.Shop.BackOffice("li")
	require.NoError(t, err)
	_, err = office.Accounts.Export(ctx, "13900000000", "letter")
	require.ErrorContains(t, err, "no account has the phone")
	data, err := office.Accounts.Export(ctx, b.phone, "letter of 1 June")
	require.NoError(t, err)
	text, err := json.Marshal(data)
	require.NoError(t, err)
	require.Contains(t, string(text), b.phone)

	require.NoError(t, office.Accounts.ReleasePhone(ctx, b.phone, "the number has a new owner"))
	requireFault(t, b.call("/Member/index", nil), "login_required")
	h.AdvanceClock(time.Minute)
	next := h.newBuyer(b.phone).login()
	require.ErrorIs(t, office.Accounts.AssignPhone(ctx, "#1", b.phone, "passport"), account.ErrPhoneTaken)
	require.NoError(t, office.Accounts.AssignPhone(ctx, "#1", "13800138115", "passport"))
	require.NoError(t, office.Accounts.Close(ctx, next.phone, "0", "letter of 2 June"))
	requireFault(t, next.call("/Member/index", nil), "login_required")

	events, err := office.Accounts.Events(ctx, "#1", 10)
	require.NoError(t, err)
	require.Equal(t, account.PhoneChanged, events[0].Kind)
	require.Equal(t, "admin:li", events[0].Actor)
	require.Equal(t, "passport", events[0].Detail)
	closed, err := office.Accounts.Events(ctx, "#2", 10)
	require.NoError(t, err)
	require.Equal(t, account.AccountClosed, closed[0].Kind)
}

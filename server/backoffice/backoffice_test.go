package backoffice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/pepper"
)

// fakeCards records what it is asked to do. The embedded interface panics on a call that a test does not expect.
type fakeCards struct {
	CardService
	err      error
	issued   []cards.NewCard
	adjusted []cards.Adjustment
}

func (f *fakeCards) Issue(_ context.Context, list []cards.NewCard, _ string) error {
	f.issued = append(f.issued, list...)
	return f.err
}

func (f *fakeCards) Adjust(_ context.Context, a cards.Adjustment) (bool, error) {
	f.adjusted = append(f.adjusted, a)
	return false, f.err
}

func (f *fakeCards) CardNumbered(_ context.Context, number string, _ time.Time) (cards.Card, error) {
	if number != "8000" {
		return cards.Card{}, cards.ErrCardNotFound
	}
	return cards.Card{ID: 7}, nil
}

func newCards(t *testing.T, service *fakeCards) *Cards {
	t.Helper()
	office, err := New(Config{Cards: service, Lookup: service, Now: time.Now}, "alice")
	require.NoError(t, err)
	return office.Cards
}

func TestNew_NeedsAnOperator(t *testing.T) {
	t.Parallel()
	for _, name := range []string{" ", "", "a\nb", "a\xff", "a\x00", "a\x1b[31m", strings.Repeat("a", 101)} {
		_, err := New(Config{}, name)
		require.Error(t, err, "%q", name)
	}
}

// The journal shows the reason of a change of an account, so it must be printable.
func TestAccounts_CheckTheReason(t *testing.T) {
	t.Parallel()
	office, err := New(Config{}, "alice")
	require.NoError(t, err)
	for reason, want := range map[string]error{
		" ": audit.ErrReasonRequired, "a\nb": audit.ErrReasonInvalid, "a\xff": audit.ErrReasonInvalid,
		"\x00": audit.ErrReasonInvalid, "a\u202eb": audit.ErrReasonInvalid,
	} {
		_, err := office.Accounts.Export(t.Context(), "#1", reason)
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, office.Accounts.Close(t.Context(), "#1", "0", reason), want)
		require.ErrorIs(t, office.Accounts.AssignPhone(t.Context(), "#1", "13800138000", reason), want)
		require.ErrorIs(t, office.Accounts.ReleasePhone(t.Context(), "#1", reason), want)
	}
}

// The file is the only copy of the passwords, and some of its cards may be issued: it stays, and Resume issues the
// others.
func TestIssue_KeepsTheFileOfCardsThatWereNotIssued(t *testing.T) {
	t.Parallel()
	service := &fakeCards{err: errors.New("the database is gone")}
	batch := Batch{PID: 3, Count: 2, Points: "10", Days: 30, Coupons: true,
		Out: filepath.Join(t.TempDir(), "batch.csv")}
	require.ErrorIs(t, newCards(t, service).Issue(t.Context(), batch), service.err)
	service.err = nil
	file, err := os.ReadFile(batch.Out)
	require.NoError(t, err)
	n, err := newCards(t, service).Resume(t.Context(), bytes.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Len(t, service.issued, 4)
	for i, card := range service.issued[2:] {
		require.WithinDuration(t, service.issued[i].ExpiresAt, card.ExpiresAt, 0)
		card.ExpiresAt = service.issued[i].ExpiresAt
		require.Equal(t, service.issued[i], card, "the file has every field of a card")
	}
	for _, card := range service.issued[2:] {
		require.Regexp(t, `^803\d{13}$`, card.Number)
		require.Contains(t, string(file), fmt.Sprintf(`"=""%s""","=""%s""","=""%s""",电影卡,10.00,"=""`, card.Number,
			card.Password, card.Coupon))
	}
	require.ErrorContains(t, newCards(t, service).Issue(t.Context(), batch), "exists", "a file is never overwritten")
}

// A spreadsheet saves the batch again without its marks, with other days, or with everything as text.
func TestResume_ReadsWhatSpreadsheetsSave(t *testing.T) {
	t.Parallel()
	const plain = "number,password,coupon,type,points,expires\n" +
		"8011234567890123,0012345678,ABCDEFGHJKMN2345,超级卡,10.5,"
	for name, file := range map[string]string{
		"plain":          plain + "2036-11-25\n",
		"a day of Excel": plain + "2036/11/25\r\n",
		"no header":      `8011234567890123,0012345678,ABCDEFGHJKMN2345,超级卡,10.50,2036/11/25`,
		"everything quoted": "\ufeff\"Number\",\"password\",\"coupon\",\"type\",\"points\",\"expires\"\n" +
			"\"8011234567890123\",\"0012345678\",\"ABCDEFGHJKMN2345\",\"超级卡\",\"10.50\",\"2036-11-25\"\n",
		"apostrophes and tabs": "'8011234567890123,\t0012345678,'ABCDEFGHJKMN2345,超级卡,'10.5,'2036-11-25\n",
		"as it is written": `"=""8011234567890123""","=""0012345678""","=""ABCDEFGHJKMN2345""",超级卡,10.50,` +
			`"=""2036-11-25"""`,
	} {
		service := &fakeCards{}
		n, err := newCards(t, service).Resume(t.Context(), strings.NewReader(file))
		require.NoError(t, err, name)
		require.Equal(t, 1, n)
		require.Equal(t, []cards.NewCard{{
			PID: cards.SuperCard, Number: "8011234567890123", Password: "0012345678", Coupon: "ABCDEFGHJKMN2345",
			Points: 10_50, ExpiresAt: time.Date(2036, 11, 25, 23, 59, 59, 0, beijing.Time),
		}}, service.issued, name)
	}
	for file, why := range map[string]string{
		"8.01123E+15,0012345678,,超级卡,10.50,2036-11-25":         "line 1: the number",
		"8011234567890120,12345678,,超级卡,10.50,2036-11-25":      "line 1: the password",
		"8011234567890123,0012345678,ABC,超级卡,10.50,2036-11-25": "line 1: the coupon",
		"8011234567890123,0012345678,,蛋糕卡,10.50,2036-11-25":    "line 1: the type",
		"8011234567890123,0012345678,,超级卡,1e2,2036-11-25":      "line 1:",
		"8011234567890123,0012345678,,超级卡,10.50,Nov 25":        "line 1:",
		"卡号,密码,券码,类型,点数,有效期":                                   "line 1: the number",
	} {
		service := &fakeCards{}
		_, err := newCards(t, service).Resume(t.Context(), strings.NewReader(file))
		require.ErrorContains(t, err, why, file)
		require.Empty(t, service.issued)
	}
	service := &fakeCards{err: &cards.IssueError{Card: 1, Of: 1, Err: cards.ErrCardIssued}}
	_, err := newCards(t, service).Resume(t.Context(), strings.NewReader(plain+"2036-11-25\n"))
	require.ErrorIs(t, err, cards.ErrCardIssued)
	require.ErrorContains(t, err, "line 2:")
}

// A file that is not UTF-8 is rejected with the line, whatever the file is for.
func TestReadCSV_RejectsOtherEncodings(t *testing.T) {
	t.Parallel()
	for file, why := range map[string]string{
		"num,pass\nA1,\xc3\xdc\xc2\xeb\n": "line 2: it is not UTF-8",
		"\xff\xfeA\x001\x00":              "UTF-16",
		"A\x001\x00,\x00":                 "line 1: it holds U+0000",
	} {
		office, err := New(Config{}, "alice")
		require.NoError(t, err)
		_, err = office.Goods.AddCodes(t.Context(), "sku", strings.NewReader(file))
		require.ErrorIs(t, err, errFileNotText)
		require.ErrorContains(t, err, why)
		require.ErrorIs(t, office.Content.SetBanners(t.Context(), "home", strings.NewReader(file)), errFileNotText)
		require.ErrorIs(t, office.Cards.SetPackages(t.Context(), strings.NewReader(file)), errFileNotText)
	}
}

func TestAdjust_SignAndKey(t *testing.T) {
	t.Parallel()
	service := &fakeCards{}
	office := newCards(t, service)
	_, err := office.Recharge(t.Context(), Adjustment{Number: "8000", Points: "12.34", Days: 30, Key: "k"})
	require.NoError(t, err)
	_, err = office.Deduct(t.Context(), Adjustment{Number: "8000", Points: "12.34", Key: "l"})
	require.NoError(t, err)
	require.Equal(t, []money.Points{12_34, -12_34},
		[]money.Points{service.adjusted[0].Points, service.adjusted[1].Points})
	require.Equal(t, []string{"k", "l"}, []string{service.adjusted[0].Key, service.adjusted[1].Key})
	require.Equal(t, "admin:alice", service.adjusted[0].Actor)
	for _, points := range []string{"0", "-1", "x"} {
		_, err = office.Recharge(t.Context(), Adjustment{Number: "8000", Points: points, Days: 30})
		require.Error(t, err, points)
	}
	_, err = office.Deduct(t.Context(), Adjustment{Number: "none", Points: "1"})
	require.ErrorIs(t, err, cards.ErrCardNotFound)
	require.Len(t, service.adjusted, 2)
}

// fakeGoods rejects the second code of a file.
type fakeGoods struct{ GoodsService }

func (fakeGoods) AddCodes(context.Context, string, []goods.Code, string) (int, error) {
	return 0, &goods.CodeError{Line: 2, Err: goods.ErrCodeExists}
}

func TestAddCodes_NamesTheLineOfTheFile(t *testing.T) {
	t.Parallel()
	office, err := New(Config{Goods: fakeGoods{}}, "alice")
	require.NoError(t, err)
	_, err = office.Goods.AddCodes(t.Context(), "sku", strings.NewReader("num,pass\n\"A\n1\",x\nB,y\n"))
	require.ErrorIs(t, err, goods.ErrCodeExists)
	require.ErrorContains(t, err, "line 4:", "the record starts on line 4, after a field with a line break")
}

// A code that a spreadsheet has changed is rejected with its line, before anything is stored.
func TestAddCodes_RejectsWhatIsNotACode(t *testing.T) {
	t.Parallel()
	peppers, err := pepper.New([]byte("the pepper of these tests"), nil)
	require.NoError(t, err)
	service, err := goods.New(nil, peppers, time.Now)
	require.NoError(t, err)
	office, err := New(Config{Goods: service}, "alice")
	require.NoError(t, err)
	for name, bad := range map[string]struct{ text, why string }{
		"a Chinese header":    {"卡号,密码\nCN0001,p1\n", `line 1: "卡号" looks like the names of columns`},
		"an English header":   {"Card Number,PIN\nCN0001,p1\n", `line 1: "Card Number" looks like the names of columns`},
		"a Spanish header":    {"número,clave\nCN0001,p1\n", "line 1:"},
		"a second header":     {"num,pass\nB1,s\n卡号,密码\n", "line 3: the number contains characters"},
		"a header further on": {"B1,s\nCard No.,Password\n", "line 2: the number is the heading of a column"},
		"without a plus":      {"B1,s\nB2,\"8,01441E15\"\n", "line 2: the password or link is in scientific notation"},
		"decimals":            {"B1,s\n8014412345678901.0,s\n", "line 2: the number is a number with decimals"},
		"a formula":           {"B1,s\n\"=\"\"9071716202851822\"\"\",s\n", "line 2: the number begins with ="},
		"a bare formula":      {"B1,s\n=\"9071\",=\"0012\"\n", "line 2"},
		"an apostrophe":       {"B1,s\nB2,'0012\n", "line 2: the password or link begins with ="},
		"an unseen space":     {"B1,s\nB\u200b2,s\n", "line 2: the number contains U+200B"},
		"an unseen filler":    {"B1,s\nB2,s\u3164\n", "line 2: the password or link contains U+3164"},
		"a wide space":        {"B1,s\nB2,s\u00a0t\n", "line 2: the password or link contains U+00A0"},
		"full-width digits":   {"B1,s\nＢ１２３,s\n", "line 2: the number contains characters"},
		"semicolons":          {"num;pass\nB1;s\n", "wrong number of fields: a line has num,pass, separated by commas"},
		"another encoding":    {"B1,s\nB2,\xc3\xdc\n", "line 2: it is not UTF-8"},
		"UTF-16":              {"\xff\xfeB\x001\x00,\x00s\x00", "UTF-16"},
	} {
		_, err := office.Goods.AddCodes(t.Context(), "sku", strings.NewReader(bad.text))
		require.ErrorContains(t, err, bad.why, name)
	}
}

func TestOrderToReview_String(t *testing.T) {
	t.Parallel()
	for _, r := range ReviewReasons {
		require.NotEmpty(t, r.Advice(), r)
		o := OrderToReview{No: "1", Kind: "ticket", State: "ISSUING", Reasons: []ReviewReason{r}}
		require.Equal(t, "1 ticket ISSUING\n  "+string(r)+": "+r.Advice(), o.String())
	}
	rejected := OrderToReview{No: "1", Kind: "ticket", State: "ISSUE_FAILED",
		Reasons: []ReviewReason{ReviewIssueStuck, ReviewRejectedRefund}, RefundAnswer: "provider_unavailable NOT_ENOUGH"}
	require.Contains(t, rejected.String(), "\n  issue_stuck: ")
	require.Contains(t, rejected.String(), "\n  refund_rejected (provider_unavailable NOT_ENOUGH): ")
	both := []ReviewReason{ReviewIssueStuck, ReviewUnknownPayment}
	o := OrderToReview{No: "1", Kind: "ticket", State: "EXPIRED", Reasons: both}
	require.Equal(t, 3, strings.Count(o.String(), "\n")+1)
}

// An account that is recharged by hand is recharged from what the command prints.
func TestOrderDetail_PrintsTheAccountToRecharge(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 16, 30, 0, 0, time.UTC)
	shown := OrderDetail(order.Order{
		No: "G1", Kind: order.Goods, State: order.Issuing, UserID: 7, Total: 29_85, CreatedAt: at, UpdatedAt: at,
		Snapshot: order.Snapshot{Mobile: "13800138000", Goods: &order.BoughtGoods{
			Title: "话费", Spec: "30 元", SKUCode: "fare-30", Pieces: 1, Account: "13800138000"}},
	})
	require.Equal(t, "order: G1\nkind: goods\nstate: ISSUING\nbuyer: #7\ntotal: 29.85\ncreated: 2026-11-26 00:30:00\n"+
		"changed: 2026-11-26 00:30:00\ngoods: 话费\nspecification: 30 元 (fare-30)\npieces: 1\n"+
		"account to recharge: 13800138000", shown.String())
}

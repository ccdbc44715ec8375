package main

import (
	"database/sql"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

// cli runs `shop admin` commands on a separate database, with running simulators.
type cli struct {
	t    *testing.T
	dir  string
	sims string // address of the simulators
}

func newCLI(t *testing.T) *cli {
	t.Helper()
	sims := simulators.StartForTest(t)
	dir := t.TempDir()
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:1")
	t.Setenv("MARQUEE_DB", filepath.Join(dir, "shop.db"))
	t.Setenv("USER", "alice")
	return &cli{t, dir, sims.URL()}
}

func (c *cli) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	require.NoError(c.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (c *cli) run(args ...string) (string, error) {
	c.t.Helper()
	var out strings.Builder
	err := run(c.t.Context(), append([]string{"admin"}, args...), &out, io.Discard)
	return out.String(), err
}

// mustRun returns what the command printed.
func (c *cli) mustRun(args ...string) string {
	c.t.Helper()
	out, err := c.run(args...)
	require.NoError(c.t, err, args)
	if !slices.Contains(args, "waiting") { // the list is empty in these tests
		require.NotEmpty(c.t, out, "%q must print what it did", args)
	}
	return out
}

// mustFail expects an error that contains why; after a code of a fault it expects the explanation.
func (c *cli) mustFail(why string, args ...string) {
	c.t.Helper()
	_, err := c.run(args...)
	require.ErrorContains(c.t, err, why, args)
	if faultCode.MatchString(why) {
		require.Regexp(c.t, why+`: [a-z][a-z ,;'/]* `, err.Error(), "%q must print the code and its meaning", args)
	}
}

// faultCode matches the stable code of a fault.
var faultCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

func TestAdmin_NamesTheAccountOfTheProcessAsOperator(t *testing.T) {
	c := newCLI(t) // restores USER
	t.Setenv("LOGNAME", "")
	require.NoError(t, os.Unsetenv("USER"))
	require.NoError(t, os.Unsetenv("LOGNAME"))
	c.mustRun("goods", "category", "c", "会员")
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "shop.db"))
	require.NoError(t, err)
	defer db.Close()
	var actor string
	require.NoError(t, db.QueryRow(`SELECT actor FROM audit ORDER BY id DESC LIMIT 1`).Scan(&actor))
	require.NotEmpty(t, systemUser())
	require.Contains(t, actor, systemUser())
}

func TestAdmin_Cards(t *testing.T) {
	c := newCLI(t)
	out := filepath.Join(c.dir, "batch.csv")
	c.mustRun("card", "issue", "--pid", "3", "--count", "5", "--points", "88.80", "--coupon", "--out", out)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	withoutMark, marked := strings.CutPrefix(string(text), "\ufeff")
	require.True(t, marked, "a spreadsheet reads a file without the mark as GBK")
	rows, err := csv.NewReader(strings.NewReader(withoutMark)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 6)
	require.Equal(t, []string{"电影卡", "88.80"}, rows[1][3:5])
	require.Contains(t, c.mustRun("card", "resume", out), "all 5 cards")
	for part, other := range map[string]string{
		"88.80": "99.80", strings.Trim(rows[1][5], `="`): "2036-01-01", strings.Trim(rows[1][2], `="`): "AAAABBBBCCCCDDDD",
	} {
		changed := c.file("changed.csv", strings.Replace(string(text), part, other, 1))
		c.mustFail("card_issued", "card", "resume", changed)
		c.mustFail("line 2:", "card", "resume", changed)
	}
	info, err := os.Stat(out)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "only the owner may read the passwords")
	c.mustFail("exist", "card", "issue", "--pid", "3", "--count", "5", "--points", "1", "--out", out)
	for _, args := range [][]string{
		{"--pid", "12", "--count", "1", "--points", "1"}, {"--pid", "1", "--count", "0", "--points", "1"},
		{"--pid", "1", "--count", "1", "--points", "1.001"}, {"--pid", "1", "--count", "1", "--points", "-1"},
	} {
		_, err := c.run(append([]string{"card", "issue", "--out", filepath.Join(c.dir, "bad.csv")}, args...)...)
		require.Error(t, err, args)
		require.NoFileExists(t, filepath.Join(c.dir, "bad.csv"))
	}
	number := strings.Trim(rows[1][0], `="`)
	c.mustRun("card", "recharge", number, "10", "--reason", "补偿", "--key", "k1")
	require.Contains(t, c.mustRun("card", "recharge", number, "10", "--reason", "补偿", "--key", "k1"), "already done")
	c.mustFail("adjustment_key_reused", "card", "recharge", number, "11", "--reason", "补偿", "--key", "k1")
	c.mustFail("adjustment_key_reused", "card", "deduct", number, "10", "--reason", "补偿", "--key", "k1")
	for _, days := range []string{"0", "36501", "99999999", "4611686018427387904"} {
		c.mustFail("card_validity_invalid", "card", "recharge", number, "10", "--reason", "补偿", "--key", "k2",
			"--days", days)
		c.mustFail("card_validity_invalid", "card", "issue", "--pid", "3", "--count", "1", "--points", "1",
			"--days", days,
			"--out", filepath.Join(c.dir, "bad.csv"))
	}
	require.NoFileExists(t, filepath.Join(c.dir, "bad.csv"))
	c.mustFail("reason_invalid", "card", "recharge", number, "10", "--key", "k2", "--reason", strings.Repeat("长", 101))
	c.mustFail("reason_invalid", "card", "deduct", number, "10", "--key", "k2", "--reason", "a\xff")
	c.mustRun("card", "deduct", number, "98.80", "--reason", "更正", "--key", "k3")
	c.mustFail("points_insufficient", "card", "deduct", number, "0.01", "--reason", "更正", "--key", "k4")
	c.mustFail("reason", "card", "deduct", number, "0.01", "--key", "k4")
	c.mustFail("key", "card", "deduct", number, "0.01", "--reason", "更正")
	c.mustFail("card_not_found", "card", "recharge", "1", "1", "--reason", "x", "--key", "k4")
	c.mustRun("card", "freeze", number, "--reason", "挂失")
	c.mustRun("card", "unfreeze", number, "--reason", "找回")
	c.mustRun("card", "packages", c.file("p.csv", "points,price\n100,98\n50,50\n"))
	c.mustFail("line 2", "card", "packages", c.file("p2.csv", "100,98\n50,-1\n"))
	c.mustFail("card_not_found", "card", "code", "AAAA")
}

func TestAdmin_GoodsAndCodes(t *testing.T) {
	c := newCLI(t)
	c.mustRun("goods", "category", "music", "音乐会员")
	html := c.file("about.html", `<p onclick="steal()">说明</p><script>steal()</script>`)
	c.mustRun("goods", "put", "melody", "--category", "music", "--title", "青鸟音乐", "--delivery", "code",
		"--shelf", "music",
		"--html", html)
	c.mustFail("category_not_found", "goods", "put", "x", "--category", "none", "--title", "x", "--delivery", "code")
	c.mustFail("delivery", "goods", "put", "x", "--category", "music", "--title", "x", "--delivery", "pigeon")
	c.mustFail("goods_invalid", "goods", "put", "melody", "--category", "music", "--title", "青鸟音乐",
		"--delivery", "account")
	c.mustRun("goods", "spec", "melody-1", "--goods", "melody", "--name", "月卡", "--price", "15")
	c.mustFail("price", "goods", "spec", "melody-2", "--goods", "melody", "--name", "月卡", "--price", "15.001")
	c.mustFail("goods_invalid", "goods", "spec", "melody-2", "--goods", "melody", "--name", "月卡", "--price", "0")
	for _, bad := range [][]string{
		{"--name", "a\tb"}, {"--name", strings.Repeat("字", 101)}, {"--name", " "},
		{"--name", "月卡", "--gets", "a\u202eb"}, {"--name", "月卡", "--days", "36501"},
	} {
		c.mustFail("goods_invalid", append([]string{
			"goods", "spec", "melody-2", "--goods", "melody", "--price", "15",
		}, bad...)...)
	}
	c.mustFail("reason_invalid", "goods", "withdraw", "A1", "s1", "--reason", strings.Repeat("长", 101))
	c.mustFail("stock_of_codes", "goods", "stock", "melody-1", "5")
	require.Contains(t, c.mustRun("goods", "codes", "melody-1",
		c.file("c.csv", "\ufeffnum,pass\nA1,s1\nA2,https://redeem.example/A2\n")), "2 codes")
	for name, bad := range map[string]struct{ text, why string }{
		"a field too many": {"B1,s\nB2,s,x\n", "line 2"},
		"no number":        {"num,pass\nB1,s\n,s\n", "line 3"},
		"one twice":        {"B1,s\nB2,s\nB1,s\n", "line 3"},
		"added before":     {"B1,s\nA1,s1\n", "line 2"},
		"an open quote":    {"B1,s\n\"B2,s\n", "line"},
		"empty":            {"", "no lines"},
		"two lines in one": {
			"B1,s\nB2,\"s\nt\"\n",
			"line 2: the password or link contains a control character or invalid UTF-8: goods_code_invalid",
		},
		"too long": {"B1,s\n" + strings.Repeat("9", 1025) + ",s\n",
			"line 2: the number is longer than 1024 bytes: goods_code_invalid"},
		"only a password":     {" ,s\n", "line 1: the number is missing: goods_code_invalid"},
		"a Chinese header":    {"卡号,密码\nCN0001,p1\n", `line 1: "卡号" looks like the names of columns`},
		"scientific notation": {"B1,s\n8.01441E+15,s\n", "line 2: the number is in scientific notation"},
	} {
		c.mustFail(bad.why, "goods", "codes", "melody-1", c.file("bad.csv", bad.text))
		require.Contains(t, c.mustRun("goods", "list"), "\t2\ton sale", "%s: the entire file must be rejected", name)
	}
	c.mustRun("goods", "withdraw", "A2", "https://redeem.example/A2", "--reason", "作废")
	for _, good := range []string{
		"\ufeff\"num\",\"pass\"\n\"A2\",\"s\"\n", "num, pass\nABCDEFGH,secret\n", "A4,#1=x'y\nA5,123E45\n",
	} {
		c.mustRun("goods", "codes", "melody-1", c.file("good.csv", good))
	}
	for _, num := range [][]string{{"A2", "s"}, {"ABCDEFGH", "secret"}, {"A4", "#1=x'y"}, {"A5", "123E45"}} {
		c.mustRun("goods", "withdraw", num[0], num[1], "--reason", "作废")
	}
	c.mustRun("goods", "codes", "melody-1", c.file("last.csv", "A6,s\n"))
	for text, why := range map[string]string{
		"\n<p>\xd2\xfe\xcb\xbd</p>": "line 2: it is not UTF-8", "\xff\xfe<\x00p\x00": "UTF-16",
	} {
		c.mustFail(why, "goods", "put", "melody", "--category", "music", "--title", "青鸟音乐", "--delivery", "code",
			"--html", c.file("gbk.html", text))
		c.mustFail(why, "content", "text", "privacy", c.file("gbk.html", text), "--title", "隐私")
		c.mustFail("text_invalid", "content", "text", "privacy", c.file("gbk.html", text), "--title", "隐私")
	}
	c.mustRun("goods", "put", "fare", "--category", "music", "--title", "话费", "--delivery", "account")
	c.mustRun("goods", "put", "fare", "--category", "music", "--title", "话费", "--delivery", "account",
		"--account", "phone")
	c.mustFail("account", "goods", "put", "fare", "--category", "music", "--title", "话费", "--delivery", "account",
		"--account", "fax")
	c.mustFail("goods_invalid", "goods", "put", "melody", "--category", "music", "--title", "青鸟音乐",
		"--delivery", "code", "--account", "phone")
	c.mustRun("goods", "spec", "fare-1", "--goods", "fare", "--name", "30 元", "--price", "29.85")
	c.mustFail(`specification "fare-1": goods_without_codes`, "goods", "codes", "fare-1", c.file("c2.csv", "F1,s\n"))
	c.mustFail(`specification "none": goods_not_found`, "goods", "codes", "none", c.file("c2.csv", "F1,s\n"))
	c.mustRun("goods", "withdraw", "A1", "s1", "--reason", "作废")
	c.mustFail("goods_code_not_found", "goods", "withdraw", "A1", "s1", "--reason", "作废")
	c.mustFail("goods_code_not_found", "goods", "withdraw", "none", "--reason", "作废")
	require.Contains(t, c.mustRun("goods", "list"), "melody\tmelody-1\t青鸟音乐\t月卡\t15.00\t1\ton sale")
	var verified strings.Builder
	require.NoError(t, run(t.Context(), []string{"verify"}, &verified, io.Discard))
}

func TestAdmin_ContentAndOrders(t *testing.T) {
	c := newCLI(t)
	c.mustRun("content", "banners", "home",
		c.file("b.csv", "image,link,title\nhttps://img.example/1.png,/hotlist,热映\n"))
	script := c.file("b2.csv", "image,link,title\nhttps://img.example/1.png,javascript:alert(1),热映\n")
	c.mustFail("line 2", "content", "banners", "home", script)
	c.mustFail("file_not_utf8", "content", "banners", "home",
		c.file("b3.csv", "https://img.example/1.png,/hotlist,a\xffb\n"))
	c.mustFail("title_invalid", "content", "tiles", "first",
		c.file("t3.csv", "/a.svg,电影\t券,39.90,/couponsDetail?id=1\n"))
	c.mustFail("title_invalid", "content", "text", "privacy", c.file("t0.html", "<p>隐私</p>"),
		"--title", strings.Repeat("长", 101))
	c.mustFail("address_invalid", "content", "banners", "home", c.file("b4.csv", "/a.svg,/\\evil.example,热映\n"))
	c.mustFail("place", "content", "banners", "moon", "-")
	c.mustRun("content", "tiles", "first", c.file("t.csv", "/a.svg,电影券,39.90,/couponsDetail?id=1\n"))
	c.mustFail("line 1", "content", "tiles", "first", c.file("t2.csv", "/a.svg,电影券,39.999,/couponsDetail?id=1\n"))
	c.mustRun("content", "text", "privacy", c.file("t.html", "<p>隐私</p>"), "--title", "隐私政策")
	require.Empty(t, c.mustRun("order", "waiting"))
	require.Equal(t, "no order matches\n", c.mustRun("order", "find", "13800000007"))
	c.mustFail("search_invalid", "order", "find")
	c.mustFail("show_not_found", "showing", "holds", "1:8801")
	c.mustFail("show_not_found", "showing", "refund", "1:8801", "--reason", "停映")
	c.mustFail("showing_invalid", "showing", "refund", "8801", "--reason", "停映")
	c.mustFail("reason", "showing", "refund", "1:8801")
	require.Contains(t, c.mustRun("audit", "--operator", "alice", "--most", "1"), "\ttext.set\tprivacy\t")
	require.Equal(t, "no entry matches\n", c.mustRun("audit", "--operator", "bob"))
	c.mustFail("most_invalid", "audit", "--most", "1001")
	c.mustFail("day_invalid", "audit", "--day", "today")
	c.mustFail("no account has the phone", "audit", "--account", "13800000007")
	c.mustFail("showing_invalid", "order", "find", "--showing", "8801", "--seat", "5排6座")
	c.mustFail("showing", "order", "find", "--seat", "5排6座")
	c.mustFail("search_invalid", "order", "find", "1", "--showing", "1:8801", "--seat", "5排6座")
	require.ErrorContains(t, run(t.Context(), []string{"trace", "1"}, io.Discard, io.Discard), "order_not_found")
	for _, command := range [][]string{
		{"show", "1"}, {"retry", "1"}, {"refund", "1", "--reason", "x"}, {"delivered", "1"}, {"settled", "1", "--reason", "x"},
	} {
		c.mustFail("order_not_found", append([]string{"order"}, command...)...)
	}
	require.Contains(t, c.mustRun("--help"), "Usage: shop admin")
	c.mustFail("fly", "fly")
}

// While voucher codes need the previous pepper, the shop does not open without it.
func TestAdmin_CountsWhatNeedsAPepper(t *testing.T) {
	c := newCLI(t)
	t.Setenv("MARQUEE_PEPPER", "the first pepper of tests")
	c.mustRun("goods", "category", "music", "音乐会员")
	c.mustRun("goods", "put", "qq", "--category", "music", "--title", "月卡", "--delivery", "code")
	c.mustRun("goods", "spec", "qq-month", "--goods", "qq", "--name", "月卡", "--price", "15")
	c.mustRun("goods", "codes", "qq-month", c.file("codes.csv", "num,pass\nA1,x\nA2,y\n"))
	require.Regexp(t, `^[0-9a-f]{8}\tcurrent\tvoucher codes 2\tcard passwords 0\t`, c.mustRun("pepper"))

	t.Setenv("MARQUEE_PEPPER", "the second pepper of tests")
	c.mustFail("2 voucher codes are sealed with a pepper that is neither MARQUEE_PEPPER nor", "pepper")
	t.Setenv("MARQUEE_PEPPER_PREVIOUS", "the first pepper of tests")
	require.Regexp(t, `\tcurrent\tvoucher codes 0\t.*\n[0-9a-f]{8}\tprevious\tvoucher codes 2\t`, c.mustRun("pepper"))
}

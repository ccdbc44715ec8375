package httpapi

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/order"
)

func issuedOrder(source catalog.Source) order.Order {
	created := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	return order.Order{
		No: "26050117", Kind: order.Ticket, Source: source, State: order.Issued, Total: 8580, CreatedAt: created,
		ExpiresAt: created.Add(15 * time.Minute), ProviderNo: "P1", SMS: "凭取票号取票", Stuck: true,
		Tickets: []order.TicketCode{{Name: "取票号", Code: "88"}, {Name: "验证码", Code: "55"}},
		Snapshot: order.Snapshot{
			Show: catalog.Show{
				ID: "o1", CinemaID: "g100", FilmID: "m1", FilmName: "长风渡", Hall: "3号厅", Version: "2D",
				Starts: created.Add(150 * time.Minute),
			},
			Seats:      []catalog.Seat{{Name: "5排6座", Price: 4290}, {Name: "5排7座", Price: 4290}},
			FilmPoster: "/p.svg", CinemaName: "星光", CinemaAddress: "路1号", Mobile: "13800000001",
		},
	}
}

// The fields are the specification's: seats joined by commas, times in unix seconds, the codes as a list from the
// legacy source and as a text from newmovie.
func TestTicketOrder_OnTheWire(t *testing.T) {
	t.Parallel()
	const common = `"id":"26050117","order_id":"P1","showid":"o1","cinemaid":"g100","movieid":"m1","moviename":"长风渡","movielogo":"/p.svg","cinemaname":"星光",
		"cinemaaddress":"路1号","roomname":"3号厅","seats":"5排6座,5排7座","quantity":2,"showamount":"85.80","price":"42.90",
		"mobile":"13800000001","playtime":1777635000,"edition":"2D",
		"add_time":1777626000,"expiretime":1777626900,"smscontent":"凭取票号取票","ord_bs":1,"stuck":true,"state_text":"已出票"`
	legacy, err := json.Marshal(newTicketOrder(new(request), issuedOrder(catalog.Legacy)))
	require.NoError(t, err)
	require.JSONEq(t, `{"type":1,"orderstatus":"S","ticketCode":"",
		"ticketcodeList":[{"name":"取票号","code":"88"},{"name":"验证码","code":"55"}],`+common+`}`, string(legacy))
	newer, err := json.Marshal(newTicketOrder(new(request), issuedOrder(catalog.NewMovie)))
	require.NoError(t, err)
	require.JSONEq(t, `{"type":2,"orderstatus":4,"ticketcodeList":[],"ticketCode":"88,55",`+common+`}`, string(newer))
}

// The codes of tickets that an operator has revoked are not shown any more.
func TestTicketOrder_Revoked(t *testing.T) {
	t.Parallel()
	for source, letter := range map[catalog.Source]string{catalog.Legacy: "F", catalog.NewMovie: "7"} {
		o := issuedOrder(source)
		require.NoError(t, o.MarkRevoked("停映", o.CreatedAt))
		shown := newTicketOrder(new(request), o)
		require.Equal(t, letter, shown.Status.String())
		require.Empty(t, shown.Codes)
		require.Empty(t, shown.Code)
		require.Empty(t, shown.SMS)
		require.Empty(t, shown.ProviderNo)
		require.NoError(t, o.MarkRefunded(o.CreatedAt))
		require.Empty(t, newTicketOrder(new(request), o).Codes)
		require.Equal(t, "已退款", newTicketOrder(new(request), o).StateText)
	}
}

// An order has no price of a seat if its seats have different prices, or if it has no seats.
func TestTicketOrder_PriceOfASeat(t *testing.T) {
	t.Parallel()
	o := issuedOrder(catalog.NewMovie)
	o.Snapshot.Seats[1].Price = 5290
	require.Empty(t, newTicketOrder(new(request), o).SeatPrice)
	o.Snapshot.Seats = nil
	require.Empty(t, newTicketOrder(new(request), o).SeatPrice)
}

// The time of a refund is that at which the money was back.
func TestRefund_OnTheWire(t *testing.T) {
	t.Parallel()
	r := order.Refund{Kind: order.ByApp, Title: "微信支付", Amount: 3580, State: order.RefundReady}
	onWire := func() Refund { return newRefunds(new(request), []order.Refund{r})[0] }
	require.Equal(t, Refund{"wx", "微信支付", "35.80", "processing", 0}, onWire())
	r.State, r.DoneAt = order.RefundSettled, time.Unix(1777626000, 0)
	require.Equal(t, Refund{"wx", "微信支付", "35.80", "done", 1777626000}, onWire())
}

func TestTicketOrder_EveryStateInBothAlphabets(t *testing.T) {
	t.Parallel()
	for state, want := range map[order.State]struct {
		letter, legacy string
		number         int
		newer          string
	}{
		order.Pending:     {"N", "待付款", 0, "待付款"},
		order.Cancelled:   {"C", "已取消", 2, "已取消"},
		order.Expired:     {"E", "已失效", 8, "超时未付"},
		order.Paid:        {"P", "已支付，待出票", 1, "待出票"},
		order.Issuing:     {"T", "通知处理中", 11, "正在出票"},
		order.Issued:      {"S", "已出票", 4, "已出票"},
		order.IssueFailed: {"F", "出票失败，等待退款", 7, "出票失败(退款)"},
		order.Refunded:    {"R", "已退款", 7, "已退款"},
	} {
		o := issuedOrder(catalog.Legacy)
		o.State = state
		require.Equal(t, OrderStatus{Letter: want.letter}, newTicketOrder(new(request), o).Status, state)
		require.Equal(t, want.legacy, newTicketOrder(new(request), o).StateText, state)
		o.Source = catalog.NewMovie
		require.Equal(t, OrderStatus{Number: want.number}, newTicketOrder(new(request), o).Status, state)
		require.Equal(t, want.newer, newTicketOrder(new(request), o).StateText, state)
	}
	for _, state := range order.States {
		if _, written := statusOf[state]; state.Visible() {
			require.True(t, written, "%s has no place in the alphabets", state)
		}
	}
}

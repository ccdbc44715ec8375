package app_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/httpapi"
)

// The tests of this file make a call whose answer has little data, and read its effect through other calls.

// Each of the three calls that release seats cancels the order and frees its seats, at both sources.
func TestEffects_CancelledSeatsAreFree(t *testing.T) {
	t.Parallel()
	for at, path := range []string{"/Film/unlockseat", "/movie/route/Movie/unorder", "/newmovie/seat/cancel"} {
		t.Run(strings.ReplaceAll(path[1:], "/", " "), func(t *testing.T) {
			t.Parallel()
			h := newTestShop(t)
			b := h.newBuyer("1381111013" + string(rune('0'+at))).login()
			visitor := h.newBuyer("") // for whom the locked seats are not free; for their buyer they are
			other := h.newBuyer("1381111014" + string(rune('0'+at))).login()
			session, seats := b.newmovieSessionTomorrow()
			var wanted []newmovieSeat
			for _, s := range seats {
				if s.ordinary() && s.Area == "" && len(wanted) < 2 {
					wanted = append(wanted, s)
				}
			}
			free := func() (free []bool) {
				for _, s := range visitor.newmovieSeats(session) {
					if s.ID == wanted[0].ID || s.ID == wanted[1].ID {
						free = append(free, s.ordinary())
					}
				}
				return free
			}
			no := orderNo(t, b.call("/newmovie/seat/lock", params{
				"sessionId": session, "seatIds": wanted[0].ID + "," + wanted[1].ID,
			}))
			require.Equal(t, []bool{false, false}, free())
			require.Equal(t, wanted[0].Name+","+wanted[1].Name, b.order(no).Seats)
			for _, find := range []string{"/movie/route/Movie/unpayorder", "/Film/unpayorder", "/newmovie/seat/unpaid"} {
				found := dataOf[httpapi.UnpaidOrder](t, b.call(find, nil))
				require.Equal(t, no, found.OrderID, find)
				require.Equal(t, 2, found.Type, find)
				require.Empty(t, dataOf[httpapi.UnpaidOrder](t, other.call(find, nil)), find)
			}

			dataOf[any](t, b.call(path, params{"oid": no}))
			b.runDueJobs()
			require.Equal(t, float64(2), b.order(no).Status, "cancelled")
			require.Equal(t, []bool{true, true}, free())
			for _, find := range []string{"/movie/route/Movie/unpayorder", "/Film/unpayorder", "/newmovie/seat/unpaid"} {
				require.Empty(t, dataOf[httpapi.UnpaidOrder](t, b.call(find, nil)), find)
			}

			no = lockLegacy(b, 0)
			dataOf[any](t, b.call(path, params{"oid": no}))
			require.Equal(t, "C", b.order(no).Status)
			b.runDueJobs()
			require.Equal(t, b.order(no).Seats, b.order(lockLegacy(b, 0)).Seats, "the same seats are free again")
		})
	}
}

func TestEffects_DeletedCardIsGone(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	h.issueCard("8010000000000001", 100)
	h.issueCard("8010000000000002", 100)
	b := h.newBuyer("13811110134").login()
	empty, other := b.bindCard("8010000000000001"), b.bindCard("8010000000000002")
	id, err := strconv.ParseInt(empty, 10, 64)
	require.NoError(t, err)
	_, err = h.Shop.CardIssuer().Adjust(t.Context(), cards.Adjustment{
		Key: "empty", CardID: id, Points: -100, Life: 24 * time.Hour, Reason: "补偿", Actor: "test",
	})
	require.NoError(t, err)
	type list struct {
		Cards []struct{ ID string } `json:"card_list"`
	}
	require.Equal(t, list{[]struct{ ID string }{{empty}}}, dataOf[list](t, b.call("/api/api.php/Card/nucard", nil)))

	require.Equal(t, 3, dataOf[struct{ Status int }](t, b.call("/api/api.php/Card/delcard", params{"kid": empty})).Status)
	require.Empty(t, dataOf[list](t, b.call("/api/api.php/Card/nucard", nil)).Cards)
	requireFault(t, b.call("/api/api.php/Card/show", params{"khid": empty}), "card_not_found")
	requireFault(t, b.call("/api/api.php/Card/delcard", params{"kid": empty}), "card_not_found")
	require.Equal(t, list{[]struct{ ID string }{{other}}}, dataOf[list](t, b.call("/api/api.php/Card/lists", nil)))
	requireFault(t, b.call("/api/api.php/Card/delcard", params{"kid": other}), "card_has_balance")
	require.Equal(t, list{[]struct{ ID string }{{other}}}, dataOf[list](t, b.call("/api/api.php/Card/lists", nil)))
}

package newmovie_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/newmovie"
)

func TestOrder_CallsWithoutANumberAreMalformed(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	for _, path := range []string{"order/cancel", "ticket/token", "order/submit"} {
		for _, body := range []string{`{}`, `null`, `{"outOrderNo":""}`,
			`{"outOrderNo":"a b","amount":"1.00","mobile":"` + mobile + `"}`, `{"outOrderNo":5}`, `[]`, ``} {
			code, data := r.call("POST", path, body)
			assert.Equal(t, 400001, code, "%s %s", path, body)
			assert.Nil(t, data)
		}
		code, _ := r.call("POST", path, `{"outOrderNo":"none","amount":"1.00","mobile":"`+mobile+`"}`)
		assert.Equal(t, 404004, code, path)
	}
	for _, query := range []string{"", "?outOrderNo=", "?outOrderNo=a%20b"} {
		code, _ := r.call("GET", "order/query"+query, "")
		assert.Equal(t, 400001, code, query)
	}
}

func TestLock_AFaultWaitsForAFirstRequest(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "激光")
	seats := r.free(show.ID)
	lock := func(no, seat string) (int, any) {
		return r.call("POST", "order/lock",
			`{"outOrderNo":"`+no+`","sessionId":"`+show.ID+`","cinemaCode":"`+show.Cinema.Code+
				`","seats":[{"originSeatID":"`+seat+`"}],"mobile":"`+mobile+`"}`)
	}
	code, _ := lock("first", seats[0])
	assert.Zero(t, code)
	r.Fault(newmovie.Name, faults.Fault{Operation: "order/lock", Do: "seat-taken", Times: 1})
	code, _ = lock("first", seats[0])
	assert.Zero(t, code, "the same lock again is the same order")
	code, _ = lock("second", seats[1])
	assert.Equal(t, 409001, code, "the fault was not spent on a repetition")
}

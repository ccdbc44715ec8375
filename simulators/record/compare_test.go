package record_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators/journal"
	"marquee/simulators/record"
)

func TestCompare_AnUnalteredInstanceHasNoDifferences(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	require.Len(t, rec.Calls, 15)
	other := startSims(t, 8)
	report, err := record.Compare(t.Context(), rec, options(t, other.URL(), "gateway", true))
	require.NoError(t, err)
	require.Empty(t, report.Differences)
	require.Empty(t, report.Skipped)
	require.Equal(t, 15, report.Compared)
	sold := other.Default().Journal().Entries(journal.Filter{Operation: "ticket.issue", Verdict: journal.OK})
	require.Len(t, sold, 1, "ids, amount and order numbers were carried all the way to the tickets")
	require.Empty(t, other.Default().Journal().Entries(journal.Filter{Contains: "REAL-0001"}))

	again, err := record.Compare(t.Context(), rec, options(t, other.URL(), "gateway", true))
	require.NoError(t, err)
	require.Empty(t, again.Differences, "a second replay chooses other seats and order numbers")
}

func TestCompare_NamesExactlyWhatWasAltered(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	swap := func(operation, pattern, with string) func(string, int, string) (int, string) {
		expression := regexp.MustCompile(pattern)
		return func(called string, status int, body string) (int, string) {
			if called == operation {
				body = expression.ReplaceAllString(body, with)
			}
			return status, body
		}
	}
	once := func(operation, pattern, with string) func(string, int, string) (int, string) {
		return func(called string, status int, body string) (int, string) {
			if called == operation {
				body = strings.Replace(body, pattern, with, 1)
			}
			return status, body
		}
	}
	for name, row := range map[string]struct {
		edit func(string, int, string) (int, string)
		want []record.Difference
	}{
		"a field dropped": {swap("film.hot", `"wish":\d+,`, ``), []record.Difference{
			{Operation: "film.hot", Kind: "missing", Path: "data.filmList[].wish", Recorded: "number", Calls: []int{2}},
		}},
		"a field renamed": {swap("opi.seat", `"rowname":`, `"rowName":`), []record.Difference{
			{Operation: "opi.seat", Kind: "extra", Path: "data.seatList[].rowName", Answered: "string",
				Calls: []int{9}},
			{Operation: "opi.seat", Kind: "missing", Path: "data.seatList[].rowname", Recorded: "string",
				Calls: []int{9}},
		}},
		"a number sent as a string": {swap("seat.lock", `"amount":(\d+)`, `"amount":"$1"`), []record.Difference{
			{Operation: "seat.lock", Kind: "type", Path: "data.amount", Recorded: "number", Answered: "string",
				Calls: []int{11}},
		}},
		"a string sent as null": {swap("film.detail", `"desc":"[^"]*"`, `"desc":null`), []record.Difference{
			{Operation: "film.detail", Kind: "type", Path: "data.film.desc", Recorded: "string", Answered: "null",
				Calls: []int{4}},
		}},
		"one element without a field": {once("cinema.list", `"address":`, `"addr":`), []record.Difference{
			{Operation: "cinema.list", Kind: "sometimes-missing", Path: "data.cinemaList[].address",
				Recorded: "always", Answered: "not always", Calls: []int{5}},
			{Operation: "cinema.list", Kind: "extra", Path: "data.cinemaList[].addr", Answered: "string",
				Calls: []int{5}},
		}},
		"a list of texts with a number": {swap("opi.list.v2", `"dates":\[([^\]]*)\]`, `"dates":[$1,5]`),
			[]record.Difference{
				{Operation: "opi.list.v2", Kind: "type", Path: "data.dates[]", Recorded: "string",
					Answered: "number or string", Calls: []int{7, 8}},
			}},
		"a list become an object": {swap("drama.list", `"projectList":\[.*\]`, `"projectList":{}`), []record.Difference{
			{Operation: "drama.list", Kind: "type", Path: "data.projectList", Recorded: "array", Answered: "object",
				Calls: []int{3}},
		}},
		"another status": {func(called string, status int, body string) (int, string) {
			if called == "city.list" {
				status = http.StatusCreated
			}
			return status, body
		}, []record.Difference{{Operation: "city.list", Kind: "status", Recorded: "200", Answered: "201",
			Calls: []int{1}}}},
		"another code": {func(called string, status int, body string) (int, string) {
			return status, strings.Replace(body, `"code":"2002"`, `"code":"2003"`, 1)
		}, []record.Difference{{Operation: "film.detail", Kind: "code", Recorded: "2002", Answered: "2003",
			Calls: []int{10}}}},
		"a page of a proxy in between": {func(called string, status int, body string) (int, string) {
			if called == "order.query" {
				return http.StatusBadGateway, "<html>bad gateway</html>"
			}
			return status, body
		}, []record.Difference{
			{Operation: "order.query", Kind: "status", Recorded: "200", Answered: "502", Calls: []int{12, 15}},
			{Operation: "order.query", Kind: "body", Recorded: "json", Answered: "html", Calls: []int{12, 15}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := altered(t, startSims(t, 8), row.edit)
			report, err := record.Compare(t.Context(), rec, options(t, server.URL, "gateway", true))
			require.NoError(t, err)
			require.ElementsMatch(t, row.want, report.Differences)
		})
	}
}

func TestCompare_ChangesNothingUnlessAsked(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	other := startSims(t, 8)
	report, err := record.Compare(t.Context(), rec, options(t, other.URL(), "gateway", false))
	require.NoError(t, err)
	var skipped []string
	for _, s := range report.Skipped {
		require.Contains(t, s.Reason, "-with-writes")
		skipped = append(skipped, s.Operation)
	}
	require.Equal(t, []string{"seat.lock", "order.create", "ticket.issue"}, skipped)
	for _, operation := range skipped {
		require.Empty(t, other.Default().Journal().Entries(journal.Filter{Operation: operation}))
	}
	require.Equal(t, []record.Difference{
		{Operation: "order.query", Kind: "code", Recorded: "success", Answered: "4001", Calls: []int{12, 15}},
	}, report.Differences, "the order that was not made is not found")
}

func TestCompare_ReportIsForPeopleToo(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), false).recording()
	server := altered(t, startSims(t, 8), func(called string, status int, body string) (int, string) {
		return status, strings.ReplaceAll(strings.ReplaceAll(body, `"score":"`, `"points":"`), `"projectList":[`,
			`"projectList":[null,`)
	})
	report, err := record.Compare(t.Context(), rec, options(t, server.URL, "gateway", false))
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, report.Text(&text))
	require.Contains(t, text.String(), "gateway: 10 of 10 calls recorded at http://127.0.0.1:")
	require.Regexp(t,
		`(?m)^drama\.list\n  type +data\.projectList\[\] +recorded object, answered null or object +call 3$`,
		text.String())
	require.Regexp(t,
		`(?m)^film\.hot\n  extra +data\.filmList\[\]\.points +never recorded, answered string +call 2\n  missing +data\.filmList\[\]\.score +recorded string, never answered +call 2$`, text.String())
}

func TestCompare_WhateverTheSeed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		real, other := startSims(t, 20+seed), startSims(t, 30+seed)
		for provider, r := range map[string]*tape{"gateway": recordGateway(t, real, true),
			"newmovie": recordNewMovie(t, real)} {
			report, err := record.Compare(t.Context(), r.recording(), options(t, other.URL(), provider, true))
			require.NoError(t, err)
			require.Empty(t, report.Differences, "%s %d", provider, seed)
		}
	}
}

func TestRecording_TheOrderListChangesNothing(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	r := newTape(t, real, "gateway", real.URL()+"/gateway")
	r.ask("order.list", "date", "2030-01-01")
	calls := r.recording().Calls
	require.Len(t, calls, 1)
	require.Equal(t, "order.list", calls[0].Operation)
	require.False(t, calls[0].Write)
}

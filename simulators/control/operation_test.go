package control

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOperation_AnErrorThatACallDoesNotDeclareIsReported(t *testing.T) {
	t.Parallel()
	fail := func(e *Error) func(Worlds, Nothing) (Cleared, error) {
		return func(Worlds, Nothing) (Cleared, error) { return Cleared{}, e }
	}
	var reported []string
	s := &server{undeclared: func(route, code string) { reported = append(reported, route+" "+code) }}
	call := func(o Operation) {
		answer := httptest.NewRecorder()
		o.at("clock", "GET /sim/v1/clock").handler(s).ServeHTTP(answer, httptest.NewRequest("GET", "/sim/v1/clock", nil))
		assert.Equal(t, errTooFar.Status, answer.Code)
		assert.Contains(t, answer.Body.String(), errTooFar.Code)
	}
	call(about(fail(errTooFar), errTooFar))
	call(about(fail(errTooFar.With("another text")), errTooFar))
	require.Empty(t, reported)
	call(about(fail(errTooFar), errTooManyWaiting))
	assert.Equal(t, []string{"GET /sim/v1/clock too_far"}, reported)
}

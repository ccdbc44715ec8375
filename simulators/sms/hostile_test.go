package sms

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestVerify_SignedHeadersMustBeInOrder(t *testing.T) {
	t.Parallel()
	s := newSimulator()
	now := time.Now()
	r := signed(testKeys.SMS, "order", now)
	backwards := slices.Clone(mustBeSigned)
	slices.Reverse(backwards)
	authorize(r, testKeys.SMS, backwards)
	rejected := s.alibaba.verify(r, now)
	require.NotNil(t, rejected)
	require.Equal(t, "IncompleteSignature", rejected.Code)
	require.Equal(t, http.StatusBadRequest, rejected.Status)
}

func TestTemplateCode_NumbersAreTheTextTheyAre(t *testing.T) {
	t.Parallel()
	for param, want := range map[string]string{
		`{"code":"0482"}`: "0482", `{"code":482913}`: "482913",
		`{"code":12345678901234567890}`: "12345678901234567890", `{"code":1.5}`: "1.5", `{"code":-1}`: "-1",
	} {
		code, problem := templateVariable(param, "code")
		require.Empty(t, problem, param)
		require.Equal(t, want, code, param)
	}
	for param, want := range map[string]string{
		``: "isv.INVALID_JSON_PARAM", `[]`: "isv.INVALID_JSON_PARAM", `{"code":"1"}x`: "isv.INVALID_JSON_PARAM",
		`{"code":01}`: "isv.INVALID_JSON_PARAM",
		`null`:        "isv.TEMPLATE_MISSING_PARAMETERS", `{"Code":"1"}`: "isv.TEMPLATE_MISSING_PARAMETERS",
		`{"code":null}`:                    "isv.TEMPLATE_MISSING_PARAMETERS",
		`{"code":"123456789012345678901"}`: "isv.PARAM_LENGTH_LIMIT",
	} {
		_, problem := templateVariable(param, "code")
		require.Equal(t, want, problem, param)
	}
}

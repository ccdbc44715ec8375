package simulators_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/simulators"
)

// The shop's links out lead to separate sites; each has a page here, so that none of them ends in nothing.
func TestLanding_EverySiteThatTheShopLinksTo(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	env := s.Default().ShopEnvironment()
	for variable, name := range map[string]string{
		"MARQUEE_LINK_SHOP": "商城", "MARQUEE_LINK_CAKE": "蛋糕", "MARQUEE_LINK_BOOK": "图书", "MARQUEE_LINK_SERVICE": "客服",
	} {
		status, text := get(t, env[variable])
		assert.Equal(t, http.StatusOK, status, variable)
		assert.Contains(t, text, "<h1>"+name+"</h1>")
		assert.NotContains(t, text, "<script")
	}
	status, _ := get(t, s.URL()+"/landing/nothing")
	assert.Equal(t, http.StatusNotFound, status)
}

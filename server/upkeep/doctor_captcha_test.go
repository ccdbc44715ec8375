package upkeep

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/server/ops"
)

func TestDoctor_WarnsOfAProductionShopWithoutCaptcha(t *testing.T) {
	t.Parallel()
	level := func(d *Doctor) ops.Level {
		for _, check := range d.Checks() {
			if check.Name == "captcha" {
				found, text := check.Run(t.Context())
				require.NotEmpty(t, text)
				return found
			}
		}
		return "no such check"
	}
	production := app.Config{Env: app.Production}
	require.Equal(t, ops.Warning, level(&Doctor{cfg: production}))
	production.Captcha.AppID = 190000001
	require.Equal(t, ops.Passed, level(&Doctor{cfg: production}))
	require.Equal(t, ops.Skipped, level(&Doctor{}), "a shop of developers")
	require.Equal(t, ops.Skipped, level(&Doctor{cfgErr: errors.New("invalid")}))
}

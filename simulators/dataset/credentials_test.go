package dataset_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
)

// The credentials depend only on seed and id. Those of hundreds of worlds with fixed ids do not collide.
func TestCredentials_OfFixedIDsDoNotCollide(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ci-%d", "w%03d", "test-%d", "job-%04d", "shard-%d-of-500"} {
		for _, seed := range []uint64{1, 7, 42} {
			seen := map[string]string{}
			for i := range 501 {
				id := ""
				if i > 0 {
					id = fmt.Sprintf(name, i)
				}
				c := dataset.CredentialsOf(seed, id)
				for _, value := range []string{"gateway " + c.Gateway.AppKey, "newmovie " + c.NewMovie.EntID,
					"merchant " + c.WeChat.MchID, "account " + c.WeChat.AppID, "sms " + c.SMS.AccessKeyID,
					"tencent " + c.Tencent.SecretID, fmt.Sprint("captcha ", c.Captcha.AppID),
					"captcha key " + c.Captcha.SecretID} {
					require.Empty(t, seen[value], "%s of %s (seed %d) is another world's", value, id, seed)
					seen[value] = "world " + id
				}
			}
		}
	}
	require.Equal(t, dataset.CredentialsOf(1, "ci-7"), dataset.CredentialsOf(1, "ci-7"))
	require.Len(t, dataset.CredentialsOf(1, "").WeChat.MchID, 10, "as the vendor's")
}

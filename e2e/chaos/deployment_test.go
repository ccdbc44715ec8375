package chaos

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/cmd/sim/cluster"
	"marquee/e2e/harness"
	"marquee/server/account"
	"marquee/server/app"
	"marquee/server/goods"
	"marquee/simulators"
	"marquee/simulators/dataset"
)

// shopFolder contains the program that buildShop has built, "" if no test has asked for it.
var shopFolder string

// buildShop builds the program of a replica, once for the tests of the package, and returns its path.
var buildShop = sync.OnceValues(func() (path string, err error) {
	if shopFolder, err = os.MkdirTemp("", "marquee-chaos-"); err != nil {
		return "", err
	}
	path = filepath.Join(shopFolder, "shop")
	return path, goBuild(path)
})

// goBuild builds the shop with additional flags.
func goBuild(path string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", path}, flags...)
	cmd := exec.Command("go", append(args, "marquee/cmd/shop")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the shop: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	total.print(os.Stdout)
	if shopFolder != "" {
		_ = os.RemoveAll(shopFolder)
	}
	os.Exit(code)
}

// deployment is the cluster and the buyers of a test.
type deployment struct {
	*cluster.Cluster
	*load

	db         string
	simulators *simulators.Simulators
}

// deploymentOptions configure the replicas and the database of a test.
type deploymentOptions struct {
	db          string // MARQUEE_DB
	binary      string // the program of the replicas; that of this release if it is empty
	replicas    int
	kinds       []kind            // what the buyers purchase; every kind if it is empty
	environment map[string]string // of the replicas, in addition to the usual one
}

// newDeployment fills the database with buyers, starts the simulators and the replicas, and gives each buyer seats to
// lock.
func newDeployment(t *testing.T, o deploymentOptions) *deployment {
	t.Helper()
	began := time.Now()
	buyers := prepareBuyers(t, o.db)
	t.Logf("buyers ready after %s", time.Since(began))
	d := newCluster(t, o)
	d.load = &load{buyers: buyers, kinds: o.kinds, retries: map[string]int{}}
	if len(o.kinds) == 0 {
		d.kinds = allKinds
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: loadBuyers}}
	t.Cleanup(client.CloseIdleConnections)
	showings := d.showings(t)
	for i, b := range buyers {
		b.client, b.shop, b.sims = client, d.URL(), d.simulators.URL()
		b.channel = d.simulators.Default().Credentials().Shop.ChannelNo
		b.seats = d.freeSeats(t, b, showings[i*showingsEach:(i+1)*showingsEach])
	}
	return d
}

// newCluster starts the simulators and the replicas, without buyers.
func newCluster(t *testing.T, o deploymentOptions) *deployment {
	t.Helper()
	binary, err := o.binary, error(nil)
	if binary == "" {
		binary, err = buildShop()
	}
	require.NoError(t, err)
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	public := "http://" + listener.Addr().String()
	sims.Default().SetAppURL(public)
	sims.Default().SetPush(public + "/notify/gateway")
	environment := maps.Clone(sims.Default().ShopEnvironment())
	environment["MARQUEE_DB"], environment["MARQUEE_DB_CONNECTIONS"] = o.db, "4"
	maps.Copy(environment, o.environment)
	c, err := cluster.Start(t.Context(), cluster.Options{
		Listener: listener, Binary: binary, Replicas: o.replicas, Environment: environment, Dir: t.TempDir(),
	})
	require.NoError(t, err)
	d := &deployment{Cluster: c, db: o.db, simulators: sims}
	t.Cleanup(func() {
		if t.Failed() {
			d.printLogs(t)
		}
		require.NoError(t, c.Close())
	})
	return d
}

// prepareBuyers logs in buyers, each with a card and an identity in the messaging app. It uses a shop in this process,
// whose clock can be moved, because codes are sent once a minute. The buyers' passwords are cheap to verify, because a
// costly hash would limit the rate of the load.
func prepareBuyers(t *testing.T, db string) (buyers []*buyer) {
	t.Helper()
	s := harness.New(t, harness.Options{Begin: time.Now().Add(-time.Hour), Configure: func(cfg *app.Config) {
		cfg.DB, cfg.DBMigrate = db, true
		cfg.DBConnections = 24 // enough for buyers while all jobs of a new shop are due at once
		cfg.PasswordCost = account.Cost{MemoryKiB: 8, Passes: 1}
	}})
	for n := range loadBuyers {
		b := s.NewBuyer(harness.WithCard(cardPoints), harness.WithIdentity(fmt.Sprintf("oMarqueeChaos_%04d", n)))
		buyers = append(buyers, &buyer{
			token: b.Token, card: b.CardOf(b.Cards[0]).ID, openID: b.OpenID, acked: map[string]kind{},
		})
	}
	var codes []goods.Code
	for n := range goodsCodes {
		codes = append(codes, goods.Code{Num: fmt.Sprintf("C%08d", n), Pass: fmt.Sprintf("P%08d", n)})
	}
	_, err := s.Shop.Goods().AddCodes(t.Context(), goodsSKU, codes, "tests")
	require.NoError(t, err)
	sku := s.Catalog.SKUOf(goodsTitle)
	for _, b := range buyers {
		b.sku = sku
	}
	require.NoError(t, s.Close())
	return buyers
}

// showings returns the ids of showings of the gateway, showingsEach for each buyer. They are in large halls and start
// in more than a day.
func (d *deployment) showings(t *testing.T) (ids []string) {
	t.Helper()
	world := d.simulators.Default()
	city, _ := world.Country().City("310100")
	soon := time.Now().Add(26 * time.Hour)
	for _, cinema := range world.Country().Cinemas(dataset.Gateway, city) {
		for _, show := range world.Country().Shows(cinema, "") {
			if len(show.Hall.Layout.Seats) >= 150 && show.Starts.After(soon) {
				if ids = append(ids, show.ID); len(ids) == showingsEach*loadBuyers {
					return ids
				}
			}
		}
	}
	require.Fail(t, "the city has too few showings", "%d", len(ids))
	return nil
}

// freeSeats returns the free single seats of showings.
func (d *deployment) freeSeats(t *testing.T, b *buyer, showings []string) (free []seat) {
	t.Helper()
	for _, opiid := range showings {
		var hall struct {
			Opi struct {
				Price     int
				AreaPrice string // "A:4200,B:5200", in fen
			}
			SeatList []struct {
				Seatid, Area string
				Flag, Status int
			}
		}
		shop := d.simulators.Default().Credentials().Shop
		require.NoError(t, b.post(t.Context(), "/movie/route", harness.Signed(shop, url.Values{
			"channel_no": {shop.ChannelNo}, "token": {b.token}, "method": {"opi.seat"}, "opiid": {opiid},
		}), &hall))
		prices := map[string]string{}
		for area := range strings.SplitSeq(hall.Opi.AreaPrice, ",") {
			if id, price, ok := strings.Cut(area, ":"); ok {
				prices[id] = price
			}
		}
		for _, one := range hall.SeatList {
			price, ok := prices[one.Area]
			if !ok {
				price = strconv.Itoa(hall.Opi.Price)
			}
			if one.Status == 1 && one.Flag == 0 {
				free = append(free, seat{opiid, one.Seatid, price})
			}
		}
	}
	return free
}

// requireBooks fails the test if ledger, seats, payments and orders contradict each other.
func (d *deployment) requireBooks(t *testing.T) {
	t.Helper()
	found, err := app.Verify(context.Background(), d.db)
	require.NoError(t, err)
	require.Empty(t, found)
}

func (d *deployment) printLogs(t *testing.T) {
	for _, replica := range d.Replicas {
		text, err := os.ReadFile(replica.LogFile)
		if err != nil {
			continue
		}
		lines := slices.DeleteFunc(slices.Collect(strings.Lines(string(text))), func(line string) bool {
			return strings.Contains(line, `"level":"INFO"`) || strings.Contains(line, `"route":"/readyz"`)
		})
		for _, line := range lines[max(0, len(lines)-20):] {
			t.Log(replica.Name, strings.TrimSpace(line))
		}
	}
}

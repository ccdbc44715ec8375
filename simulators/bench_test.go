package simulators_test

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
)

// Most benchmarks have a second one with the suffix _Bare, in which a chi handler reads the same form and answers the
// same bytes over the same kind of socket. The ratio of the two times shows what the simulation costs.

// hammer posts a form again and again, one request after the other.
func hammer(b *testing.B, url, form string) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	b.Cleanup(client.CloseIdleConnections)
	for b.Loop() {
		response, err := client.Post(url, "application/x-www-form-urlencoded", strings.NewReader(form))
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, response.Body)
		if err != nil || response.Body.Close() != nil || response.StatusCode != http.StatusOK || n < 50 {
			b.Fatal(response.Status, n, err)
		}
	}
}

// bare serves fixed bytes from a chi router.
func bare(b *testing.B, answer string) string {
	b.Helper()
	server := httptest.NewServer(bareHandler(answer))
	b.Cleanup(server.Close)
	return server.URL + "/gateway"
}

// bareHandler reads a form and answers fixed bytes.
func bareHandler(answer string) http.Handler {
	router := chi.NewRouter()
	router.Post("/gateway", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json;charset=UTF-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = io.WriteString(w, answer)
	})
	return router
}

// small starts simulators. It returns the form of a signed call with a small answer, and that answer.
func small(b *testing.B) (s *simulators.Simulators, form, answer string) {
	b.Helper()
	s = start(b, simulators.Options{})
	form = gatewayForm(b, s.Default(), "film.detail", "movieid", "1301").Encode()
	_, answer = post(b, s.URL()+"/gateway", "application/x-www-form-urlencoded", form, nil)
	require.Contains(b, answer, `"success":true`)
	return s, form, answer
}

func BenchmarkSignedCall(b *testing.B) {
	s, form, _ := small(b)
	hammer(b, s.URL()+"/gateway", form)
}

func BenchmarkSignedCall_Bare(b *testing.B) {
	_, form, answer := small(b)
	hammer(b, bare(b, answer), form)
}

// hammerTLS posts a form again and again over one HTTPS connection.
func hammerTLS(b *testing.B, url, form string, config *tls.Config) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	b.Cleanup(client.CloseIdleConnections)
	for b.Loop() {
		response, err := client.Post(url, "application/x-www-form-urlencoded", strings.NewReader(form))
		if err != nil {
			b.Fatal(err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err != nil || response.Body.Close() != nil || response.StatusCode != http.StatusOK {
			b.Fatal(response.Status, err)
		}
	}
}

func BenchmarkSignedCallTLS(b *testing.B) {
	s := start(b, simulators.Options{TLSAddr: "127.0.0.1:0"})
	form := gatewayForm(b, s.Default(), "film.detail", "movieid", "1301").Encode()
	hammerTLS(b, s.TLSURL()+"/gateway", form, trusting(b, s))
}

func BenchmarkSignedCallTLS_Bare(b *testing.B) {
	_, form, answer := small(b)
	server := httptest.NewUnstartedServer(bareHandler(answer))
	server.StartTLS()
	b.Cleanup(server.Close)
	config := server.Client().Transport.(*http.Transport).TLSClientConfig
	hammerTLS(b, server.URL+"/gateway", form, config)
}

// hall200 starts simulators. It returns the form of a signed call for the seat map of a hall with 200 seats, and the
// answer.
func hall200(b *testing.B) (s *simulators.Simulators, form, answer string) {
	b.Helper()
	s = start(b, simulators.Options{})
	city, _ := s.Default().Country().City("310100")
	for _, c := range s.Default().Country().Cinemas(dataset.Gateway, city) {
		for _, show := range s.Default().Country().Shows(c, "") {
			if len(show.Hall.Layout.Seats) == 200 {
				form = gatewayForm(b, s.Default(), "opi.seat", "opiid", show.ID).Encode()
				_, answer = post(b, s.URL()+"/gateway", "application/x-www-form-urlencoded", form, nil)
				require.Contains(b, answer, `"success":true`)
				return s, form, answer
			}
		}
	}
	b.Fatal("no hall of 200 seats")
	return nil, "", ""
}

func BenchmarkSeatMap200(b *testing.B) {
	s, form, _ := hall200(b)
	hammer(b, s.URL()+"/gateway", form)
}

func BenchmarkSeatMap200_Bare(b *testing.B) {
	_, form, answer := hall200(b)
	hammer(b, bare(b, answer), form)
}

// BenchmarkStart measures the start, the first answer and the close.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s, err := simulators.Start(simulators.Options{})
		if err != nil {
			b.Fatal(err)
		}
		response, err := http.Get(s.URL() + "/sim/v1/health")
		if err != nil || response.Body.Close() != nil || s.Close() != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSignedCall_Watched is a signed call to a world with 20 open event streams.
func BenchmarkSignedCall_Watched(b *testing.B) {
	s, form, _ := small(b)
	client := &http.Client{Transport: &http.Transport{}}
	b.Cleanup(client.CloseIdleConnections)
	for range 20 {
		stream, err := client.Get(s.URL() + "/sim/v1/events")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = stream.Body.Close() })
		go func() { _, _ = io.Copy(io.Discard, stream.Body) }()
	}
	hammer(b, s.URL()+"/gateway", form)
}

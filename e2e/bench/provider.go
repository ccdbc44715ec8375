package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"time"

	"marquee/e2e/harness"
	"marquee/simulators"
	"marquee/simulators/certs"
	"marquee/simulators/dataset"
)

// measureSignedCall compares a signed gateway call with a bare handler that answers the same bytes.
func measureSignedCall(ctx context.Context, s settings) ([]figure, error) {
	got, note, err := againstBare(ctx, s, nil, filmDetail)
	return []figure{{"simulator: signed call ÷ bare handler", got, "≤ 1.1", "1.05", note}}, err
}

// measureSignedCallTLS is measureSignedCall over HTTPS, with the same kind of certificate and keep-alive on both sides.
func measureSignedCallTLS(ctx context.Context, s settings) ([]figure, error) {
	authority, err := certs.New([]string{"localhost"})
	if err != nil {
		return nil, err
	}
	got, note, err := againstBare(ctx, s, authority, filmDetail)
	return []figure{{"simulator: signed call by TLS ÷ bare TLS", got, "≤ 1.5", "1.3", note}}, err
}

// filmDetail returns the form of film.detail, a call with a small answer.
func filmDetail(sims *simulators.Simulators) (url.Values, error) {
	return url.Values{"method": {"film.detail"}, "movieid": {sims.Default().Country().Films()[0].ID}}, nil
}

// measureSeatMap is measureSignedCall with the seat map of a hall of 200 seats.
func measureSeatMap(ctx context.Context, s settings) ([]figure, error) {
	got, note, err := againstBare(ctx, s, nil, func(sims *simulators.Simulators) (url.Values, error) {
		city, _ := sims.Default().Country().City("310100")
		for _, c := range sims.Default().Country().Cinemas(dataset.Gateway, city) {
			for _, show := range sims.Default().Country().Shows(c, "") {
				if len(show.Hall.Layout.Seats) == 200 {
					return url.Values{"method": {"opi.seat"}, "opiid": {show.ID}}, nil
				}
			}
		}
		return nil, errors.New("no hall of 200 seats")
	})
	return []figure{{"simulator: seat map of 200 seats ÷ bare", got, "≤ 1.0", "0.9", note}}, err
}

// callers is the number of concurrent callers, as in a parallel test suite that uses one simulator.
const callers = 8

func againstBare(
	ctx context.Context,
	s settings,
	authority *certs.Authority, // of the simulator and of the bare handler; nil: plain HTTP
	form func(*simulators.Simulators) (url.Values, error),
) (got, note string, err error) {
	options := simulators.Options{Authority: func([]string) (*certs.Authority, error) { return authority, nil }}
	if authority != nil {
		options.TLSAddr = "127.0.0.1:0"
	}
	sims, err := simulators.Start(options)
	if err != nil {
		return "", "", err
	}
	defer sims.Close()
	business, err := form(sims)
	if err != nil {
		return "", "", err
	}
	target := cmp.Or(sims.TLSURL(), sims.URL()) + "/gateway"
	answer, err := post(ctx, target, stamped(sims, business))
	if err != nil || !bytes.Contains(answer, []byte(`"success":true`)) {
		return "", "", fmt.Errorf("the simulator rejects the call: %w: %.200s", err, answer)
	}
	reference, stop, err := bareTLS(answer, authority)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = stop() }()
	var ratios []float64
	var rates [2]float64
	for range s.rounds {
		for i, address := range []string{reference, target} {
			load := drive(ctx, callers, 2*time.Second, func(ctx context.Context, _ int) error {
				_, err := post(ctx, address, stamped(sims, business)) // newly signed, for both handlers
				return err
			})
			if load.failures > 0 {
				return "", "", fmt.Errorf("%d calls failed", load.failures)
			}
			rates[i] = load.rate
		}
		ratios = append(ratios, rates[0]/rates[1])
	}
	return fmt.Sprintf(
			"%.2f",
			median(ratios),
		), fmt.Sprintf(
			"%.0f/s to %.0f/s, %d B",
			rates[1],
			rates[0],
			len(answer),
		), nil
}

func stamped(sims *simulators.Simulators, business url.Values) url.Values {
	c := sims.Default().Credentials().Gateway
	// The gateway's signature has the same algorithm as the channel's.
	return harness.Signed(dataset.ShopCredentials{AppKey: c.AppKey, Secret: c.Secret}, maps.Clone(business))
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/url"
	"time"

	"marquee/e2e/harness"
	"marquee/simulators"
	"marquee/simulators/dataset"
)

// measureSignedCall compares a signed gateway call with a small answer, film.detail, with a bare handler that answers
// the same bytes.
func measureSignedCall(ctx context.Context, s settings) ([]figure, error) {
	sims, err := simulators.Start(simulators.Options{})
	if err != nil {
		return nil, err
	}
	defer sims.Close()
	business := url.Values{"method": {"film.detail"}, "movieid": {sims.Default().Country().Films()[0].ID}}
	target := sims.URL() + "/gateway"
	answer, err := post(ctx, target, stamped(sims, business))
	if err != nil || !bytes.Contains(answer, []byte(`"success":true`)) {
		return nil, fmt.Errorf("the simulator rejects the call: %w: %.200s", err, answer)
	}
	reference, stop, err := bare(answer)
	if err != nil {
		return nil, err
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
				return nil, fmt.Errorf("%d calls failed", load.failures)
			}
			rates[i] = load.rate
		}
		ratios = append(ratios, rates[0]/rates[1])
	}
	return []figure{{
		"simulator: signed call ÷ bare handler", fmt.Sprintf("%.2f", median(ratios)), "≤ 1.25", "1.1",
		fmt.Sprintf("%.0f/s to %.0f/s, %d B", rates[1], rates[0], len(answer)),
	}}, nil
}

// callers is the number of concurrent callers, as in a parallel test suite that uses one simulator.
const callers = 8

func stamped(sims *simulators.Simulators, business url.Values) url.Values {
	c := sims.Default().Credentials().Gateway
	// The gateway's signature has the same algorithm as the channel's.
	return harness.Signed(dataset.ShopCredentials{AppKey: c.AppKey, Secret: c.Secret}, maps.Clone(business))
}

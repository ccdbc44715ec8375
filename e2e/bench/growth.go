package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

// growthMetric matches a figure of BenchmarkGrowth: the cost of an operation divided by its cost in a small shop.
var growthMetric = regexp.MustCompile(`(?m)([\d.]+) ×([\w-]+)`)

// growthEngine matches the line with the figures of one database engine.
var growthEngine = regexp.MustCompile(`(?m)^BenchmarkGrowth/(\w+?)-\d+\s.*$`)

// growthLimits are the limits of the operations that have one. The limit of list is larger, because it reads the orders
// from the disk.
var growthLimits = map[string]string{
	"lock": "≤ 1.3", "pay": "≤ 1.3", "list": "≤ 3", "list-again": "≤ 1.3", "seat-map": "≤ 1.3", "refund": "≤ 1.3",
	"capture": "≤ 1.3", "purge-step": "≤ 1.3", "verify-step": "≤ 1.3", "find-order": "≤ 1.3",
}

// measureGrowth compares the cost of operations with many orders and with few, on both engines
// (server/purchase/growth_test.go).
func measureGrowth(ctx context.Context, s settings) (figures []figure, err error) {
	out, err := exec.CommandContext(ctx, "go", "test", "./server/purchase", "-run", "^$", "-bench", "Growth",
		"-benchtime", "1x", "-timeout", "6h", "-growth-orders", strconv.Itoa(s.orders)).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("BenchmarkGrowth: %w: %s", err, out)
	}
	for _, line := range growthEngine.FindAllSubmatch(out, -1) {
		for _, m := range growthMetric.FindAllSubmatch(line[0], -1) {
			figures = append(figures, figure{
				what: fmt.Sprintf("%s with %d orders ÷ with few, %s", m[2], s.orders, line[1]), got: string(m[1]),
				wanted: growthLimits[string(m[2])],
			})
		}
	}
	return figures, nil
}

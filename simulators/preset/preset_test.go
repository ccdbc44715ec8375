package preset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/preset"
)

func start(t *testing.T) *simulators.Simulators {
	t.Helper()
	s, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestPreset_EveryShippedOneIsApplied(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"bad-day", "moving-to-public-keys", "quiet-day"}, preset.Names())
	s := start(t)
	for _, name := range preset.Names() {
		text, err := preset.Read(name)
		require.NoError(t, err)
		require.NoError(t, preset.Apply(s, name, text), name)
	}
	require.Len(t, s.Default().Faults().Faults(), 8)
	require.NotNil(t, s.ByID("quiet-day"))
	require.Contains(t, string(s.ByID("quiet-day").Snapshot()), `"state": "SUCCESS"`)
	require.Contains(t, string(s.ByID("moving").Snapshot()), `"signs_with": "moving"`)
}

func TestPreset_WhatIsWrongIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"worlds:\n  - faults:\n      - {provider: gateway, operation: seat.lok, do: hang}\n": `p.yaml:3: invalid_fault: unknown operation "seat.lok"`,
		"worlds:\n\n  - id: UPPER\n    create: {seed: 1}\n":                                  `p.yaml:4: bad_world_id`,
		"worlds:\n  - id: w-1\n    colour: red\n":                                            `p.yaml: line 2: field colour not found`,
		"world: []\n": `p.yaml: unmarshal errors`,
		"worlds:\n  - payments:\n      - {out_trade_no: A, total: 1}\n": `p.yaml:3: payment A: {"code":"PARAM_ERROR"`,
		"worlds:\n  - signs_with: rsa\n":                                `p.yaml:2: bad_keys`,
		"worlds:\n  - advance_s: -1\n":                                  `p.yaml:2: clock_backwards`,
		"worlds:\n  - frozen: maybe\n":                                  `p.yaml:2: frozen must be true or false`,
		"worlds:\n  - create: {seed: 2}\n":                              `p.yaml:2: create needs an id`,
		"worlds:\n  - faults:\n      - provider: [\n":                   `p.yaml: line`,
	} {
		err := preset.Apply(start(t), "p.yaml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestPreset_AFileOfOnesOwnOrTheListOfShippedOnes(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.yaml")
	require.NoError(t, os.WriteFile(own, []byte("worlds: []\n"), 0o600))
	text, err := preset.Read(own)
	require.NoError(t, err)
	require.NoError(t, preset.Apply(start(t), own, text))
	_, err = preset.Read("calm")
	require.ErrorContains(t, err, "bad-day, moving-to-public-keys, quiet-day")
}

package main

import (
	"bytes"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStart_ADataFolderThatCannotBeWrittenIsAWarningAndANamedFileAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("data", nil, 0o600), "a file stands where the folder would be made")
	var log bytes.Buffer
	o := options{simAddr: "127.0.0.1:0", tlsAddr: "127.0.0.1:0", authority: defaultAuthority, seed: 1, maxWorlds: 1,
		idle: time.Minute}
	sims, err := startSimulators(o, nil, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	require.NoError(t, sims.Close())
	require.Contains(t, log.String(), "the certificate of HTTPS is new and not kept")

	o.authority = "data/own.pem"
	_, err = startSimulators(o, nil, slog.New(slog.NewTextHandler(&log, nil)))
	require.ErrorContains(t, err, "-sim-authority data/own.pem")
}

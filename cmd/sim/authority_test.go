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
	require.NoError(t, os.WriteFile("data", nil, 0o600), "a file has the name of the folder to create")
	var log bytes.Buffer
	o := options{SimAddr: "127.0.0.1:0", TLSAddr: "127.0.0.1:0", Authority: defaultAuthority, Seed: 1, MaxWorlds: 1,
		WorldIdle: time.Minute}
	sims, err := startSimulators(o, nil, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	require.NoError(t, sims.Close())
	require.Contains(t, log.String(), "a temporary one is used until this run ends")

	o.Authority = "data/own.pem"
	_, err = startSimulators(o, nil, slog.New(slog.NewTextHandler(&log, nil)))
	require.ErrorContains(t, err, "-sim-authority data/own.pem")
}

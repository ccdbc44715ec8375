#!/usr/bin/env bash
# Runs a command against new simulators, and exits with the command's status, or with 3 if the simulators saw a
# call that FAIL_ON names.
#
#   simulators/ci/with-simulators.sh npm test
#
# The command's environment has SIM (the address), HTTPS_PROXY, http_proxy, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS. The
# script writes into the folder ARTIFACTS (default: artifacts): the journal of the default world as journal.har, the
# journals of other worlds as journal-WORLD.har, and the log as simulators.log. The key of the certificates is not
# written to a file, because artifacts are uploaded.
#
#   SIM_BINARY  the simulators (bin/sim)      PRESET  a preset or its file
#   FAIL_ON     verdicts, such as not-simulated,failed; default not-simulated
set -euo pipefail
binary=${SIM_BINARY:-bin/sim} artifacts=${ARTIFACTS:-artifacts}
mkdir -p "$artifacts"
artifacts=$(cd "$artifacts" && pwd)
ports=$artifacts/ports.json
rm -f "$ports" "$artifacts"/journal*.har
"$binary" -providers-only -sim-addr 127.0.0.1:0 -sim-tls-addr 127.0.0.1:0 -sim-authority '' \
  -ports-file "$ports" -fail-on "${FAIL_ON-not-simulated}" ${PRESET:+-preset "$PRESET"} >"$artifacts/simulators.log" 2>&1 &
simulators=$!
trap 'kill $simulators 2>/dev/null || true' EXIT
tries=0
until [ -f "$ports" ]; do # for at most a minute
  if ! kill -0 $simulators 2>/dev/null || [ $((tries += 1)) -gt 1200 ]; then
    cat "$artifacts/simulators.log"
    exit 1
  fi
  sleep 0.05
done
field() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$ports"; }
SIM=$(field simulators)
"$binary" health -addr "${SIM#http://}" -wait 10s >/dev/null
"$binary" get "$SIM/sim/v1/ca.pem" >"$artifacts/ca.pem"
status=0
(
  export SIM HTTPS_PROXY=$SIM https_proxy=$SIM http_proxy=$SIM NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost
  export SSL_CERT_FILE=$artifacts/ca.pem NODE_EXTRA_CA_CERTS=$artifacts/ca.pem
  "$@"
) || status=$?
for world in $("$binary" get "$SIM/sim/v1/worlds" | grep -o '"id":"[^"]*"' | cut -d '"' -f 4); do
  name=journal-$world
  [ "$world" != default ] || name=journal
  "$binary" get "$SIM/sim/v1/journal/export?world=$world" >"$artifacts/$name.har"
done
kill -TERM $simulators
verdict=0
wait $simulators || verdict=$?
trap - EXIT
tail -n 3 "$artifacts/simulators.log"
[ "$status" -ne 0 ] || status=$verdict
exit "$status"

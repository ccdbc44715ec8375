#!/usr/bin/env bash
# Creates a world, makes signed calls, plans a fault, sends a wrong signature, and reads the entries in the journal.
# Needs bash, curl and md5sum, and simulators: bin/sim -providers-only
set -euo pipefail
SIM=${SIM:-http://127.0.0.1:9090}

# field prints the value of the first text field with a name in a JSON answer.
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

# post sends JSON to the control API.
post() { curl -s -H 'Content-Type: application/json' -d "$2" "$SIM/sim/v1$1"; }

# A world is an isolated tenant with separate seats, clock, faults and journal. Its credentials select it in every call.
world=$(post /worlds '{"seed":7}')
id=$(field id <<<"$world")
appkey=$(field appkey <<<"$world")
secret=$(field secret <<<"$world")

# gateway makes a signed call. The signature is the MD5 of the secret, the names and values of the fields in ASCII
# order, and the secret again.
gateway() {
  local fields=("method=$1" "appkey=$appkey" "v=2.0" "timestamp=$(TZ=CST-8 date '+%F %T')" "${@:2}") args=() f joined sign
  joined=$(printf '%s\n' "${fields[@]}" | LC_ALL=C sort | sed 's/=//' | tr -d '\n')
  sign=$(printf '%s' "$secret$joined$secret" | md5sum | cut -c 1-32 | tr a-f A-F)
  for f in "${fields[@]}" "sign=$sign"; do args+=(--data-urlencode "$f"); done
  curl -s "${args[@]}" "$SIM/gateway"
}

echo "a signed call:     $(gateway city.list keyword=hangzhou)"

# The next call of this operation fails with an error of the provider, and the call after it succeeds again.
post "/faults?world=$id" '{"provider":"gateway","operation":"city.list","do":"error","code":"9999","message":"请重新加载","times":1}' >/dev/null
echo "with a fault:      $(gateway city.list)"
echo "and once more:     $(gateway city.list keyword=hangzhou)"

# A wrong signature is rejected, and the journal shows the expected and the received one.
right=$secret secret=wrong
echo "a wrong signature: $(gateway city.list)"
secret=$right
echo "in the journal:    $(curl -s "$SIM/sim/v1/journal?world=$id&verdict=refused" | grep -o '"reason":".*"' | head -c 300)"

curl -s -X DELETE "$SIM/sim/v1/worlds/$id"

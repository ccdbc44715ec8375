#!/usr/bin/env bash
# Shows the features of the simulators, each by a few calls, in this order. Needs bash, curl and simulators:
# bin/sim -providers-only
SIM=${SIM:-http://127.0.0.1:9090}
field() { grep -o "\"$1\":\"[^\"]*" | head -n 1 | cut -d '"' -f 4; }
sim()   { curl -s -H 'Content-Type: application/json' "$SIM/sim/v1$1" "${@:2}"; }
APPKEY=$(sim /catalogue | field appkey)

# Seed. The same seed gives the same data and pictures.
curl -s $SIM/art/poster/1301.svg

# Market. Showings, halls, films and other buyers.
sim '/showings?city=310100&limit=2'
sim '/films?state=presale'

# Signatures. The journal shows the signed text, the expected and the received signature of a rejected call.
curl -s $SIM/gateway -d "method=city.list&appkey=$APPKEY&timestamp=2026-01-02+03:04:05&v=2.0&sign=00"
sim '/journal?verdict=refused'

# Vendors' SDKs work unchanged. Payments are JSAPI, Native, H5, app, mini-program, and of service providers.
sim /wechat/codes -d '{"openid":"oMarqueeDemo_bound_0001","for":"login"}'

# A call that is not simulated fails with an error in the vendor's format, unless a stub answers it.
curl -s $SIM/wechatpay/v3/profitsharing/orders
sim '/journal?verdict=not-simulated'
sim /stubs -d '{"provider":"wechat","path":"/v3/profitsharing/*","answer":{"body":"{\"state\":\"PROCESSING\"}"}}'

# Worlds and their clock. Timers fire in order.
sim /worlds -d '{"id":"ci-7","seed":7,"now":"2030-06-01T09:00:00+08:00","frozen":true}'
sim '/clock/advance?world=ci-7' -d '{"seconds":900}'
sim '/clock/resume?world=ci-7' -d '{}'
sim '/clock?world=ci-7'

# Faults of HTTP and TCP, before or after the provider acted.
sim /faults -d '{"provider":"gateway","operation":"city.list","do":"latency","latency_ms":300,"times":1}'
sim /faults -d '{"provider":"newmovie","operation":"*","do":"html","status":502,"times":1}'
sim /faults -d '{"provider":"gateway","operation":"seat.lock","do":"act-then-hang","times":1}'

# Chosen calls. A fault hits the nth call, the first few calls, all calls after some, or a random share with a seed.
sim /faults -d '{"provider":"gateway","operation":"*","do":"error","nth":3}'
sim /faults -d '{"provider":"sms","operation":"send","do":"error","probability":0.1,"seed":5,"times":2}'

# Faults of the domain. A lost seat or lock, another price, late or missing tickets, a lock in state DOING.
sim /faults -d '{"provider":"newmovie","operation":"order/lock","do":"doing-late","delay_s":30}'
sim /faults

# Webhooks are lost, delayed, doubled, overtaken or wrong, and repeated at the vendor's intervals on the world's
# clock. Additional receivers get copies.
sim /faults -d '{"provider":"wechat","operation":"notify","do":"notify-reorder","times":1}'
sim /webhooks/targets -d "{\"url\":\"$SIM/copies\",\"operation\":\"notify\"}"
curl -s -X DELETE $SIM/sim/v1/webhooks/targets
sim '/journal?verdict=sent'

# Bridge and certificates. The bridge reports a wrong outcome. Certificates rotate.
sim /faults -d '{"provider":"wechat","operation":"pay","do":"bridge-cancel-after-pay","times":1}'
sim /faults -d '{"provider":"wechat","operation":"query","do":"certificate-rotated","times":1}'

# Magic values. Phones, amounts and openids that always have the same outcome, for clients that cannot plan faults.
sim /catalogue

# Journal without secrets, to be filtered, counted, waited for, exported and cleared.
sim '/journal/count?verdict=refused'
sim '/journal/wait?operation=city.list&timeout=1'
sim '/journal/export?format=jsonl' -o journal.jsonl
curl -s -X DELETE $SIM/sim/v1/journal

# SMS inbox. A call waits for the next code to a phone, and returns it as soon as it is sent.
sim '/sms/messages/next?phone=13900000007&timeout=0'

# Phone with an in-app browser, the bridge, a payment sheet and a scanner; the console.
curl -s $SIM/phone
curl -s $SIM/
sim '/orders?limit=5'

# Snapshots. A world is saved, restored, forked and reset.
sim /worlds/ci-7/snapshot -o ci-7.json
sim '/worlds/restore?id=ci-8' --data-binary @ci-7.json
sim /worlds/ci-7/fork -d '{"id":"ci-9"}'
sim /worlds/ci-7/reset -d '{}'

# HTTPS for vendors' addresses, and a description of the control API.
sim /ca.pem -o ca.pem
sim /openapi.json

#!/usr/bin/env bash
# Buys a ticket by hand, and then one whose issue fails, at a shop and simulators that make sim runs. Needs bash and curl.
# A line after #> is the expected output. If you have bought here before under another phone number, use that number, or
# start again with make sim-reset. Files are written into a temporary folder.
cd "$(mktemp -d)" || exit

# Two addresses, and functions that wait for an address, read a text field, call the simulators and call the shop.
SHOP=${SHOP:-http://127.0.0.1:8080} SIM=${SIM:-http://127.0.0.1:9090}
up()    { curl -s -o page --retry 60 --retry-delay 1 --retry-connrefused "$1"; }
field() { grep -o "\"$1\":\"[^\"]*" | head -n 1 | cut -d '"' -f 4; }
sim()   { curl -s -H 'Content-Type: application/json' "$SIM/sim/v1$1" "${@:2}"; }
up $SIM/sim/v1/health
CHANNEL=$(sim /catalogue | field channel_no)
shop()  { curl -s -b cookies -c cookies "$SHOP$1" -d "channel_no=$CHANNEL" -d "token=${TOKEN:-}" "${@:2}"; }

# Log in. The call for the next code waits until the SMS provider was asked to send it.
up $SHOP/healthz
shop /Login/sendcode -d phone=13900000007
SMS=$(sim '/sms/messages/next?phone=13900000007' | field code)
TOKEN=$(shop /Login/phoneLogin -d phone=13900000007 -d code=$SMS | field token)

# The messaging app's login page sends the person who holds the phone back to the shop with a code.
LOGIN=$(shop /Login/wxlogin -d url=$SHOP/quickLogin | field url | sed 's|\\u0026|\&|g; s|^http://[^/]*||; s|#.*||')
BACK=$(curl -s -o page -w '%{redirect_url}' "$SIM$LOGIN" | sed 's|.*?||; s|#.*||')
OPENID=$(shop /Login/getopenid -d "$BACK" | field openid)
echo $OPENID
#> oMarqueeDemo_bound_0001

# Read the first cinema of Beijing from the newmovie provider. The shop lists its showings.
KEYS=$(sim /catalogue | grep -o '"entId":[^}]*')
BEARER=$(curl -s $SIM/newmovie/api/oauth/token -H 'Content-Type: application/json' -d "{$KEYS}" | field access_token)
curl -s "$SIM/newmovie/api/movie/cinemas?cityId=2001" -H "Authorization: Bearer $BEARER" >cinemas
CINEMA=$(field cinemaId <cinemas) CINEMA_CODE=$(field cinemaCode <cinemas)
SESSIONS=$(curl -s "$SHOP/newmovie/api/movie/cinema_shows?cinemaId=$CINEMA" | grep -o '"sessionId":"[^"]*' | cut -d '"' -f 4 | tail -n 20)

# Buy: lock the first free single seat, announce the payment, pay on the phone. After the notify the shop asks the
# provider for the ticket, which the journal waits for. A lock takes time, so the clock runs until the seat is locked. It
# is frozen then, so that each state of the order lasts until the clock is advanced. It runs again when the script ends.
trap 'sim /clock/resume -d {} >running' EXIT
buy() {
  sim /clock/resume -d {} >running
  for SESSION in $SESSIONS; do
    SEAT=$(shop /newmovie/seat/map -d sessionId=$SESSION -d cinemaId=$CINEMA | grep -o '"state":1,"type":1,[^}]*' | field originSeatID)
    [ -z "$SEAT" ] || break
  done
  ORDER=$(shop /newmovie/seat/lock -d sessionId=$SESSION -d cinemaCode=$CINEMA_CODE -d seatIds=$SEAT | field orderid)
  sim /clock/freeze -d {} >frozen
  PREPAY=$(shop /Film/wxpay -d oid=$ORDER -d openid=$OPENID | field package | cut -d = -f 2)
  sim /wechat/pay -d "{\"prepay_id\":\"$PREPAY\",\"outcome\":\"pay\"}"
  sim "/journal/wait?operation=order/submit&contains=$ORDER" >asked
}
becomes() { until shop /Dyorder/show -d id=$ORDER | grep -o "\"state_text\":\"$1\""; do sleep 0.2; done; }
buy
becomes 正在出票
#> "state_text":"正在出票"

# Tickets take three seconds of business time.
sim /clock/advance -d '{"seconds":5}'
becomes 已出票
#> "state_text":"已出票"

# The same with a cinema that rejects the ticket after the payment.
sim /faults -d '{"provider":"newmovie","operation":"order/submit","do":"issue-refused","message":"影院系统故障","times":1}'
buy
sim '/journal?verdict=fault' | grep -o '"operation":"order/submit"\|"fault":"[^"]*"'
#> "operation":"order/submit"
#> "fault":"1 issue-refused"
sim /clock/advance -d '{"seconds":5}'
becomes '出票失败(退款)'
#> "state_text":"出票失败(退款)"

# The shop has asked for the refund, which takes five seconds. Its notify reports the end.
sim '/journal/wait?provider=wechat&operation=refund' | grep -o '"status\\":\\"[A-Z]*'
#> "status\":\"PROCESSING
sim /clock/advance -d '{"seconds":60}'
sim '/journal/wait?operation=refund-notify&verdict=sent' | grep -o '"refund_status\\":\\"[A-Z]*'
#> "refund_status\":\"SUCCESS
becomes 已退款
#> "state_text":"已退款"

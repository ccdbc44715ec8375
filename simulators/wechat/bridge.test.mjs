// The real weixin-js-sdk, unchanged, in a page of the in-app browser, against a running simulator. The Go test
// TestRealJSSDK starts the simulator and runs this file; by hand: SIM_URL=http://127.0.0.1:9090 node --test bridge.test.mjs
import assert from 'node:assert/strict'
import { createHash, createSign, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import test from 'node:test'
import { JSDOM } from 'jsdom'

const sdkSource = readFileSync(createRequire(import.meta.url).resolve('weixin-js-sdk'), 'utf8')
const sim = new URL(process.env.SIM_URL)
const app = `http://inapp.localhost:${sim.port}`

// request calls the simulator under any host name.
const request = (method, url, { headers = {}, body } = {}) => new Promise((resolve, reject) => {
  const at = new URL(url)
  const call = http.request({
    host: sim.hostname, port: sim.port, method, path: at.pathname + at.search, agent: false,
    headers: { ...headers, host: at.host, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) },
  }, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString() }))
  })
  call.on('error', reject)
  call.end(body)
})

const keys = process.env.SIM_CREDENTIALS
  ? JSON.parse(process.env.SIM_CREDENTIALS)
  : JSON.parse((await request('GET', new URL('/sim/v1/catalogue', sim).href)).text).credentials.wechat

const rsa = (text) => createSign('RSA-SHA256').update(text).sign(keys.mch_private_key_pem, 'base64')

// prepay creates an order as a merchant's server does, and returns the bridge parameters for the page.
const prepay = async (openid, total) => {
  const path = '/v3/pay/transactions/jsapi'
  const body = JSON.stringify({
    appid: keys.appid, mchid: keys.mchid, description: '两张电影票', out_trade_no: `T${randomBytes(12).toString('hex')}`,
    notify_url: `${sim.origin}/nowhere`, amount: { total, currency: 'CNY' }, payer: { openid },
  })
  const time = Math.floor(Date.now() / 1000), nonce = randomBytes(16).toString('hex')
  const signature = rsa(`POST\n${path}\n${time}\n${nonce}\n${body}\n`)
  const answer = await request('POST', `http://api.mch.weixin.qq.com${path}`, {
    body,
    headers: {
      accept: 'application/json', 'user-agent': 'test', 'content-type': 'application/json',
      authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${keys.mchid}",nonce_str="${nonce}",timestamp="${time}",serial_no="${keys.mch_serial}",signature="${signature}"`,
    },
  })
  assert.equal(answer.status, 200, answer.text)
  const params = { appId: keys.appid, timeStamp: String(time), nonceStr: nonce, package: `prepay_id=${JSON.parse(answer.text).prepay_id}`, signType: 'RSA' }
  return { ...params, paySign: rsa(`${params.appId}\n${params.timeStamp}\n${params.nonceStr}\n${params.package}\n`) }
}

let ticket
// sign returns a server's answer for a page's wx.config.
const sign = async (url) => {
  if (!ticket) {
    const host = 'http://api.weixin.qq.com'
    const token = JSON.parse((await request('GET', `${host}/cgi-bin/token?grant_type=client_credential&appid=${keys.appid}&secret=${keys.appsecret}`)).text)
    ticket = JSON.parse((await request('GET', `${host}/cgi-bin/ticket/getticket?access_token=${token.access_token}&type=jsapi`)).text).ticket
  }
  const nonceStr = randomBytes(8).toString('hex'), timestamp = Math.floor(Date.now() / 1000)
  const signature = createHash('sha1').update(`jsapi_ticket=${ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${url}`).digest('hex')
  return { appId: keys.appid, timestamp, nonceStr, signature, jsApiList: ['scanQRCode', 'getLocation', 'chooseWXPay'] }
}

const bound = 'oMarqueeDemo_bound_0001'

// openPage shows a page of the in-app browser on a phone, with the bridge first and then the SDK.
const openPage = async (t, { os = 'ios', bridge = 'ready', openid = bound, path = '/scan?a=1' } = {}) => {
  const start = await request('GET', `${app}/__phone/start?openid=${openid}&os=${os}&bridge=${bridge}&to=/`)
  const cookie = start.headers['set-cookie'].map((c) => c.split(';')[0]).join('; ')
  const script = (await request('GET', `${app}/__phone/bridge.js`, { headers: { cookie } })).text.replace('"lateMillis":1500', '"lateMillis":40')
  const { window } = new JSDOM('<!doctype html><html><head></head><body></body></html>', { url: app + path, runScripts: 'outside-only', pretendToBeVisual: true })
  t.after(() => window.close())
  window.fetch = async (url, init = {}) => {
    const at = new URL(url, window.location.href)
    const answer = await request(init.method || 'GET', at.href, { headers: { ...init.headers, cookie, origin: app }, body: init.body })
    return { ok: answer.status < 300, status: answer.status, json: async () => JSON.parse(answer.text) }
  }
  window.eval(script)
  window.eval(`var module = { exports: {} };\n${sdkSource}\nwindow.wx = module.exports`)
  return window
}

// configured runs wx.config and resolves when the SDK calls ready or error.
const configured = (window, config) => new Promise((resolve) => {
  window.wx.config(config)
  window.wx.error((problem) => resolve({ error: problem }))
  window.wx.ready(() => setTimeout(() => resolve({ ready: true })))
})

// called runs one API of the SDK and resolves with the callback that was called.
const called = (window, name, params = {}) => new Promise((resolve) => {
  window.wx[name]({
    ...params,
    success: (result) => resolve(['success', result]), fail: (result) => resolve(['fail', result]), cancel: (result) => resolve(['cancel', result]),
  })
})

const until = async (find) => {
  for (let i = 0; i < 400; i++) {
    const found = find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('never came')
}

// dialog waits for the phone's dialog above the page.
const dialog = (window) => until(() => {
  for (const host of window.document.documentElement.children) {
    const found = host.shadowRoot?.querySelector('dialog')
    if (found) return found
  }
  return null
})
const press = async (window, text) => {
  const button = [...(await dialog(window)).querySelectorAll('button')].find((b) => b.textContent === text)
  assert.ok(button, `a button ${text}`)
  button.click()
}

test('wx.config is verified over the landing page on iOS and over the current page on Android', async (t) => {
  for (const [os, counts] of [['ios', '/scan?a=1'], ['android', '/deeper']]) {
    for (const signed of ['/scan?a=1', '/deeper']) {
      const window = await openPage(t, { os })
      window.history.pushState(null, '', '/deeper#part')
      const result = await configured(window, await sign(app + signed))
      if (signed === counts) assert.deepEqual(result, { ready: true }, `${os} ${signed}`)
      else assert.equal(result.error?.errMsg, 'config:invalid signature', `${os} ${signed}`)
    }
  }
})

test('wx.config with another app or signature is rejected', async (t) => {
  const window = await openPage(t)
  const config = await sign(`${app}/scan?a=1`)
  assert.equal((await configured(window, { ...config, signature: '0'.repeat(40) })).error?.errMsg, 'config:invalid signature')
  assert.equal((await configured(await openPage(t), { ...config, appId: 'wx0' })).error?.errMsg, 'config:invalid appid')
})

test('the scanner answers in both systems\' formats, which the SDK converts to the text', async (t) => {
  for (const os of ['ios', 'android']) {
    const window = await openPage(t, { os })
    await configured(window, await sign(`${app}/scan?a=1`))
    const result = called(window, 'scanQRCode', { needResult: 1, scanType: ['qrCode'] })
    const shown = await dialog(window)
    assert.equal(shown.getAttribute('aria-labelledby'), 'title')
    shown.querySelector('input').value = '8010000000000017,12345678'
    await press(window, '完成')
    const [end, answer] = await result
    assert.equal(end, 'success')
    assert.equal(answer.resultStr, '8010000000000017,12345678')

    const turned = called(window, 'scanQRCode', { needResult: 1 })
    await press(window, '取消')
    assert.equal((await turned)[0], 'cancel')
  }
})

test('a page sets the share cards, for links to its host only, until the phone loads another document', async (t) => {
  const window = await openPage(t)
  const card = { title: '青空之下', desc: '一起去看', link: `${app}/filmdetail?id=1`, imgUrl: `${app}/art/poster/1301.svg` }
  const shares = async () => JSON.parse((await request('GET', new URL(`/phone/state?openid=${bound}`, sim).href)).text).shares
  assert.equal((await called(window, 'updateAppMessageShareData', card))[1].errMsg, 'updateAppMessageShareData:permission denied')
  await configured(window, { ...await sign(`${app}/scan?a=1`), jsApiList: ['updateAppMessageShareData', 'updateTimelineShareData'] })
  assert.equal((await called(window, 'updateAppMessageShareData', card))[0], 'success')
  assert.equal((await called(window, 'updateTimelineShareData', { ...card, title: '《青空之下》' }))[0], 'success')
  assert.deepEqual(await shares(), { friend: card, timeline: { title: '《青空之下》', link: card.link, imgUrl: card.imgUrl } })
  const [end, refused] = await called(window, 'updateAppMessageShareData', { ...card, link: 'https://elsewhere.example/' })
  assert.equal(end, 'fail')
  assert.match(refused.errMsg, /invalid link|fail/)
  assert.equal((await shares()).friend.link, card.link)
  await openPage(t)
  assert.deepEqual(await shares(), {})
})

test('without wx.config the scanner and the location are rejected', async (t) => {
  const window = await openPage(t)
  for (const name of ['scanQRCode', 'getLocation']) {
    const [end, answer] = await called(window, name)
    assert.equal(end, 'fail')
    assert.equal(answer.errMsg, `${name}:permission denied`)
  }
})

test('the location is the person\'s', async (t) => {
  const window = await openPage(t)
  await configured(window, await sign(`${app}/scan?a=1`))
  const [end, answer] = await called(window, 'getLocation', { type: 'wgs84' })
  assert.equal(end, 'success')
  assert.equal(answer.latitude, 31.2304)
  assert.equal(answer.longitude, 121.4737)
})

test('checkJsApi reports what the phone supports, in both formats', async (t) => {
  for (const os of ['ios', 'android']) {
    const window = await openPage(t, { os })
    await configured(window, await sign(`${app}/scan?a=1`))
    const [, answer] = await called(window, 'checkJsApi', { jsApiList: ['chooseWXPay', 'getLocation', 'startRecord'] })
    assert.deepEqual({ ...answer.checkResult }, { chooseWXPay: true, getLocation: true, startRecord: false })
  }
})

test('chooseWXPay shows the sheet and reports the choice', async (t) => {
  const window = await openPage(t)
  await configured(window, await sign(`${app}/scan?a=1`))
  const params = await prepay(bound, 8400)
  const choose = async (button) => {
    const result = called(window, 'chooseWXPay', { ...params, timestamp: params.timeStamp })
    const shown = await dialog(window)
    assert.match(shown.textContent, /¥84\.00/)
    assert.match(shown.textContent, /两张电影票/)
    await press(window, button)
    return result
  }
  assert.equal((await choose('取消'))[0], 'cancel')
  assert.equal((await choose('模拟支付失败'))[0], 'fail')
  const [end, answer] = await choose('支付')
  assert.equal(end, 'success')
  assert.equal(answer.errMsg, 'chooseWXPay:ok')
})

const brand = (window, params) => new Promise((resolve) => { window.WeixinJSBridge.invoke('getBrandWCPayRequest', params, resolve) })

test('getBrandWCPayRequest rejects an order that is unsigned, of another payer, or paid', async (t) => {
  const window = await openPage(t)
  const params = await prepay(bound, 100)
  for (const change of [{ paySign: rsa('something else') }, { nonceStr: 'other' }, { signType: 'MD5' }, { package: 'prepay_id=wx0' }, { appId: 'wx0' }]) {
    const result = await brand(window, { ...params, ...change })
    assert.equal(result.err_msg, 'get_brand_wcpay_request:fail', JSON.stringify(change))
    assert.ok(result.err_desc)
  }
  const other = await prepay('oMarqueeDemo_unbound_02', 100)
  assert.match((await brand(window, other)).err_desc, /不一致/)

  const paid = brand(window, params)
  await press(window, '支付')
  assert.equal((await paid).err_msg, 'get_brand_wcpay_request:ok')
  const again = await brand(window, params)
  assert.equal(again.err_msg, 'get_brand_wcpay_request:fail')
  assert.match(again.err_desc, /已支付/)
})

test('the person without money sees the sheet, and the payment fails', async (t) => {
  const openid = 'oMarqueeDemo_poor_00003'
  const window = await openPage(t, { openid })
  const result = brand(window, await prepay(openid, 100))
  await press(window, '支付')
  assert.deepEqual({ ...(await result) }, { err_msg: 'get_brand_wcpay_request:fail', err_desc: '零钱余额不足' })
})

test('a trade of ¥444.02 reports cancel although the money moved', async (t) => {
  const window = await openPage(t)
  const params = await prepay(bound, 44402)
  const result = brand(window, params)
  await press(window, '支付')
  assert.equal((await result).err_msg, 'get_brand_wcpay_request:cancel')
  assert.match((await brand(window, params)).err_desc, /已支付/)
})

test('a late bridge announces itself, and the SDK waits for it', async (t) => {
  const window = await openPage(t, { bridge: 'late' })
  assert.equal(window.WeixinJSBridge, undefined)
  let announced = 0
  window.document.addEventListener('WeixinJSBridgeReady', () => { announced += 1 })
  assert.deepEqual(await configured(window, await sign(`${app}/scan?a=1`)), { ready: true })
  assert.equal(announced, 1)
})

test('an absent bridge is never injected', async (t) => {
  const window = await openPage(t, { bridge: 'absent' })
  const first = await Promise.race([
    configured(window, await sign(`${app}/scan?a=1`)), new Promise((resolve) => { setTimeout(resolve, 200, 'nothing') }),
  ])
  assert.equal(first, 'nothing')
  assert.equal(window.WeixinJSBridge, undefined)
})

test('the page sees the messaging app, and nothing leaves the machine', async (t) => {
  for (const [os, shape] of [['ios', /iPhone.*MicroMessenger\/8/], ['android', /Android.*MicroMessenger\/8/]]) {
    const window = await openPage(t, { os })
    assert.match(window.navigator.userAgent, shape)
    const image = new window.Image()
    image.src = 'https://open.weixin.qq.com/sdk/report?v=1'
    assert.equal(image.src, '')
    image.src = '/poster.svg'
    assert.equal(image.src, `${app}/poster.svg`)
  }
})

test('the phone page shows every time in China\'s time zone', async () => {
  const { window } = new JSDOM((await request('GET', new URL('/phone', sim).href)).text, { url: new URL('/phone', sim).href, runScripts: 'outside-only' })
  window.HTMLIFrameElement.prototype.focus = () => {}
  window.fetch = async () => ({
    ok: true,
    status: 200,
    json: async () => ({
      now: '2026-11-21T21:04:05Z', identity: { openid: bound }, identities: [], shares: {},
      messages: [{ code: '123456', at: '2026-11-21T21:04:05.5Z', text: 'a' }, { code: '654321', at: '2026-11-22T05:04:06+08:00', text: 'b' }],
      records: [{ description: 'x', total: 1, text: 'y', at: '2026-12-31T23:59:59-05:00', out_trade_no: 'T1', refunds: [] }],
    }),
  })
  window.setTimeout = () => 0
  window.eval((await request('GET', new URL('/phone/page.js', sim).href)).text)
  await new Promise((resolve) => { setImmediate(resolve) })
  const text = (id) => window.document.getElementById(id).textContent
  assert.equal(text('clock'), '05:04')
  assert.match(text('messages'), /2026-11-22 05:04:05.*2026-11-22 05:04:06/)
  assert.match(text('records'), /2027-01-01 12:59:59/)
  window.close()
})

// The bridge that the messaging app puts into every page of its browser: WeixinJSBridge.invoke, on and call, with
// the results the real app gives on the phone's system. `config` describes the phone.
const userAgent = /MicroMessenger/.test(navigator.userAgent) ? navigator.userAgent : config.userAgent
const android = /android/i.test(userAgent)
if (userAgent !== navigator.userAgent) {
  Object.defineProperty(navigator, 'userAgent', { get: () => userAgent, configurable: true })
  Object.defineProperty(navigator, 'platform', { get: () => (android ? 'Linux aarch64' : 'iPhone'), configurable: true })
}

// On iOS the signature covers the address of the page that was loaded first, also after navigation within the app.
const landing = location.href
const permitted = new Set()

const post = async (path, body) => {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

const pay = async (params) => {
  const { appId, timeStamp, nonceStr, signType, paySign } = params
  const signed = { appId, timeStamp: String(timeStamp), nonceStr, package: params.package, signType, paySign }
  const sheet = await post('/__phone/sheet', signed)
  if (sheet.err_msg) return sheet
  return paySheet(sheet, (outcome) => post('/__phone/pay', { ...signed, outcome }))
}

const scan = async (params) => {
  const text = await scanner()
  if (text === null) return { err_msg: 'scanQRCode:cancel' }
  if (Number(params.needResult) !== 1) return { err_msg: 'scanQRCode:ok' }
  return { err_msg: 'scanQRCode:ok', resultStr: android ? text : JSON.stringify({ scan_code: { scan_result: text } }) }
}

// A page sets the cards that are sent when the person shares it: one for friends, one for the timeline.
const setCard = (name, to) => async ({ title, desc, link, imgUrl }) => {
  const answer = await post('/__phone/share', { to, title, desc, link, imgUrl })
  return { err_msg: `${name}:${answer.err_msg}`, err_desc: answer.err_desc }
}

const needPermission = {
  scanQRCode: scan,
  geoLocation: async () => ({
    err_msg: 'geoLocation:ok', latitude: config.lat, longitude: config.lng, accuracy: 30, speed: 0,
  }),
  openLocation: async () => ({ err_msg: 'openLocation:ok' }),
  imagePreview: async () => ({ err_msg: 'imagePreview:ok' }),
  updateAppMessageShareData: setCard('updateAppMessageShareData', 'friend'),
  updateTimelineShareData: setCard('updateTimelineShareData', 'timeline'),
}

const always = {
  preVerifyJSAPI: async (params) => {
    const answer = await post('/__phone/jsconfig', {
      appId: params.verifyAppId,
      timestamp: String(params.verifyTimestamp),
      nonceStr: params.verifyNonceStr,
      signature: params.verifySignature,
      url: android ? location.href : landing,
    })
    if (answer.err_msg === 'preVerifyJSAPI:ok') for (const name of params.verifyJsApiList || []) permitted.add(name)
    return answer
  },
  checkJsApi: async (params) => {
    const result = {}
    for (const name of params.jsApiList || []) result[name] = name in needPermission || name in always
    return { err_msg: 'checkJsApi:ok', checkResult: android ? JSON.stringify(result) : result }
  },
  getBrandWCPayRequest: pay,
  getNetworkType: async () => ({ err_msg: 'network_type:wifi' }),
}
for (const name of [
  'hideOptionMenu', 'showOptionMenu', 'hideMenuItems', 'showMenuItems', 'hideAllNonBaseMenuItem', 'showAllNonBaseMenuItem',
  'hideToolbar', 'showToolbar', 'closeWindow',
]) {
  always[name] = async () => ({ err_msg: `${name}:ok` })
}

const run = async (name, params) => {
  if (Object.hasOwn(always, name)) return always[name](params)
  if (!Object.hasOwn(needPermission, name)) return { err_msg: `${name}:function_not_exist` }
  if (!permitted.has(name)) return { err_msg: 'system:access_denied' }
  return needPermission[name](params)
}

const failure = (name) => (name === 'getBrandWCPayRequest' ? 'get_brand_wcpay_request:fail' : `${name}:fail`)

const listeners = new Map()
const bridge = {
  invoke(name, params, callback) {
    run(name, params || {})
      .catch((error) => ({ err_msg: failure(name), err_desc: String(error.message || error) }))
      .then((result) => { if (typeof callback === 'function') callback(result) })
  },
  call(name, params, callback) { bridge.invoke(name, params, callback) },
  on(event, callback) { listeners.set(event, callback) },
  log() {},
}

// The Android client injects its bridge when a page opens frames with its schemes. A page whose Content-Security-Policy
// blocks them has no bridge. The frames are sandboxed, so that they do not start a program on this machine that has
// registered one of the schemes.
const clientFrames = ['weixinpreinject://iframe', 'weixinping://iframe', 'weixin://dispatch_message/']
const frameMillis = 50 // from the opening of the frames to the injection
let blocked = false
document.addEventListener('securitypolicyviolation', (event) => {
  if (!android || event.effectiveDirective !== 'frame-src') return
  blocked = true
  delete window.WeixinJSBridge
})

const openClientFrames = () => {
  for (const address of clientFrames) {
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.setAttribute('sandbox', 'allow-same-origin')
    frame.src = address
    document.documentElement.append(frame)
  }
  setTimeout(install, frameMillis)
}

const inject = () => {
  if (!android) install()
  else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', openClientFrames, { once: true })
  else openClientFrames()
}

const install = () => {
  if (blocked) return
  window.WeixinJSBridge = bridge
  const announce = () => document.dispatchEvent(new Event('WeixinJSBridgeReady'))
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', announce, { once: true })
  else announce()
}
if (config.bridge === 'ready') inject()
if (config.bridge === 'late') setTimeout(inject, config.lateMillis)

// Requests to the vendor do not leave this machine: the SDK's usage report is dropped, and the phone serves the login
// page.
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')
Object.defineProperty(HTMLImageElement.prototype, 'src', {
  ...source,
  set(value) { if (!String(value).startsWith('https://open.weixin.qq.com/sdk/report')) source.set.call(this, value) },
})
const vendorLogin = 'https://open.weixin.qq.com/connect/oauth2/authorize'
if (window.navigation) {
  window.navigation.addEventListener('navigate', (event) => {
    if (!event.cancelable || !event.destination.url.startsWith(vendorLogin)) return
    event.preventDefault()
    const at = new URL(event.destination.url)
    setTimeout(() => location.replace(at.pathname + at.search))
  })
}

// Scroll bars of a phone overlay the page; those of a desktop browser would make it narrower.
if (userAgent === config.userAgent && 'adoptedStyleSheets' in document) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':root { scrollbar-width: none }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

// In the frame of the phone page, this script reports its page's address and title to the phone page, which shows them
// in a title bar, and goes back in the history when the person presses that bar's back button.
if (window.parent !== window) {
  const tell = () => window.parent.postMessage(
    { phoneAt: location.pathname + location.search + location.hash, phoneTitle: document.title }, '*')
  tell()
  document.addEventListener('DOMContentLoaded', tell)
  if (document.head) new MutationObserver(tell).observe(document.head, { subtree: true, childList: true, characterData: true })
  window.addEventListener('message', (event) => {
    if (event.source === window.parent && event.data?.phoneBack) history.back()
  })
  if (window.navigation) window.navigation.addEventListener('navigatesuccess', tell)
  else window.addEventListener('popstate', tell)
}

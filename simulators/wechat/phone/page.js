// The phone page opens the in-app browser for the selected person, and shows that person's messages and payments.
const byId = (id) => document.getElementById(id)
const port = location.port ? `:${location.port}` : ''
const asked = new URLSearchParams(location.search)
const chosen = {
  world: asked.get('world') || '',
  openid: asked.get('openid') || '',
  os: asked.get('os') || 'ios',
  bridge: asked.get('bridge') || 'ready',
}

const make = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

// open shows a page of the web app in the phone.
const open = (to) => {
  const target = new URL(`http://inapp.localhost${port}/__phone/start`)
  for (const [name, value] of Object.entries({ ...chosen, to })) target.searchParams.set(name, value)
  byId('app').src = target.href
  byId('status').textContent = `已打开 ${to}`
}

const path = () => (byId('to').value.startsWith('/') ? byId('to').value : `/${byId('to').value}`)

const pick = (name, value) => {
  if (chosen[name] === value) return
  chosen[name] = value
  open(path())
  refresh()
}

const yuan = (fen) => `¥${(fen / 100).toFixed(2)}`
// Times are shown in China's time zone, regardless of the zone in the text and of this browser.
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' })
const time = (text) => clock.format(new Date(text))
const refundTexts = { PROCESSING: '退款中', SUCCESS: '已退款', CLOSED: '退款关闭', ABNORMAL: '退款异常' }

const receivers = { friend: '发送给朋友', timeline: '分享到朋友圈' }

// notes describe each demo person in Chinese, by the middle part of the openid.
const notes = { bound: '可以正常支付', unbound: '另一位用户，用于测试绑定和拒绝绑定', poor: '没有余额，支付总会失败' }

const showPeople = (people) => {
  byId('identities').replaceChildren(...people.map((person) => make('label', {},
    make('input', {
      type: 'radio', name: 'identity', checked: person.openid === chosen.openid,
      onchange: () => pick('openid', person.openid),
    }),
    make('span', { textContent: person.name }),
    make('span', { className: 'number', textContent: person.phone }),
    make('small', { textContent: notes[person.openid.split('_')[1]] || person.note }),
  )))
}

// fill replaces a list only if it differs, so that the scroll position is kept.
const fill = (list, rows, empty) => {
  const key = JSON.stringify(rows)
  if (list.dataset.key === key) return
  list.dataset.key = key
  const item = (cells) =>
    make('li', {}, ...cells.map(([tag, className, textContent]) => make(tag, { className, textContent })))
  list.replaceChildren(...(rows.length ? rows.map(item)
    : [make('li', { className: 'empty', textContent: empty })]))
}

// notice shows why the page is out of date; '' clears it.
const notice = (text) => {
  if (byId('notice').textContent === text) return
  byId('notice').textContent = text
  byId('notice').hidden = text === ''
}

let known = false
const read = async () => {
  const answer = await fetch(`/phone/state?${new URLSearchParams({ world: chosen.world, openid: chosen.openid })}`)
  if (answer.status === 404) {
    notice(`世界 ${chosen.world || 'default'} 不存在或已过期。以下是最后一次读取的内容。`)
    return
  }
  if (!answer.ok) throw new Error(`/phone/state answered ${answer.status}`)
  const state = await answer.json()
  notice('')
  byId('clock').textContent = time(state.now).slice(11, 16)
  byId('clock').dateTime = state.now
  if (!known) {
    known = true
    chosen.openid ||= state.identity.openid
    showPeople(state.identities)
    open(path())
  }
  fill(byId('shares'), Object.entries(state.shares).map(([to, card]) => [
    ['strong', '', card.title], ['span', '', receivers[to]], ...(card.desc ? [['small', '', card.desc]] : []),
    ['small', '', card.link],
  ]), '页面没有设置分享卡片，将分享标题和网址')
  fill(byId('messages'), state.messages.map((m) => [
    ['span', 'code', m.code], ['span', '', time(m.at)], ['small', '', m.text],
  ]), '暂无短信')
  fill(byId('records'), state.records.map((r) => [
    ['span', '', r.description], ['span', 'sum', yuan(r.total)],
    ['small', '', `${r.text} · ${time(r.at)} · ${r.out_trade_no}`],
    ...r.refunds.map((f) => ['small', '', `${refundTexts[f.state]} ${yuan(f.amount)}`]),
  ]), '暂无支付记录')
}

const refresh = () => read().catch(() => notice('模拟器无响应，正在重试。'))

byId('to').value = asked.get('to') || '/'
byId('console').href = `http://127.0.0.1${port}/${chosen.world && `?${new URLSearchParams({ world: chosen.world })}`}`
for (const name of ['os', 'bridge']) {
  for (const input of byId(name).querySelectorAll('input')) {
    input.checked = input.value === chosen[name]
    input.addEventListener('change', () => pick(name, input.value))
  }
}
byId('address').addEventListener('submit', (event) => { event.preventDefault(); open(path()) })
byId('back').addEventListener('click', () => byId('app').contentWindow.postMessage({ phoneBack: true }, '*'))
byId('reload').addEventListener('click', () => open(path()))
byId('openid').addEventListener('change', (event) => {
  if (!event.target.value || !event.target.checkValidity()) return
  for (const input of document.querySelectorAll('[name=identity]')) input.checked = false
  pick('openid', event.target.value)
})

// A scanned payment belongs to the world that the page shows, and is paid by the person who holds the phone.
byId('checkout').addEventListener('submit', ({ target }) => {
  for (const name of ['world', 'openid']) target.elements[name].value = chosen[name]
})

window.addEventListener('message', (event) => {
  const from = new URL(event.origin)
  if (from.port !== location.port || !`.${from.hostname}`.endsWith('.inapp.localhost')) return
  if (typeof event.data?.phoneTitle === 'string') byId('title').textContent = event.data.phoneTitle
  if (document.activeElement === byId('to')) return
  if (typeof event.data?.phoneAt === 'string') byId('to').value = event.data.phoneAt
})

const loop = async () => {
  await refresh()
  setTimeout(loop, 2000)
}
loop()

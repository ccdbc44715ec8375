// The phone's dialogs above a page: the pay sheet and the scanner. They are in a shadow root with a constructed style
// sheet, to which a page's Content-Security-Policy does not apply, and in the top layer, above the entire page.
const styles = `
  dialog { position: fixed; inset: auto 0 0; width: min(100%, 480px); max-width: 100%; margin: 0 auto; padding: 0;
    border: 0; box-sizing: border-box; border-radius: 16px 16px 0 0; background: #fff; color: #17171c;
    font: 16px/1.5 -apple-system, "PingFang SC", "Noto Sans SC", system-ui, sans-serif; }
  dialog:focus { outline: none; }
  dialog::backdrop { background: rgb(0 0 0 / .5); }
  form { display: grid; gap: 12px; padding: 20px 20px calc(20px + env(safe-area-inset-bottom)); }
  h2 { margin: 0; font-size: 16px; font-weight: 600; text-align: center; }
  p { margin: 0; text-align: center; overflow-wrap: anywhere; }
  .amount { font-size: 36px; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.2; }
  .note { color: #5c5c66; font-size: 13px; }
  .problem { color: #c93a3a; font-size: 14px; }
  .problem:empty { display: none; }
  button { min-height: 48px; border: 0; border-radius: 8px; font: inherit; font-weight: 600; cursor: pointer;
    background: #f2f2f5; color: #17171c; }
  button.primary { background: #067a46; color: #fff; }
  button.quiet { background: none; color: #5c5c66; font-weight: 400; min-height: 44px; }
  button:disabled { opacity: .5; cursor: default; }
  button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid #2f6fed; outline-offset: 2px; }
  label { display: grid; gap: 6px; font-size: 14px; color: #5c5c66; }
  input, select { font: inherit; font-size: 16px; min-width: 0; padding: 12px; border: 1px solid #85858f;
    border-radius: 8px; color: #17171c; background: #fff; }
  .finder { height: 120px; border-radius: 12px; background: linear-gradient(#11141a, #2a2f3a); position: relative;
    overflow: hidden; }
  .finder::after { content: ""; position: absolute; inset: 24px 25%; border: 2px solid #35d07f; border-radius: 8px; }
  @media (prefers-color-scheme: dark) {
    dialog { background: #1b1b20; color: #f2f2f5; }
    .note, label, button.quiet { color: #b4b4be; }
    .problem { color: #ff8a8a; }
    button, input, select { background: #2a2a31; color: #f2f2f5; }
    button.quiet { background: none; }
  }
`

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

// open shows a dialog and returns a function that closes it.
const open = (title, content) => {
  const host = element('div', {})
  const root = host.attachShadow({ mode: 'open' })
  if ('adoptedStyleSheets' in root && typeof CSSStyleSheet.prototype.replaceSync === 'function') {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet]
  } else {
    root.append(element('style', { textContent: styles }))
  }
  const form = element('form', { method: 'dialog' }, element('h2', { id: 'title', textContent: title }), ...content)
  const dialog = element('dialog', { tabIndex: -1 }, form)
  dialog.setAttribute('aria-labelledby', 'title')
  root.append(dialog)
  document.documentElement.append(host)
  if (typeof dialog.showModal === 'function') dialog.showModal()
  else dialog.setAttribute('open', '')
  return { dialog, form, close: () => host.remove() }
}

const yuan = (fen) => `¥${(fen / 100).toFixed(2)}`

// paySheet shows the payment and resolves to the result that the bridge reports to the page.
const paySheet = (sheet, finish) => new Promise((resolve, reject) => {
  const problem = element('p', { className: 'problem' })
  problem.setAttribute('role', 'alert')
  const button = (text, className, outcome) =>
    element('button', { type: 'button', textContent: text, className, onclick: () => end(outcome) })
  const buttons = [button('支付', 'primary', 'pay'), button('取消', '', 'cancel'), button('模拟支付失败', 'quiet', 'fail')]
  const { dialog, close } = open('确认支付', [
    element('p', { className: 'amount', textContent: yuan(sheet.total) }),
    element('p', { textContent: sheet.merchant }),
    element('p', { className: 'note', textContent: sheet.description }),
    element('p', { className: 'note', textContent: `付款人 ${sheet.payer} · 模拟支付，不会真实扣款` }),
    problem, ...buttons,
  ])
  const end = async (outcome) => {
    for (const b of buttons) b.disabled = true
    try {
      const result = await finish(outcome)
      close()
      resolve(result)
    } catch (error) {
      close()
      reject(error)
    }
  }
  dialog.addEventListener('cancel', (event) => { event.preventDefault(); end('cancel') })
  // Focus the dialog and not its first button, whose focus ring is only for keyboard users.
  dialog.focus()
})

// scanner resolves to the code that is typed or picked, or to null if the dialog is cancelled.
const scanner = () => new Promise((resolve) => {
  const input = element('input', { type: 'text', autocomplete: 'off', required: true })
  const picks = element('select', { onchange: () => { input.value = picks.value } },
    element('option', { value: '', textContent: '请选择' }),
    ...config.codes.map(({ name, content }) => element('option', { value: content, textContent: name })))
  const end = (text) => { close(); resolve(text) }
  const finder = element('div', { className: 'finder' })
  finder.setAttribute('aria-hidden', 'true')
  const { dialog, form, close } = open('扫一扫', [
    finder,
    element('label', {}, '二维码或条形码内容', input),
    ...(config.codes.length ? [element('label', {}, '或选一张演示卡', picks)] : []),
    element('button', { type: 'submit', textContent: '完成', className: 'primary' }),
    element('button', { type: 'button', textContent: '取消', onclick: () => end(null) }),
  ])
  form.addEventListener('submit', (event) => { event.preventDefault(); if (input.value) end(input.value) })
  dialog.addEventListener('cancel', (event) => { event.preventDefault(); end(null) })
  input.focus()
})

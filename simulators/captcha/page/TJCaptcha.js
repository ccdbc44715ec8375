// Simulated script of the captcha vendor: it defines TencentCaptcha, which shows the challenge in a frame over the page.
(() => {
  'use strict'
  const base = new URL('.', document.currentScript.src)

  class TencentCaptcha {
    constructor(appId, callback, options) {
      if (!appId || typeof callback !== 'function') throw new TypeError('TencentCaptcha: appId and callback are required')
      this.appId = String(appId)
      this.callback = callback
      this.options = options ?? {}
    }

    show() {
      this.destroy()
      const frame = document.createElement('iframe')
      const address = new URL('challenge', base)
      address.searchParams.set('aid', this.appId)
      frame.src = address.href
      frame.title = '安全验证'
      frame.id = 'tcaptcha_iframe'
      Object.assign(frame.style, {
        position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', zIndex: '2000000000',
      })
      this.receive = (event) => {
        if (event.source !== frame.contentWindow || event.origin !== base.origin) return
        const { ret, ticket, randstr } = event.data ?? {}
        if (ret !== 0 && ret !== 2) return
        this.destroy()
        this.callback({
          ret, ticket: ticket ?? null, randstr: randstr ?? null, CaptchaAppId: this.appId,
          bizState: this.options.bizState,
        })
      }
      window.addEventListener('message', this.receive)
      document.body.append(frame)
      this.frame = frame
    }

    destroy() {
      window.removeEventListener('message', this.receive)
      this.frame?.remove()
      this.frame = undefined
    }
  }
  window.TencentCaptcha = TencentCaptcha
})()

// node lighthouse.mjs <throttling> <token> <address>…: prints a line of JSON for each page, with Lighthouse's result
// for the first visit of a phone with the session of the token. The browser is the one in .tools/browser.json.
import { readFileSync } from 'node:fs'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import puppeteer from 'puppeteer-core'

const [throttlingMethod, token, ...addresses] = process.argv.slice(2)
const browser = JSON.parse(readFileSync('.tools/browser.json', 'utf8'))
const chrome = await launch({
  chromePath: browser.executable,
  envVars: { ...process.env, ...browser.env },
  chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
  logLevel: 'error',
})
// The launcher handles only Ctrl-C.
process.on('SIGTERM', () => {
  chrome.kill()
  process.exit(143)
})
try {
  const remote = await puppeteer.connect({ browserURL: `http://127.0.0.1:${chrome.port}`, defaultViewport: null })
  const page = await remote.newPage()
  // Lighthouse clears the storage of the page before it loads it.
  await page.evaluateOnNewDocument((value) => localStorage.setItem('token', value), token)
  for (const address of addresses) {
    const { lhr } = await lighthouse(address, { output: 'json', logLevel: 'error', throttlingMethod }, undefined, page)
    if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`)
    const score = (name) => Math.round((lhr.categories[name].score ?? 0) * 100)
    // The audits that cost points outside performance, by name.
    const lost = Object.entries(lhr.categories)
      .filter(([name]) => name !== 'performance')
      .flatMap(([, { auditRefs }]) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
      .map(({ id }) => id)
    const line = {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      fcp: lhr.audits['first-contentful-paint'].numericValue,
      lcp: lhr.audits['largest-contentful-paint'].numericValue,
      tbt: lhr.audits['total-blocking-time'].numericValue,
      cls: lhr.audits['cumulative-layout-shift'].numericValue,
      speed: lhr.audits['speed-index'].numericValue,
      lost,
    }
    console.log(JSON.stringify(line))
  }
} finally {
  chrome.kill()
}

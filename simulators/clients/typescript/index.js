/** An error of the control API: a stable code, and a message with the valid values. */
export class SimulatorsError extends Error {
  constructor(status, { code, message }) {
    super(`${code}: ${message}`)
    this.name = 'SimulatorsError'
    this.status = status
    this.code = code
  }
}

/** Returns a function that makes calls of the control API at an address. */
export function simulators(url = 'http://127.0.0.1:9090') {
  return async (method, path, { params = {}, query = {}, body } = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]))
    const set = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
    const answer = await fetch(url + filled + (search && `?${search}`), {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const isJSON = answer.headers.get('Content-Type')?.startsWith('application/json')
    const content = isJSON ? await answer.json() : await answer.text()
    if (!answer.ok) throw new SimulatorsError(answer.status, content.error ?? { code: 'internal', message: content })
    return content
  }
}

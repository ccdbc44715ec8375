/** One call of the control API: what a control makes, and what its line for the shell says. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Behind /sim/v1. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** A body that is a file: shown by its name, sent by `send`. */
  file?: string;
}

/** What the API refused. `code` is stable; `message` is for people. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const defaultWorld = 'default';

/** The call in a world; the default one need not be named. */
export function inWorld(world: string, call: Call): Call {
  return { ...call, query: { ...call.query, world: world === defaultWorld ? undefined : world } };
}

/** The path and query of a call. Empty parameters are left out. */
export function addressOf({ path, query }: Call): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/sim/v1${path}${text && `?${text}`}`;
}

/** Makes a call. A failure is a Refusal; its code is `unreachable` when the simulators do not answer. */
export async function send<T>(call: Call, options: { body?: string; signal?: AbortSignal } = {}): Promise<T> {
  const body = options.body ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  let response: Response;
  try {
    response = await fetch(addressOf(call), {
      method: call.method,
      signal: options.signal ?? null,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
    });
  } catch (failure) {
    if (options.signal?.aborted) throw failure;
    throw new Refusal(0, 'unreachable', 'The simulators do not answer. Are they still running?');
  }
  return read<T>(response);
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Refusal(response.status, 'no_json', `The simulators answered ${response.status} and no JSON.`);
  }
  if (response.ok) return answer as T;
  const { error } = answer as { error?: { code: string; message: string } };
  throw new Refusal(response.status, error?.code ?? 'unknown', error?.message ?? `HTTP ${response.status}`);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a line for the shell. */
export function curlOf(call: Call, origin: string, into?: string): string {
  const parts = ['curl'];
  if (call.method !== 'GET') parts.push('-X', call.method);
  parts.push(quoted(origin + addressOf(call)));
  if (call.body !== undefined) parts.push('-d', quoted(JSON.stringify(call.body)));
  if (call.file !== undefined) parts.push('--data-binary', quoted(`@${call.file}`));
  if (into !== undefined) parts.push('-o', quoted(into));
  return parts.join(' ');
}

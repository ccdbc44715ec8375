/** One call of the control API. A control sends it, and shows it as a command for the shell. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below /sim/v1. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** The name of the file that is the body. The command shows the name; `send` gets the content. */
  file?: string;
}

/** An error answer of the API. `code` is stable, `message` is a sentence for the user. */
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

/** Addresses a call to a world. The default world has no parameter. */
export function inWorld(world: string, call: Call): Call {
  return { ...call, query: { ...call.query, world: world === defaultWorld ? undefined : world } };
}

/** Returns the path and query of a call, without empty parameters. */
export function addressOf({ path, query }: Call): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/sim/v1${path}${text && `?${text}`}`;
}

/** Sends a call. It throws a Refusal, with the code `unreachable` if the simulators do not answer. */
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

/** Returns the call as a curl command. */
export function curlOf(call: Call, origin: string, into?: string): string {
  const parts = ['curl'];
  if (call.method !== 'GET') parts.push('-X', call.method);
  parts.push(quoted(origin + addressOf(call)));
  if (call.body !== undefined) parts.push('-d', quoted(JSON.stringify(call.body)));
  if (call.file !== undefined) parts.push('--data-binary', quoted(`@${call.file}`));
  if (into !== undefined) parts.push('-o', quoted(into));
  return parts.join(' ');
}

import type { Failure, paths } from './generated/control';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in Lowercase<M>]: object } ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P][Lowercase<M> & keyof paths[P]];
type Parameters<O, In extends string> = O extends { parameters: { [K in In]?: infer V } } ? NonNullable<V> : never;
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never;
type Content<R> = R extends { content: infer C } ? C[keyof C] : never;
type Answer<O> = O extends { responses: infer R }
  ? Content<R extends { 200: infer S } ? S : R extends { 201: infer S } ? S : never>
  : never;

/**
 * The parameters and the body of an operation. Query values may be unchecked text from input fields, because the API
 * validates them.
 */
interface Parts<O> {
  path?: Parameters<O, 'path'>;
  query?: { [K in keyof Parameters<O, 'query'>]?: string | number | undefined };
  body?: Body<O>;
  file?: string;
}

/**
 * One call of the simulators' control API, with the type of its answer. The console sends it when a button is pressed
 * (Act), and shows it as a curl command (Curl).
 */
export interface Call<Answer = unknown> {
  method: Method;
  /** The path below /sim/v1. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /**
   * The name of the file whose content is the body. The curl command contains the name; `send` receives the content as
   * `body`.
   */
  file?: string;
  /** Only for the type checker: holds the type of the answer, and never has a value. */
  answer?: Answer;
}

/** Returns a call of an operation that the OpenAPI document of the control API declares. */
export function call<M extends Method, P extends PathsOf<M>>(
  method: M,
  path: P,
  { path: values = {} as never, ...parts }: Parts<Operation<P, M>> = {},
): Call<Answer<Operation<P, M>>> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (values as Record<string, string>)[name] ?? '');
  return { method, path: filled.slice('/sim/v1'.length), ...parts } as Call<Answer<Operation<P, M>>>;
}

/** An error answer of the API, or no answer. `code` is stable, `message` is a sentence for the user. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const defaultWorld = 'default';

/**
 * Adds to a call the query parameter that selects a world, a separate set of simulated providers. The default world
 * needs no parameter.
 */
export function inWorld<Answer>(world: string, call: Call<Answer>): Call<Answer> {
  return { ...call, query: { ...call.query, world: world === defaultWorld ? undefined : world } };
}

/** Returns the path and query of a call, without empty parameters. */
export function addressOf({ path, query }: Call): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/sim/v1${path}${text && `?${text}`}`;
}

/** Sends a call. It throws a CallError, with the code `unreachable` if the simulators do not answer. */
export async function send<T>(call: Call<T>, options: { body?: string; signal?: AbortSignal } = {}): Promise<T> {
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
    throw new CallError(0, 'unreachable', 'The simulators are not responding. Are they still running?');
  }
  return read<T>(response);
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new CallError(response.status, 'no_json', `The simulators answered ${response.status} without JSON.`);
  }
  if (response.ok) return answer as T;
  const { error } = answer as Partial<Failure>;
  throw new CallError(response.status, error?.code ?? 'unknown', error?.message ?? `HTTP ${response.status}`);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the call as a curl command. `into` is the name of the file in which curl stores the answer. */
export function curlOf(call: Call, origin: string, into?: string): string {
  const parts = ['curl'];
  if (call.method !== 'GET') parts.push('-X', call.method);
  parts.push(quoted(origin + addressOf(call)));
  if (call.body !== undefined) parts.push('-d', quoted(JSON.stringify(call.body)));
  if (call.file !== undefined) parts.push('--data-binary', quoted(`@${call.file}`));
  if (into !== undefined) parts.push('-o', quoted(into));
  return parts.join(' ');
}

import * as v from 'valibot';
import { ApiError } from './api-error';
import { config } from './config';
import { emit } from './events';
import { takeAnswer } from './first-answers';
import type { Call, Data, FieldsOf } from './operations';
import { type Access, session } from './session';
import type { Fields } from './signature';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The timeout in milliseconds; `usualTimeout` by default. */
  timeout?: number;
  /** Emits no events, for calls in the background such as a refresh. */
  quiet?: boolean;
}

/** Milliseconds after which a call counts as unanswered, so that the page offers 重试. */
const usualTimeout = 15_000;
/**
 * The timeout of the calls that lock, order, pay or export, because providers and large copies are slow. It is longer
 * than the shop's limit of a call (20 s, `Call` in server/durations), so that the shop reports how the call ended:
 * after a timeout the app does not know whether seats are locked or an order is paid.
 */
export const longTimeout = 30_000;

const loginCode = 'login_required';
/**
 * The shop's code if the signed gateway answered with an HTTP status other than 200. The app handles it like an HTTP
 * status of the shop other than 200.
 */
const gatewayStatus = 'gateway_status';
/**
 * The shop's code if the signed gateway did not answer. Unlike after a rejection, the app does not go back: the page
 * offers 重试.
 */
const unansweredCode = 'provider_unavailable';
/** The shop's code for a call that it did not begin because it is overloaded. Repeating such a call is always safe. */
const busyCode = 'shop_busy';
/** How many times a call is sent, in total, as long as the shop answers that it is overloaded. */
const busyTries = 4;
const failedText = '请求失败';
const nothingText = '暂无数据';

type Schema<T> = v.GenericSchema<unknown, T>;

/**
 * Posts a form and returns the data of the answer. Calls under /movie/ are signed. The success code is 0 under
 * /newmovie/ and 200 elsewhere. Throws an ApiError.
 */
export async function post<P extends Call<'post'>, T extends Data<P>>(
  path: P,
  fields: FieldsOf<P>,
  data: Schema<T>,
  options?: CallOptions,
): Promise<T> {
  const answer = path.startsWith('/movie/')
    ? await sendSigned(path, fields, options)
    : await send(path, { form: form(fields) }, options);
  return readEnvelope(answer, path.startsWith('/newmovie/') ? 0 : 200, data, options);
}

/** Makes a GET call under /newmovie/, with the session token as bearer token. Throws an ApiError. */
export async function get<P extends Call<'get'>, T extends Data<P>>(
  path: P,
  query: FieldsOf<P>,
  data: Schema<T>,
  options?: CallOptions,
): Promise<T> {
  const answer = await send(`${path}?${form(query)}`, { bearer: session.token() }, options);
  return readEnvelope(answer, 0, data, options);
}

/**
 * Calls a method of the signed gateway, which is the legacy source of films and tickets, through `POST /movie/route` of
 * the shop. If the gateway rejects a call that is not quiet, the app shows the message and goes back, or after the
 * gateway's code 9999 reloads the page. Throws an ApiError.
 */
export async function callGateway<T extends Data<'/movie/route'>>(
  method: string,
  fields: FieldsOf<'/movie/route'>,
  data: Schema<T>,
  options?: CallOptions,
): Promise<T> {
  const { content, by } = await sendSigned('/movie/route', { ...fields, method }, options);
  const answer = parse(Gateway, content);
  if (answer.success === true) return parse(data, answer.data);
  if (answer.error_code === loginCode) return loginRequired(by, answer.error?.msg, options);
  if (answer.error_code === gatewayStatus) throw new ApiError('http', gatewayStatus, failedText);
  const message = answer.error?.msg || nothingText;
  if (answer.error_code === unansweredCode) throw new ApiError('unanswered', unansweredCode, message);
  const code = String(answer.error?.code ?? '');
  if (!options?.quiet) {
    if (code === '9999') emit('reload', { message });
    else emit('gatewayRejected', { message });
  }
  throw new ApiError('rejected', answer.error_code || code || 'rejected', message);
}

/** The token as a field, for calls that need a login. */
export function token(): { token: string } {
  return { token: session.token() };
}

/** The token as a field if there is one, for calls that need no login but have a higher rate limit with one. */
export function tokenIfAny(): { token?: string } {
  return session.token() ? token() : {};
}

/** The schema for calls whose answer has no data. */
export const nothing = v.custom<Record<string, never>>(() => true);

const Envelope = v.object({
  code: v.union([v.number(), v.string()]),
  msg: v.nullish(v.string()),
  error: v.nullish(v.string()),
  data: v.unknown(),
});

const Gateway = v.object({
  success: v.unknown(),
  error: v.nullish(v.object({ code: v.union([v.string(), v.number()]), msg: v.nullish(v.string()) })),
  error_code: v.nullish(v.string()),
  data: v.unknown(),
});

/**
 * The content of an answer. `by` is the session token that was stored when the call was made. `date` is the shop's
 * clock in milliseconds, if it is known.
 */
interface Answer {
  content: unknown;
  by: string;
  date?: number;
}

/**
 * The access that the session has, by the code with which the shop rejects a call that needs more. Pages that need more
 * access then ask for a proof.
 */
const accessByCode: Partial<Record<string, Access>> = { access_limited: 'limited', link_unconfirmed: 'link' };

/** Returns the data of an answer in the envelope `{code, msg, error, data}`, or throws its error as an ApiError. */
export function readEnvelope<T>(answer: Answer, success: number, data: Schema<T>, options: CallOptions | undefined): T {
  const { code, msg, error, data: content } = parse(Envelope, answer.content);
  // The code is a number or a string, depending on the backend.
  const value = Number(code);
  if (value === success) return parse(data, content);
  if (value === -1 || error === loginCode) return loginRequired(answer.by, msg, options);
  const access = answer.by === session.token() && accessByCode[error ?? ''];
  if (access) session.setAccess(access);
  throw new ApiError('rejected', error || 'rejected', msg || nothingText, { data: content });
}

function loginRequired(by: string, message: string | null | undefined, options: CallOptions | undefined): never {
  // A late answer to a call of an earlier session does not mean that the current session has ended. A quiet call shows
  // no message, so it must not log the customer out. The next call that is not quiet does.
  if (by === session.token() && !options?.quiet) {
    session.logOut();
    emit('loginRequired', {});
  }
  throw new ApiError('login', loginCode, message || '请先登录');
}

/** Encodes the fields of a call and adds `channel_no`, which every call has. */
export function form(fields: Fields): URLSearchParams {
  const body = new URLSearchParams({ channel_no: config.channelNo });
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) body.set(key, String(value));
  return body;
}

/**
 * Milliseconds that the shop's clock is ahead of the phone's: 0 until the shop has rejected the time of a signature.
 */
let shopIsAhead = 0;

/** The shop's code for a signature whose time is too far from the shop's clock. */
const staleCode = 'sign_stale';
const Stale = v.union([v.object({ error: v.literal(staleCode) }), v.object({ error_code: v.literal(staleCode) })]);

/** Sends a signed call. If the phone's clock is wrong, the shop's time is adopted and the call is repeated. */
async function sendSigned(path: string, fields: Fields, options: CallOptions | undefined): Promise<Answer> {
  const out = { form: form(fields), signed: true };
  const answer = await send(path, out, options);
  if (answer.date === undefined || !v.is(Stale, answer.content)) return answer;
  shopIsAhead = answer.date - Date.now();
  return send(path, out, options);
}

/**
 * Loads the code that signs calls. It is a separate chunk, because the home page does not need it at first: the answers
 * to its first calls come with the page.
 */
export const loadSignature = () => import('./signature');

/**
 * Adds the fields that sign a call: time (`timestamp`), channel key (`appkey`), version (`v`) and signature (`sign`).
 */
async function sign(fields: URLSearchParams): Promise<URLSearchParams> {
  const { signature, wireTimestamp } = await loadSignature();
  const timestamp = wireTimestamp(new Date(Date.now() + shopIsAhead));
  const body = new URLSearchParams([...fields, ['appkey', config.appkey], ['timestamp', timestamp], ['v', '2.0']]);
  body.set('sign', signature(Object.fromEntries(body), config.secret));
  return body;
}

/**
 * Rejects when the signal aborts, even if the promise is still pending, because the loading of a chunk cannot be
 * aborted.
 */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

interface Outgoing {
  form?: URLSearchParams;
  signed?: boolean;
  bearer?: string;
}

/** The answer of an overloaded shop, in the envelope of any backend. */
const Busy = v.union([
  v.object({ error: v.literal(busyCode), msg: v.string() }),
  v.pipe(
    v.object({ error_code: v.literal(busyCode), error: v.object({ msg: v.string() }) }),
    v.transform(({ error }) => ({ msg: error.msg })),
  ),
]);

/** Throws the error of a status other than 200. */
async function failed(response: Response): Promise<never> {
  if (response.status === 503) {
    const busy = v.safeParse(Busy, await response.json().catch(() => undefined));
    const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
    if (busy.success)
      throw new ApiError('busy', busyCode, busy.output.msg, { data: { wait: Number.isNaN(wait) ? 2 : wait } });
  }
  throw new ApiError('http', `http_${response.status}`, failedText);
}

/**
 * Waits as long as the shop asked for in Retry-After, plus a random time of up to half as long, so that not all phones
 * repeat their calls at once. It returns early if the signal aborts.
 */
function pauseAfter(busy: ApiError, signal: AbortSignal | undefined): Promise<void> {
  const { wait } = busy.data as { wait: number };
  return new Promise((resolve) => {
    setTimeout(resolve, wait * 1000 * (1 + Math.random() / 2));
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Sends a call, and repeats it while the shop is too busy to begin it. */
async function send(path: string, out: Outgoing, options: CallOptions = {}): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(path, out, options);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.kind !== 'busy' || tries === busyTries) throw failure;
      if (tries === 1 && !options.quiet) emit('busy', {});
      await pauseAfter(failure, options.signal);
    }
  }
}

async function sendOnce(path: string, out: Outgoing, options: CallOptions): Promise<Answer> {
  const by = session.token();
  const brought = takeAnswer(path, out.form);
  if (brought !== undefined) return { content: brought, by };
  const gaveUp = new AbortController();
  const timer = setTimeout(() => gaveUp.abort(), options.timeout ?? usualTimeout);
  const cancel = () => gaveUp.abort();
  options.signal?.addEventListener('abort', cancel);
  if (options.signal?.aborted) cancel();
  try {
    const body = out.form && out.signed ? await unlessAborted(sign(out.form), gaveUp.signal) : out.form;
    const response = await fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: { Accept: 'application/json', ...(out.bearer ? { Authorization: `Bearer ${out.bearer}` } : {}) },
      ...(body ? { body } : {}),
      signal: gaveUp.signal,
    });
    if (response.status !== 200) return await failed(response);
    const date = Date.parse(response.headers.get('date') ?? '');
    return { content: await response.json(), by, ...(Number.isNaN(date) ? {} : { date }) };
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (options.signal?.aborted) throw new ApiError('aborted', 'aborted', '', { cause });
    if (gaveUp.signal.aborted) throw new ApiError('timeout', 'timeout', '网络超时，请稍后再试', { cause });
    if (cause instanceof SyntaxError) throw new ApiError('shape', 'shape', failedText, { cause });
    throw new ApiError('network', 'network', '网络不给力，请检查网络后重试', { cause });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', cancel);
  }
}

function parse<T>(shape: Schema<T>, value: unknown): T {
  try {
    return v.parse(shape, value);
  } catch (cause) {
    throw new ApiError('shape', 'shape', '数据异常，请稍后再试', { cause });
  }
}

import { HttpResponse, http } from 'msw';
import type { Details } from '../src/wire/generated/Details';
import type { paths } from '../src/wire/generated/shop';
import type { Answers, Call } from '../src/wire/operations';

export type Form = Record<string, string>;

/** The answers of the shop that a handler may return. */
export type Answer<P extends keyof paths> = Answers<P> | Response;

type KeyOf<W> = W extends unknown ? keyof W : never;
type Field<W, K> = W extends unknown ? (K extends keyof W ? W[K] : never) : never;
type Item<W> = W extends readonly (infer I)[] ? I : never;
type Fitting<G, W> = W extends unknown ? (G extends W ? W : never) : never;

/** The paths of the fields of `G` that `W` does not have, at any depth: '.data.list[].color'. */
type Excess<G, W, At extends string = ''> = G extends unknown
  ? unknown extends W
    ? never
    : G extends Response
      ? never
      : G extends readonly (infer I)[]
        ? Excess<I, Item<W>, `${At}[]`>
        : G extends object
          ? ExcessOf<G, Fitting<G, W>, At>
          : never
  : never;
type ExcessOf<G, W, At extends string> = {
  [K in keyof G & string]-?: K extends KeyOf<W> ? Excess<G[K], Field<W, K>, `${At}.${K}`> : `${At}.${K}`;
}[keyof G & string];

/** Accepts a path unless the reply has fields that the shop does not send. The compile error then lists them. */
type Checked<P extends keyof paths, R> = [Excess<R, Answer<P>>] extends [never]
  ? P
  : { 'the shop does not send': Excess<R, Answer<P>> };

/** Returns a handler that answers a POST. `reply` receives the fields of the form and the request. */
export function post<P extends Call<'post'>, R extends Answer<P>>(
  path: P & Checked<P, R>,
  reply: (fields: Form, request: Request) => R | Promise<R>,
) {
  return http.post(path, async ({ request }) => {
    const fields = Object.fromEntries(new URLSearchParams(await request.clone().text()));
    return asResponse(await reply(fields, request));
  });
}

/** Returns a handler that answers a GET. `reply` receives the query and the request. */
export function get<P extends Call<'get'>, R extends Answer<P>>(
  path: P & Checked<P, R>,
  reply: (query: Form, request: Request) => R | Promise<R>,
) {
  return http.get(path, async ({ request }) => {
    return asResponse(await reply(Object.fromEntries(new URL(request.url).searchParams), request));
  });
}

function asResponse(answer: unknown): Response {
  return answer instanceof Response ? answer : HttpResponse.json(answer as object);
}

/**
 * An answer that the shop itself never sends, such as a malformed one, one of another release, or one of a proxy in
 * front of the shop.
 */
export const foreign = (answer: object): Response => HttpResponse.json(answer);

type Nothing = Record<string, never>;

function envelopes<Code extends 200 | 0, LoginCode extends -1 | '-1'>(code: Code, msg: string, loginCode: LoginCode) {
  return {
    ok: <T = Nothing>(data: T = {} as T) => ({ code, msg, data }),
    reject: <const E extends string>(error: E, text: string, data: Details | null = null) => ({
      code: 400 as const,
      msg: text,
      error,
      data,
    }),
    login: () => ({ code: loginCode, msg: '请先登录', error: 'login_required' as const, data: null }),
  };
}

/** The envelopes of the shop's answers, as server/httpapi/README.md describes them. */
export const main = envelopes(200, '成功', '-1');
export const card = envelopes(200, '成功', -1);
export const newmovie = envelopes(0, 'ok', -1);
export const gateway = {
  ok: <T>(data: T) => ({ success: true as const, error: null, data }),
  reject: <const E extends string = 'provider_refused'>(code: string, msg: string, error_code?: E) => ({
    success: false as const,
    error: { code, msg },
    error_code: error_code ?? ('provider_refused' as E),
    data: null,
  }),
};

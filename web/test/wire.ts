import { HttpResponse, http } from 'msw';

type Form = Record<string, string>;
type Answer = object | Response;

/** Answers a form-encoded call; the reply sees the fields of the form. */
export function post(path: string, reply: (fields: Form) => Answer | Promise<Answer>) {
  return http.post(path, async ({ request }) => {
    const fields = Object.fromEntries(new URLSearchParams(await request.text()));
    const answer = await reply(fields);
    return answer instanceof Response ? answer : HttpResponse.json(answer);
  });
}

/** Answers a GET; the reply sees the query. */
export function get(path: string, reply: (query: Form) => Answer | Promise<Answer>) {
  return http.get(path, async ({ request }) => {
    const answer = await reply(Object.fromEntries(new URL(request.url).searchParams));
    return answer instanceof Response ? answer : HttpResponse.json(answer);
  });
}

/** The envelopes of the backends, as server/httpapi/README.md has them. */
export const main = {
  ok: (data: unknown = {}) => ({ code: 200, msg: '成功', data }),
  refuse: (error: string, msg: string, data: unknown = null) => ({ code: 400, msg, error, data }),
  login: () => ({ code: '-1', msg: '请先登录', error: 'login_required', data: null }),
};
export const card = { ...main, login: () => ({ code: -1, msg: '请先登录', error: 'login_required', data: null }) };
export const newmovie = {
  ok: (data: unknown = {}) => ({ code: 0, msg: 'ok', data }),
  refuse: (error: string, msg: string, data: unknown = null) => ({ code: 400, msg, error, data }),
  login: () => ({ code: -1, msg: '请先登录', error: 'login_required', data: null }),
};
export const gateway = {
  ok: (data: unknown) => ({ success: true, error: null, data }),
  refuse: (code: string, msg: string, error_code = 'refused') => ({
    success: false,
    error: { code, msg },
    error_code,
    data: null,
  }),
};

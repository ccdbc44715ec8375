import type { paths } from './generated/shop';

type Method = 'get' | 'post';

/** The paths that have an operation with the HTTP method `M`. */
export type Call<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** The operation at a path. */
type Operation<P extends keyof paths> = paths[P] extends { post: infer O extends object }
  ? O
  : paths[P] extends { get: infer O extends object }
    ? O
    : never;

/** The type of the answers that contracts/shop.openapi.json declares for a path, both successes and errors. */
export type Answers<P extends keyof paths> =
  Operation<P> extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;

/** The type of `data` in a successful answer. */
export type Data<P extends keyof paths> =
  Exclude<Answers<P>, { error: object } | { error: string }> extends {
    data: infer D;
  }
    ? D
    : never;

/** The stable codes of the errors that contracts/shop.openapi.json declares for a path. */
export type ErrorCode<P extends keyof paths> = Extract<Answers<P>, { error: string }>['error'];

type Form<P extends keyof paths> =
  Operation<P> extends { requestBody: { content: infer C } }
    ? C[keyof C]
    : Operation<P> extends { parameters: { query?: infer Q } }
      ? NonNullable<Q>
      : never;

type NamesOf<F> = F extends unknown ? keyof F & string : never;

/** The fields that a call may have, and `token`. A field that is undefined is not sent. */
export type FieldsOf<P extends keyof paths> = {
  [Name in NamesOf<Form<P>> | 'token']?: string | number | undefined;
};

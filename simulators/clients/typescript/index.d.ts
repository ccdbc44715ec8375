import type { components, paths } from './schema.d.ts'

/** The shapes of the control API by their names in its OpenAPI document: Schemas['Entry'] and so on. */
export type Schemas = components['schemas']

/** An error of the control API: a stable code, and a message with the valid values. */
export class SimulatorsError extends Error {
  readonly status: number
  readonly code: Schemas['Error']['code']
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][Lowercase<M> & keyof paths[P]]>
type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in Lowercase<M>]: object } ? P : never
}[keyof paths]

type Part<T, K extends string> = T extends { [X in K]: infer V } ? V : never
type Parameters<O, In extends string> = O extends { parameters: infer A } ? (A extends { [K in In]?: infer V } ? V : never) : never
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never
type Success<R> = 200 extends keyof R ? R[200] : 201 extends keyof R ? R[201] : never
type Content<R> = R extends { content: infer C } ? C[keyof C] : never

/** What a call answers with success. */
export type Answer<P extends keyof paths, M extends Method> = Content<Success<Part<Operation<P, M>, 'responses'>>>

export interface Request<O> {
  /** The values of the path's {names}. */
  params?: Parameters<O, 'path'>
  query?: Parameters<O, 'query'>
  body?: Body<O>
}

/** Returns a function that makes calls of the control API at an address, http://127.0.0.1:9090 by default. */
export function simulators(url?: string): <M extends Method, P extends PathsOf<M>>(
  method: M,
  path: P,
  request?: Request<Operation<P, M>>,
) => Promise<Answer<P, M>>

import { request } from 'node:http';
import { PactV4, type TemplateQuery } from '@pact-foundation/pact';
import { makeConsumerPact } from '@pact-foundation/pact-core';
import { expect } from 'vitest';

const pact = new PactV4({
  consumer: 'marquee-web',
  provider: 'marquee-shop',
  dir: `${import.meta.dirname}/../../contracts/pacts`,
  logLevel: 'error',
});

/** A field of a form or query whose value comes from the provider's state: an example, and what it has to look like. */
export interface Some {
  example: string;
  regex: string;
}

export function some(example: string, regex = '.+'): Some {
  return { example, regex };
}

type Value = string | number | Some;

export interface Exchange {
  /** A state of the shop (contracts/provider/shopstates_test.go). */
  state: string;
  /** What the app does in it. */
  what: string;
  path: string;
  /** Fields of the form beside channel_no and, where it is signed, the signature. */
  form?: Record<string, Value>;
  /** A GET with this query instead. */
  query?: Record<string, Value>;
  status?: number;
  /** The answer, with matchers. */
  answer: object;
}

const channel = { channel_no: some('ch000001', '.+') };
const seal = {
  appkey: some('10000001', '.+'),
  timestamp: some('2026-05-01 17:00:00', '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}'),
  v: '2.0',
  sign: some('0123456789ABCDEF0123456789ABCDEF', '[0-9A-F]{32}'),
};

function exampleOf(value: Value): string {
  return typeof value === 'object' ? value.example : String(value);
}

function formBody(fields: Record<string, Value>) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.set(name, exampleOf(value));
  // A rule for each field: pact puts one at the root, about the content's type, that would otherwise be applied to all.
  const rules = Object.entries(fields).map(([name, value]) => ({
    path: `$.${name}`,
    rules: [
      typeof value === 'object'
        ? { 'pact:matcher:type': 'regex', regex: value.regex, value: value.example }
        : { 'pact:matcher:type': 'equality', value: String(value) },
    ],
  }));
  return { body: Buffer.from(body.toString()), rules };
}

function queryOf(fields: Record<string, Value>): TemplateQuery {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'object'
      ? { 'pact:matcher:type': 'regex' as const, regex: value.regex, value: value.example }
      : String(value),
  ]);
  return Object.fromEntries(entries) as TemplateQuery;
}

/**
 * One request over a connection of its own. The platform's fetch keeps connections, and each exchange has a mock server
 * that may come up on the port of the one before.
 */
async function send(asked: Request): Promise<Response> {
  const body = Buffer.from(await asked.arrayBuffer());
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(asked.headers), 'content-length': body.length };
    const out = request(asked.url, { method: asked.method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0 })));
    });
    out.on('error', reject);
    out.end(body);
  });
}

/** Reads the state of any mock server by its port. It belongs to none of our pacts. */
const watch = makeConsumerPact('none', 'none');

/** The fields that a request carries in its query or its form. */
async function fieldsOf(asked: Request): Promise<Record<string, string>> {
  const { searchParams } = new URL(asked.url);
  const fields = asked.method === 'GET' ? searchParams : new URLSearchParams(await asked.clone().text());
  return Object.fromEntries(fields);
}

/** Waits until the mock server has noted the request. It answers before that. */
async function noted(port: number): Promise<void> {
  for (const until = Date.now() + 2000; Date.now() < until && !watch.mockServerMatchedSuccessfully(port); ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/**
 * Records one exchange while the app's own client goes through it, and returns the client's result. The client has to
 * send the examples: a rule of a state's value would also accept that of another field.
 */
export async function exchange<T>(what: Exchange, act: () => Promise<T>): Promise<T> {
  const signed = what.path.startsWith('/movie/route');
  const fields = { ...channel, ...what.query, ...what.form, ...(signed ? seal : {}) };
  const examples = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, exampleOf(value)]));
  const interaction = pact.addInteraction().given(what.state).uponReceiving(what.what);
  const asked = what.query
    ? interaction.withRequest('GET', what.path, (asks) => {
        asks.query(queryOf(fields));
      })
    : interaction.withRequest('POST', what.path, (asks) => {
        const { body, rules } = formBody(fields);
        asks.headers({ 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' });
        asks.body('application/x-www-form-urlencoded', body);
        asks.matchingRules({ body: rules } as Parameters<typeof asks.matchingRules>[0]);
      });
  const outcome = await asked
    .willRespondWith(what.status ?? 200, (response) => {
      response.jsonBody(what.answer);
    })
    .executeTest(async ({ url, port }) => {
      const real = globalThis.fetch;
      let sent: Record<string, string> = {};
      globalThis.fetch = async (path, options) => {
        const request = new Request(new URL(String(path), url), options);
        sent = await fieldsOf(request);
        return send(request);
      };
      try {
        const value = await act();
        await noted(port);
        const { timestamp, sign } = sent; // of the moment
        expect(sent, what.what).toEqual({ ...examples, ...(signed ? { timestamp, sign } : {}) });
        return { value };
      } finally {
        globalThis.fetch = real;
      }
    });
  if (!outcome) throw new Error('the exchange did not take place');
  return outcome.value;
}

/** An answer of one of the shop's backends, as pact-shapes.ts has them. */
interface Backend {
  denies: (error: string) => object;
  asksLogin?: object;
}

/** A request, and the call of the app's client that sends it. */
interface Asked extends Omit<Exchange, 'answer'> {
  call: () => Promise<unknown>;
}

/** Records an exchange that the shop refuses with a code. The app's client has to fail with the same code. */
export async function refused(backend: Backend, error: string, { call, ...asked }: Asked): Promise<void> {
  await exchange({ ...asked, answer: backend.denies(error) }, () => expect(call()).rejects.toMatchObject({ error }));
}

/** Records an exchange that the shop refuses because no buyer is logged in. */
export async function loginAsked(backend: Required<Backend>, { call, ...asked }: Asked): Promise<void> {
  const failure = { kind: 'login', error: 'login_required' };
  await exchange({ ...asked, answer: backend.asksLogin }, () => expect(call()).rejects.toMatchObject(failure));
}

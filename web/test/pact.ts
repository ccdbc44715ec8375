import { request } from 'node:http';
import { MatchersV3, PactV4 } from '@pact-foundation/pact';
import { makeConsumerPact } from '@pact-foundation/pact-core';
import { expect, type TestContext } from 'vitest';

const pact = new PactV4({
  consumer: 'marquee-web',
  provider: 'marquee-shop',
  dir: `${import.meta.dirname}/../../contracts/pacts`,
  logLevel: 'error',
});

type Fields = Record<string, string>;

interface Exchange {
  /** A description of what the app does, for the pact. */
  what: string;
  /** A state of the shop (contracts/provider/shopstates_test.go). */
  state: string;
  path: string;
  /**
   * The fields of the form, without channel_no and, for a signed call, without those that sign it. When the pact is
   * verified, the provider replaces the fields for which `state` has values.
   */
  form?: Fields;
  /** The query of a GET. */
  query?: Fields;
  /** The answer, with matchers. */
  answer: object;
}

const channel = { channel_no: 'ch000001' };
const seal = {
  appkey: '10000001',
  timestamp: '2026-05-01 17:00:00',
  v: '2.0',
  sign: '0123456789ABCDEF0123456789ABCDEF',
};

/**
 * Lets the mock server accept any text for a field. `exchange` itself compares the sent fields with the example, which
 * shows their differences.
 */
const anyField = { body: [{ path: '$.*', rules: [MatchersV3.like('')] }] };

/**
 * Sends a request over a new connection. Node's fetch would reuse a connection to the mock server of the previous
 * exchange, because the next mock server may have the same port.
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

/** A pact that is never written to a file. It is needed only to ask the mock server at a port what it has recorded. */
const watch = makeConsumerPact('none', 'none');

/** The fields in the query or form of a request. */
async function fieldsOf(asked: Request): Promise<Record<string, string>> {
  const { searchParams } = new URL(asked.url);
  const fields = asked.method === 'GET' ? searchParams : new URLSearchParams(await asked.clone().text());
  return Object.fromEntries(fields);
}

/** Waits until the mock server has recorded the request, because it answers before that. */
async function noted(port: number): Promise<void> {
  for (const until = Date.now() + 2000; Date.now() < until && !watch.mockServerMatchedSuccessfully(port); ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Adds one exchange to the pact. `act` must make the app's own client send the request with exactly these fields. */
async function exchange(what: Exchange, act: () => Promise<void>): Promise<void> {
  const signed = what.path.startsWith('/movie/route');
  const fields: Fields = { ...channel, ...what.query, ...what.form, ...(signed ? seal : {}) };
  const interaction = pact.addInteraction().given(what.state).uponReceiving(what.what);
  const asked = what.query
    ? interaction.withRequest('GET', what.path, (asks) => {
        asks.query(fields);
      })
    : interaction.withRequest('POST', what.path, (asks) => {
        asks.headers({ 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' });
        asks.body('application/x-www-form-urlencoded', Buffer.from(new URLSearchParams(fields).toString()));
        asks.matchingRules(anyField as Parameters<typeof asks.matchingRules>[0]);
      });
  await asked
    .willRespondWith(200, (response) => {
      response.jsonBody(what.answer);
    })
    .executeTest(async ({ url, port }) => {
      const real = globalThis.fetch;
      let sent: Fields = {};
      globalThis.fetch = async (path, options) => {
        const request = new Request(new URL(String(path), url), options);
        sent = await fieldsOf(request);
        return send(request);
      };
      try {
        await act();
        await noted(port);
        const { timestamp = '', sign = '' } = sent; // different in each run
        expect(sent, what.what).toEqual({ ...fields, ...(signed ? { timestamp, sign } : {}) });
      } finally {
        globalThis.fetch = real;
      }
    });
}

/**
 * Builds answers in one of the shop's envelopes (pact-shapes.ts): success with data, an error, and that a login is
 * needed.
 */
interface Backend {
  says: (data: unknown) => object;
  denies: (error: string, data?: object) => object;
  asksLogin?: object;
}

/** A request, and the call of the app's client that sends it. */
interface Asked extends Omit<Exchange, 'what' | 'answer'> {
  call: () => Promise<unknown>;
}

/** The body of a test. Its title describes what the app does. */
type Body = (context: TestContext) => Promise<void>;

/** A call that is answered with data; the app's client must return data like `result`. */
export function answered(backend: Backend, asked: Asked & { data: unknown; result?: object }): Body {
  return ({ task }) =>
    exchange({ ...asked, what: task.name, answer: backend.says(asked.data) }, async () => {
      const result = await asked.call();
      if (asked.result) expect(result).toMatchObject(asked.result);
    });
}

/** A call that fails with a code; the app's client must throw an error with that code. */
export function rejected(backend: Backend, error: string, asked: Asked & { data?: object }): Body {
  return ({ task }) =>
    exchange({ ...asked, what: task.name, answer: backend.denies(error, asked.data) }, () =>
      expect(asked.call()).rejects.toMatchObject({ kind: 'rejected', error }),
    );
}

/** A call that fails because no buyer is logged in. */
export function loginAsked({ asksLogin }: Required<Backend>, asked: Asked): Body {
  return ({ task }) =>
    exchange({ ...asked, what: task.name, answer: asksLogin }, () =>
      expect(asked.call()).rejects.toMatchObject({ kind: 'login', error: 'login_required' }),
    );
}

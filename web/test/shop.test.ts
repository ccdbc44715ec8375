import { readFileSync } from 'node:fs';
import { getResponse } from 'msw';
import { expect, test } from 'vitest';
import { shop } from './shop';

interface Interaction {
  description: string;
  request: { method: string; path: string; query?: Record<string, string[]>; body?: { content: string } };
  response: { body: { content: Record<string, unknown> } };
}

const file = `${import.meta.dirname}/../../contracts/pacts/marquee-web-marquee-shop.json`;
const pact: { interactions: Interaction[] } = JSON.parse(readFileSync(file, 'utf8'));

function succeeds(answer: Record<string, unknown>): boolean {
  return answer.success === true || answer.code === 200 || answer.code === 0;
}

async function answerOf({ request }: Interaction): Promise<Record<string, unknown> | undefined> {
  const url = new URL(request.path, 'http://localhost');
  for (const [name, [value]] of Object.entries(request.query ?? {})) url.searchParams.set(name, value ?? '');
  const form = request.body && {
    body: request.body.content,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  };
  const asked = new Request(url, { method: request.method, ...form });
  const answer = await getResponse(shop, asked, { baseUrl: 'http://localhost' });
  return answer?.json();
}

/** The paths of the fields of `agreed`, an answer in the contract, that `other` lacks or has with another type. */
function differences(agreed: unknown, other: unknown, path = '$'): string[] {
  if (Array.isArray(agreed)) {
    if (!Array.isArray(other)) return [`${path} is not a list`];
    return agreed.length > 0 && other.length > 0 ? differences(agreed[0], other[0], `${path}[0]`) : [];
  }
  if (agreed !== null && typeof agreed === 'object') {
    if (other === null) return []; // the object is left out in this state
    if (typeof other !== 'object') return [`${path} is not an object`];
    const fields = new Map(Object.entries(other));
    return Object.entries(agreed).flatMap(([name, value]) =>
      fields.has(name) ? differences(value, fields.get(name), `${path}.${name}`) : [`${path}.${name} is missing`],
    );
  }
  return typeof agreed === typeof other ? [] : [`${path} is ${typeof other}, not ${typeof agreed}`];
}

// Calls about seats are mocked by the tests of the seat maps.
const elsewhere = /lockseat|unpayorder|unlockseat|seat\/(lock|unpaid|cancel|map)|opi\.seat/;
// The sample order is a legacy one; orders of the other source have other fields. The sample session has full access.
const agreed = pact.interactions.filter(
  ({ description, request, response }) =>
    !/newmovie order|login to a dormant account|limited access/.test(description) &&
    succeeds(response.body.content) &&
    !elsewhere.test(request.path + decodeURIComponent(request.body?.content ?? '')),
);

test("the contract has answers to hold the tests' shop to", () => {
  expect(agreed.length).toBeGreaterThan(40);
});

test.each(
  agreed.map((interaction) => [interaction.description, interaction] as const),
)('the shop of the tests answers as agreed: %s', async (_, interaction) => {
  const answer = await answerOf(interaction);
  if (!answer) throw new Error('the shop of the tests does not know this call');
  expect(succeeds(answer)).toBe(true);
  expect(differences(interaction.response.body.content, answer)).toEqual([]);
});

import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shanghai } from '../../test/samples';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { bringAnswers, hasAnswers } from '../wire/first-answers';
import { App } from './app';
import { firstCalls } from './first-calls';
import { prepareFirstScreen } from './first-screen';
import { queryClient } from './query-client';
import { routeOf } from './routes';
import { loadScreen } from './screens';

beforeEach(() => {
  queryClient.clear();
  localStorage.clear();
  server.use(...shop);
});
afterEach(() => bringAnswers(''));

/** Puts the fake shop's answers to the first calls of a route into the page, as the server does. */
async function bringAnswersOf(path: string, id: string) {
  const values: Record<string, string> = {
    '{query.id}': id,
    '{city.id}': shanghai.id,
    '{city.legacyId}': shanghai.cityid1,
  };
  const answers: Record<string, unknown> = {};
  for (const { path: call, fields = {} } of firstCalls[path] ?? []) {
    const filled = Object.entries(fields).map(([name, value]) => [name, values[value] ?? value]);
    const form = new URLSearchParams(filled.sort());
    const get = call.startsWith('/newmovie/');
    const answer = await fetch(get ? `${call}?${form}` : call, get ? {} : { method: 'POST', body: form });
    answers[`${call}?${form}`] = await answer.json();
  }
  bringAnswers(JSON.stringify({ at: Date.now(), answers }));
}

async function prepare(path: string) {
  window.history.pushState(null, '', `${path}?id=2`);
  const route = routeOf(path);
  if (!route) throw new Error(`${path} is no route`);
  await loadScreen(route);
  // Fake timers, so that the time limit does not apply on a slow machine.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await prepareFirstScreen();
  vi.useRealTimers();
}

test.each([
  ['/index', /专享福利/],
  ['/multiplex', /星光影城南京路店/],
  ['/multiplexDetail', /黄浦区南京东路800号/],
  ['/multiplexNewDetail', /徐汇区漕溪北路18号/],
  ['/filmdetail', /剧情简介/],
  ['/memberindex', /更多福利/],
])('%s: the first render shows the screen that came with the page, without a call', async (path, words) => {
  await bringAnswersOf(path, '2');
  const calls: string[] = [];
  server.events.on('request:start', ({ request }) => void calls.push(new URL(request.url).pathname));
  await prepare(path);
  expect(hasAnswers()).toBe(false);
  expect(calls).toEqual([]);
  render(<App />);
  expect(screen.getByText(words)).toBeInTheDocument();
});

test('a page without answers is rendered without waiting for the network', async () => {
  const calls: string[] = [];
  server.events.on('request:start', ({ request }) => void calls.push(new URL(request.url).pathname));
  await prepare('/memberindex');
  expect(calls).toEqual([]);
  render(<App />);
  expect(await screen.findByText(/更多福利/)).toBeInTheDocument();
});

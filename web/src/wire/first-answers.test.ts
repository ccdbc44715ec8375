import * as v from 'valibot';
import { afterEach, expect, test } from 'vitest';
import { server } from '../../test/server';
import { foreign, get, main, newmovie, post } from '../../test/wire';
import * as client from './client';
import { bringAnswers } from './first-answers';

/** A schema for the answers of this test. Its type allows it for every call. */
const From: v.GenericSchema<unknown, never> = v.object({ from: v.string() }) as never;

afterEach(() => bringAnswers(''));

/** Puts answers into the page. The shop answers the same calls differently; the returned function counts them. */
function brings(at: number) {
  let calls = 0;
  bringAnswers(
    JSON.stringify({
      at,
      answers: {
        '/movie/route/Movie/cinema?cityid=310100': main.ok({ from: 'page' }),
        '/newmovie/api/movie/movies?cityId=310100&pageSize=9': newmovie.ok({ from: 'page' }),
      },
    }),
  );
  server.use(
    post('/movie/route/Movie/cinema', () => {
      calls++;
      return foreign(main.ok({ from: 'shop' }));
    }),
    get('/newmovie/api/movie/movies', () => {
      calls++;
      return foreign(newmovie.ok({ from: 'shop' }));
    }),
  );
  return () => calls;
}

const cinemas = (fields: Record<string, string>) => client.post('/movie/route/Movie/cinema', fields, From);
const films = () => client.get('/newmovie/api/movie/movies', { pageSize: 9, cityId: '310100' }, From);

test('what came with the page answers a call once, whatever empty fields it has', async () => {
  const calls = brings(Date.now());
  await expect(cinemas({ keyword: '', cityid: '310100', lat: '' })).resolves.toEqual({ from: 'page' });
  await expect(films()).resolves.toEqual({ from: 'page' });
  expect(calls()).toBe(0);
  await expect(cinemas({ cityid: '310100' })).resolves.toEqual({ from: 'shop' });
  await expect(films()).resolves.toEqual({ from: 'shop' });
  expect(calls()).toBe(2);
});

test('it answers no other call', async () => {
  const calls = brings(Date.now());
  await expect(cinemas({ cityid: '110100' })).resolves.toEqual({ from: 'shop' });
  await expect(cinemas({ cityid: '310100', keyword: 'x' })).resolves.toEqual({ from: 'shop' });
  expect(calls()).toBe(2);
});

test.each([-16_000, 16_000])('a page of %i ms ago, by the clock of the phone, answers nothing', async (ago) => {
  const calls = brings(Date.now() - ago);
  await expect(cinemas({ cityid: '310100' })).resolves.toEqual({ from: 'shop' });
  expect(calls()).toBe(1);
});

test.each([
  '',
  '{"at":1',
  '{"at":"x","answers":{}}',
  '{"at":1,"answers":null}',
  'null',
])('%s brings nothing', async (text) => {
  brings(Date.now());
  bringAnswers(text);
  await expect(films()).resolves.toEqual({ from: 'shop' });
});

test('a brought answer that is not as it should be fails as one from the shop does', async () => {
  brings(Date.now());
  bringAnswers(
    JSON.stringify({ at: Date.now(), answers: { '/movie/route/Movie/cinema?cityid=310100': main.ok({ from: 7 }) } }),
  );
  await expect(cinemas({ cityid: '310100' })).rejects.toMatchObject({ kind: 'shape' });
});

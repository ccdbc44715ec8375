import { expect, test } from 'vitest';
import { addressOf, curlOf, inWorld } from './api/call';
import { environmentLines } from './pages/credentials';
import { firstDifference } from './parts/difference';
import { hundredths, span, wallTime } from './parts/format';
import { readable } from './parts/readable';

test('a shell line quotes what the shell would interpret', () => {
  const call = inWorld('w1', { method: 'POST', path: '/faults', body: { message: "it's $HOME" } });
  expect(curlOf(call, 'http://127.0.0.1:9090')).toBe(
    `curl -X POST 'http://127.0.0.1:9090/sim/v1/faults?world=w1' -d '{"message":"it'\\''s $HOME"}'`,
  );
  expect(curlOf({ method: 'GET', path: '/worlds/w1/snapshot' }, 'http://h', 'w1.json')).toBe(
    `curl 'http://h/sim/v1/worlds/w1/snapshot' -o 'w1.json'`,
  );
});

test('the default world and empty parameters are left out', () => {
  expect(addressOf(inWorld('default', { method: 'GET', path: '/journal', query: { provider: '', limit: 5 } }))).toBe(
    '/sim/v1/journal?limit=5',
  );
});

test('the first difference of two texts', () => {
  expect(firstDifference('abc', 'abc')).toBe(-1);
  expect(firstDifference('abc', 'abd')).toBe(2);
  expect(firstDifference('abc', 'abcd')).toBe(3);
  expect(firstDifference('', 'a')).toBe(0);
});

test('amounts, spans and times', () => {
  expect(hundredths(123456789)).toBe('1,234,567.89');
  expect(hundredths(5)).toBe('0.05');
  expect(span(93_784)).toBe('1 d 2 h');
  expect(span(0)).toBe('0 s');
  expect(span(3600)).toBe('1 h');
  expect(wallTime('2030-06-01T01:00:00Z')).toBe('2030-06-01 09:00:00');
});

test('bodies are formatted if they can be parsed', () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable('{"a":1')).toBe('{"a":1');
  expect(readable('name=%E5%BD%B1&x=1')).toBe('name = 影\nx = 1');
  expect(readable('<html>')).toBe('<html>');
});

test('the environment can be sourced', () => {
  expect(environmentLines({ A: "it's" })).toBe(`export A='it'\\''s'`);
});

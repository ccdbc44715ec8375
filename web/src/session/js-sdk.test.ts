import { expect, test, vi } from 'vitest';
import { configure } from './js-sdk';

const signed = { appid: 'wx1', time: 1777626000, nonceStr: 'n0nce', signature: 'a94a8fe5' };

const vendor = vi.hoisted(() => ({ loads: 0, configs: 0, ready: (act: () => void) => act() }));
vi.mock('weixin-js-sdk', () => {
  vendor.loads += 1;
  if (vendor.loads === 1) throw new Error('no network');
  const config = () => {
    vendor.configs += 1;
  };
  return { default: { config, error: () => {}, ready: (act: () => void) => vendor.ready(act) } };
});

test('an SDK that could not be loaded is fetched again by the next try', async () => {
  await expect(configure(signed, 'http://shop.test/a')).rejects.toThrow();
  await expect(configure(signed, 'http://shop.test/a')).resolves.toBeDefined();
});

test('callers share a configuration that takes long, and each waits for its own time', async () => {
  vi.useFakeTimers();
  let answer = () => {};
  vendor.ready = (act) => {
    answer = act;
  };
  const before = vendor.configs;
  const patient = configure(signed, 'http://shop.test/b', 60_000);
  const hasty = configure(signed, 'http://shop.test/b', 8000);
  await vi.advanceTimersByTimeAsync(8000);
  await expect(hasty).resolves.toBeUndefined();
  answer();
  await expect(patient).resolves.toBeDefined();
  expect(vendor.configs - before).toBe(1);
  vi.useRealTimers();
});

import { expect, test, vi } from 'vitest';
import { configure } from './js-sdk';

const signed = { appid: 'wx1', time: 1777626000, nonceStr: 'n0nce', signature: 'a94a8fe5' };

const vendor = vi.hoisted(() => ({ loads: 0 }));
vi.mock('weixin-js-sdk', () => {
  vendor.loads += 1;
  if (vendor.loads === 1) throw new Error('no network');
  return { default: { config: () => {}, error: () => {}, ready: (act: () => void) => act() } };
});

test('an SDK that could not be loaded is fetched again by the next try', async () => {
  await expect(configure(signed, 'http://shop.test/a')).rejects.toThrow();
  await expect(configure(signed, 'http://shop.test/a')).resolves.toBeDefined();
});

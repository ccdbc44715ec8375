import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, card, post } from '../../../test/wire';
import BindCardScreen from './bind-card-screen';
import { withoutBarcodePrefix } from './scan';

const unsupported = '抱歉，当前客户端版本不支持扫一扫';

type BridgeAnswer = { err_msg: string; resultStr?: string };
type Bridge = Record<string, (params: Record<string, unknown>) => BridgeAnswer>;

/** A fake bridge of the messaging app that records its calls. The vendor's real SDK calls it. */
const bridge: { answers: Bridge; asked: [string, Record<string, unknown>][] } = { answers: {}, asked: [] };

// The SDK reads the user agent once, when it is loaded. All tests of this file use the same one.
vi.hoisted(() => {
  Object.defineProperty(navigator, 'userAgent', {
    value: 'Mozilla/5.0 (Linux; Android 15) MicroMessenger/8.0.61',
    configurable: true,
  });
});

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
  window.history.replaceState({ idx: 1 }, '', `/bindingCard?visit=${Math.random()}`);
  bridge.asked = [];
  bridge.answers = {
    preVerifyJSAPI: () => ({ err_msg: 'preVerifyJSAPI:ok' }),
    scanQRCode: () => ({ err_msg: 'scanQRCode:ok', resultStr: 'CODE_128,8018888810000001:20000001' }),
  };
  Object.assign(window, {
    WeixinJSBridge: {
      invoke: (name: string, params: Record<string, unknown>, done: (answer: BridgeAnswer) => void) => {
        bridge.asked.push([name, params]);
        const answer = bridge.answers[name]?.(params) ?? { err_msg: `${name}:ok` };
        setTimeout(() => done(answer));
      },
      on: () => {},
    },
  });
});

async function scan(answer: Answer<'/api/api.php/Card/scanbinding'> = card.ok({ id: 'k3' })) {
  const bound = vi.fn((_: Record<string, string>) => answer);
  server.use(post('/api/api.php/Card/scanbinding', bound));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const view = renderScreen(<BindCardScreen />, '/bindingCard');
  await user.click(screen.getByRole('button', { name: '扫一扫' }));
  return { ...view, bound };
}

test('what was scanned is bound, without the kind of its bar code: 绑定成功, and two pages back', async () => {
  const { bound, where } = await scan();
  expect(await screen.findByText('绑定成功')).toBeVisible();
  expect(bound.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', content: '8018888810000001:20000001' });
  await act(() => vi.advanceTimersByTimeAsync(1100));
  await waitFor(() => expect(where()).toBe('/personCenter'));
});

test('the SDK shows the messaging app the signature of this page, and asks for text', async () => {
  const asked = vi.fn((_: Record<string, string>) =>
    card.ok({
      single: { title: '绑定须知', content: '' },
      appid: 'wx1',
      time: 1777626000,
      nonceStr: 'n0nce',
      signature: 'a94a8fe5',
    }),
  );
  server.use(post('/api/api.php/Card/bindingcard', asked));
  await scan();
  expect(await screen.findByText('绑定成功')).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', url: window.location.href });
  const [, shown] = bridge.asked.find(([name]) => name === 'preVerifyJSAPI')!;
  expect(shown).toMatchObject({
    verifyAppId: 'wx1',
    verifyTimestamp: '1777626000',
    verifyNonceStr: 'n0nce',
    verifySignature: 'a94a8fe5',
    verifyJsApiList: ['scanQRCode', 'geoLocation', 'updateAppMessageShareData', 'updateTimelineShareData'],
  });
  expect(bridge.asked.find(([name]) => name === 'scanQRCode')?.[1]).toMatchObject({
    needResult: 1,
    scanType: ['qrCode', 'barCode'],
  });
});

test('a scanner that was closed binds nothing and says nothing', async () => {
  bridge.answers.scanQRCode = () => ({ err_msg: 'scanQRCode:cancel' });
  const { bound, where } = await scan();
  await waitFor(() => expect(bridge.asked.map(([name]) => name)).toContain('scanQRCode'));
  await waitFor(() => expect(screen.getByRole('button', { name: '扫一扫' })).toBeEnabled());
  expect(bound).not.toHaveBeenCalled();
  expect(screen.queryByText(unsupported)).toBeNull();
  expect(where()).toBe('/bindingCard');
});

test('a client without a scanner: 抱歉，当前客户端版本不支持扫一扫', async () => {
  bridge.answers.scanQRCode = () => ({ err_msg: 'scanQRCode:function_not_exist' });
  await scan();
  expect(await screen.findByText(unsupported)).toBeVisible();
});

test('without a signature there is no scanner: 抱歉，当前客户端版本不支持扫一扫', async () => {
  server.use(
    post('/api/api.php/Card/bindingcard', () =>
      card.ok({ single: { title: '绑定须知', content: '' }, appid: '', time: 0, nonceStr: '', signature: '' }),
    ),
  );
  await scan();
  expect(await screen.findByText(unsupported)).toBeVisible();
  expect(bridge.asked).toEqual([]);
});

test('a call that comes before the messaging app has looked at the signature is made again', async () => {
  let early = 2;
  bridge.answers.scanQRCode = () => {
    early -= 1;
    return early >= 0 ? { err_msg: 'system:access_denied' } : { err_msg: 'scanQRCode:ok', resultStr: 'KJ7P4XWQ2M9A' };
  };
  const { bound } = await scan();
  expect(await screen.findByText('绑定成功')).toBeVisible();
  expect(bound.mock.calls[0]?.[0]).toMatchObject({ content: 'KJ7P4XWQ2M9A' });
});

test('what cannot be read shows the message of the shop and stays', async () => {
  const { where } = await scan(card.reject('scan_unreadable', '无法识别该二维码'));
  expect(await screen.findByText('无法识别该二维码')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/bindingCard');
});

test.each([
  ['CODE_128,8018888810000001', '8018888810000001'],
  ['code_128,abc', 'abc'],
  ['https://shop.test/?kahao=1&pass=2', 'https://shop.test/?kahao=1&pass=2'],
  ['a,b', 'a,b'],
])('%s is sent as %s', (read, sent) => {
  expect(withoutBarcodePrefix(read)).toBe(sent);
});

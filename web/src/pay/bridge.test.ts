import { afterEach, expect, test, vi } from 'vitest';
import type { BridgeParams } from '../wire/generated/BridgeParams';
import { openPaymentSheet } from './bridge';

const params: BridgeParams = {
  appId: 'wx1',
  timeStamp: '1',
  nonceStr: 'n',
  package: 'prepay_id=p1',
  signType: 'RSA',
  paySign: 's',
};

afterEach(() => {
  delete window.WeixinJSBridge;
});

function bridge(err_msg: string) {
  const invoke = vi.fn((_name: string, _params: BridgeParams, done: (result: { err_msg?: string }) => void) =>
    done({ err_msg }),
  );
  return { invoke };
}

test('the bridge is invoked with the parameters of the shop', async () => {
  const app = bridge('get_brand_wcpay_request:ok');
  window.WeixinJSBridge = app;
  await expect(openPaymentSheet(params)).resolves.toBe('ok');
  expect(app.invoke).toHaveBeenCalledWith('getBrandWCPayRequest', params, expect.any(Function));
});

test.each([
  ['get_brand_wcpay_request:cancel', 'cancel'],
  ['get_brand_wcpay_request:fail', 'fail'],
  ['system:access_denied', 'fail'],
])('%s is %s', async (err_msg, word) => {
  window.WeixinJSBridge = bridge(err_msg);
  await expect(openPaymentSheet(params)).resolves.toBe(word);
});

test('a bridge that comes after the page is waited for', async () => {
  const paying = openPaymentSheet(params);
  window.WeixinJSBridge = bridge('get_brand_wcpay_request:ok');
  document.dispatchEvent(new Event('WeixinJSBridgeReady'));
  await expect(paying).resolves.toBe('ok');
});

test('a bridge that never comes is given up', async () => {
  vi.useFakeTimers();
  const paying = openPaymentSheet(params);
  await vi.advanceTimersByTimeAsync(8000);
  await expect(paying).resolves.toBe('absent');
});

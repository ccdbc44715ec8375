import * as v from 'valibot';
import { address, text } from '../wire/fields';

/** The parameters that open the messaging app's payment sheet (getBrandWCPayRequest). */
export const BridgeParams = v.object({
  appId: v.string(),
  timeStamp: v.string(),
  nonceStr: v.string(),
  package: v.string(),
  signType: v.string(),
  paySign: v.string(),
});
export type BridgeParams = v.InferOutput<typeof BridgeParams>;

/** A payment that the shop has created at the messaging app: for its bridge, or as a page for a browser. */
export const Prepared = v.union([
  v.object({ jsApiParameters: BridgeParams, order_no: text }),
  v.object({ h5_url: address, order_no: text }),
]);
export type Prepared = v.InferOutput<typeof Prepared>;

/** The bridge's result. It is a hint: only the server knows whether money moved. `absent`: the page has no bridge. */
export type BridgeResult = 'ok' | 'cancel' | 'fail' | 'absent';

interface WeixinJSBridge {
  invoke(name: string, params: BridgeParams, done: (result: { err_msg?: string }) => void): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: WeixinJSBridge;
  }
}

/** The bridge. The messaging app may add it after the page has loaded: waits `timeout` milliseconds for it. */
function findBridge(timeout: number): Promise<WeixinJSBridge | undefined> {
  if (window.WeixinJSBridge) return Promise.resolve(window.WeixinJSBridge);
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      document.removeEventListener('WeixinJSBridgeReady', settle);
      resolve(window.WeixinJSBridge);
    };
    const timer = setTimeout(settle, timeout);
    document.addEventListener('WeixinJSBridgeReady', settle);
  });
}

/** Opens the payment sheet and resolves when the buyer has left it. */
export async function openPaymentSheet(params: BridgeParams, timeout = 8000): Promise<BridgeResult> {
  const bridge = await findBridge(timeout);
  if (!bridge) return 'absent';
  return new Promise((resolve) => {
    bridge.invoke('getBrandWCPayRequest', params, (result) => {
      const message = result.err_msg?.replace('get_brand_wcpay_request:', '');
      resolve(message === 'ok' || message === 'cancel' ? message : 'fail');
    });
  });
}

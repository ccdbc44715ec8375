import * as v from 'valibot';
import { text } from '../wire/fields';

/** What the messaging app's payment sheet is opened with. */
export const BridgeParams = v.object({
  appId: v.string(),
  timeStamp: v.string(),
  nonceStr: v.string(),
  package: v.string(),
  signType: v.string(),
  paySign: v.string(),
});
export type BridgeParams = v.InferOutput<typeof BridgeParams>;

/** A payment that the shop has announced to the messaging app. */
export const Prepared = v.object({ jsApiParameters: BridgeParams, order_no: text });

/** What the bridge says. It is only a hint: whether money moved is the server's to say. */
export type BridgeWord = 'ok' | 'cancel' | 'fail' | 'absent';

interface WeixinJSBridge {
  invoke(name: string, params: BridgeParams, done: (result: { err_msg?: string }) => void): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: WeixinJSBridge;
  }
}

/** The bridge, which the messaging app may put into the page only after the page has loaded. */
function bridge(patience: number): Promise<WeixinJSBridge | undefined> {
  if (window.WeixinJSBridge) return Promise.resolve(window.WeixinJSBridge);
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      document.removeEventListener('WeixinJSBridgeReady', settle);
      resolve(window.WeixinJSBridge);
    };
    const timer = setTimeout(settle, patience);
    document.addEventListener('WeixinJSBridgeReady', settle);
  });
}

/** Opens the payment sheet and waits until the buyer has left it. */
export async function pay(params: BridgeParams, patience = 8000): Promise<BridgeWord> {
  const found = await bridge(patience);
  if (!found) return 'absent';
  return new Promise((resolve) => {
    found.invoke('getBrandWCPayRequest', params, (result) => {
      const word = result.err_msg?.replace('get_brand_wcpay_request:', '');
      resolve(word === 'ok' || word === 'cancel' ? word : 'fail');
    });
  });
}

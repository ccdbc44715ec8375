import { absoluteAddress } from '../wire/absolute-address';
import type { BridgeParams } from '../wire/generated/BridgeParams';
import type { Prepaid } from '../wire/generated/Prepaid';

/**
 * A payment that the shop has created at the messaging app: the parameters for the messaging app's JavaScript bridge,
 * or, in another browser, the address of the messaging app's payment page.
 */
export type Prepared = { jsApiParameters: BridgeParams; order_no: string } | { h5_url: string; order_no: string };

export function readPrepared({ order_no, jsApiParameters, h5_url }: Prepaid): Prepared {
  return jsApiParameters ? { jsApiParameters, order_no } : { h5_url: absoluteAddress(h5_url), order_no };
}

/**
 * The bridge's result. It is only a hint: only the shop knows whether the payment succeeded. `absent`: the page did not
 * get a bridge in time.
 */
export type BridgeResult = 'ok' | 'cancel' | 'fail' | 'absent';

interface WeixinJSBridge {
  invoke(name: string, params: BridgeParams, done: (result: { err_msg?: string }) => void): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: WeixinJSBridge;
  }
}

/** Waits up to `timeout` milliseconds for the bridge, which the messaging app may add after the page has loaded. */
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

/** Opens the payment sheet and resolves when it is closed. Without a bridge after `timeout` milliseconds: `absent`. */
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

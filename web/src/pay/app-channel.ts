import { isInApp } from '../session/in-app';
import { config } from '../wire/config';

/**
 * How the messaging app can pay: `bridge` inside of it; in a browser, `h5` if the merchant has H5 payment, else `none`.
 */
export function appChannel(): 'bridge' | 'h5' | 'none' {
  if (isInApp()) return 'bridge';
  return config.h5 ? 'h5' : 'none';
}

/**
 * The text of the pay button: 确认支付 pays on this page, 去微信支付 shows how to open the page in the messaging app. A
 * button that opens the page of the payment says 去支付.
 */
export function payButtonText(opensInApp: boolean): '确认支付' | '去微信支付' {
  return opensInApp ? '去微信支付' : '确认支付';
}

import { isInApp } from '../session/in-app';
import { config } from '../wire/config';

/**
 * How the messaging app pays: `bridge` inside of it, `h5` from a browser if the merchant has that, `none` in a browser
 * otherwise.
 */
export function appChannel(): 'bridge' | 'h5' | 'none' {
  if (isInApp()) return 'bridge';
  return config.h5 ? 'h5' : 'none';
}

/**
 * The text of the button that pays. It pays on its page; 去微信支付 shows the way into the messaging app, where the page is
 * opened again. A button that opens the page of the payment is called 去支付.
 */
export function payButtonText(opensInApp: boolean): '确认支付' | '去微信支付' {
  return opensInApp ? '去微信支付' : '确认支付';
}

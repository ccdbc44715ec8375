import { isInApp } from '../session/in-app';
import { config } from '../wire/config';

/**
 * How a customer can pay with the messaging app:
 * - `bridge`: this page is open inside the messaging app, whose JavaScript bridge opens the payment sheet.
 * - `h5`: in another browser, if the merchant has H5 payment, the messaging app's payment page for browsers.
 * - `none`: in another browser, without H5 payment.
 */
export function appChannel(): 'bridge' | 'h5' | 'none' {
  if (isInApp()) return 'bridge';
  return config.h5 ? 'h5' : 'none';
}

/**
 * The text of the button that pays on this page: 确认支付, or 去微信支付 if the button shows how to open this page in the
 * messaging app (`opensInApp`). A button that only leads to the page or sheet with the pay button says 去支付 instead.
 */
export function payButtonText(opensInApp: boolean): '确认支付' | '去微信支付' {
  return opensInApp ? '去微信支付' : '确认支付';
}

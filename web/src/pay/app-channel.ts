import { isInApp } from '../session/in-app';
import { config } from '../wire/config';

/**
 * How a customer can pay with the messaging app. `bridge`: inside of it, its JavaScript bridge opens the payment sheet.
 * In a browser, `h5` if the merchant has H5 payment, which is a payment page for browsers; else `none`.
 */
export function appChannel(): 'bridge' | 'h5' | 'none' {
  if (isInApp()) return 'bridge';
  return config.h5 ? 'h5' : 'none';
}

/**
 * The text of the button that pays on this page: 确认支付, or 去微信支付 if the button shows how to open this page in the
 * messaging app (`opensInApp`). A button that only opens the payment page has the text 去支付 instead.
 */
export function payButtonText(opensInApp: boolean): '确认支付' | '去微信支付' {
  return opensInApp ? '去微信支付' : '确认支付';
}

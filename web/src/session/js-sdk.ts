import * as v from 'valibot';
import { numeric, text } from '../wire/fields';
import { landingURL } from './landing-url';

/** What lets a page use the messaging app's scanner and location; empty where the messaging app gave none. */
export const pageSignature = {
  appid: text,
  time: numeric,
  nonceStr: text,
  signature: text,
};
const Signature = v.object(pageSignature);
export type PageSignature = v.InferOutput<typeof Signature>;

type Sdk = typeof import('weixin-js-sdk').default;
type Api = 'scanQRCode' | 'getLocation';
const apis: readonly Api[] = ['scanQRCode', 'getLocation'];

/** The address to have signed: iOS counts the one the app was loaded with, Android the present one. Neither what follows #. */
export function signedAddress(agent: string = navigator.userAgent): string {
  const address = /iPhone|iPad|iPod/i.test(agent) ? landingURL() : window.location.href;
  return address.split('#')[0] ?? address;
}

let configured: { address: string; sdk: Promise<Sdk | undefined> } | undefined;

/** Shows the messaging app the signature of the page; nothing when it does not accept it, or there is no bridge. */
export function configure(signed: PageSignature, address: string, patience = 8000): Promise<Sdk | undefined> {
  if (signed.signature === '') return Promise.resolve(undefined);
  if (configured?.address !== address) {
    const sdk = start(signed, patience);
    configured = { address, sdk };
    // What failed once may work with another signature, or another network.
    const forget = () => {
      if (configured?.sdk === sdk) configured = undefined;
    };
    void sdk.then((wx) => wx ?? forget(), forget);
  }
  return configured.sdk;
}

async function start(signed: PageSignature, patience: number): Promise<Sdk | undefined> {
  const { default: wx } = await import('weixin-js-sdk');
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patience);
    const settle = (found: Sdk | undefined) => {
      clearTimeout(timer);
      resolve(found);
    };
    wx.error(() => settle(undefined));
    wx.config({
      appId: signed.appid,
      timestamp: signed.time,
      nonceStr: signed.nonceStr,
      signature: signed.signature,
      jsApiList: apis,
    });
    wx.ready(() => settle(wx));
  });
}

const pause = 200;

/**
 * Whether a refused call is worth another try: the SDK calls itself ready at once when it was configured for another
 * address before, while the messaging app is still looking at the new signature.
 */
export function comesTooEarly(message: string | undefined): boolean {
  return /access_denied|permission denied/i.test(message ?? '');
}

/** Calls one API of the SDK, again for a while where it came too early. */
export async function persist<T>(call: () => Promise<T>, early: (result: T) => boolean, patience = 3000): Promise<T> {
  for (const until = Date.now() + patience; ; ) {
    const result = await call();
    if (!early(result) || Date.now() >= until) return result;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

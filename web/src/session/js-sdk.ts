import type { PageSignature } from '../wire/generated/PageSignature';
import { landingURL } from './landing-url';

export type Sdk = typeof import('weixin-js-sdk').default;
const apis = ['scanQRCode', 'getLocation', 'updateAppMessageShareData', 'updateTimelineShareData'] as const;

/**
 * The address for which the JS-SDK needs the signature, without fragment: on iOS the landing address (the one that the
 * document was loaded with), on Android the current one.
 */
export function signedAddress(agent: string = navigator.userAgent): string {
  const address = /iPhone|iPad|iPod/i.test(agent) ? landingURL() : window.location.href;
  return address.split('#')[0] ?? address;
}

let configured: { address: string; sdk: Promise<Sdk | undefined> } | undefined;

/** Milliseconds after which a configuration without an answer counts as failed. */
const longestCheck = 60_000;

/**
 * Configures the messaging app's JS-SDK with the signature for an address. The result is undefined if the signature is
 * empty, or if the messaging app rejects it or does not answer within `timeout` milliseconds. A success is cached for
 * the address. Concurrent callers share one configuration, each with its own timeout.
 */
export function configure(signed: PageSignature, address: string, timeout = 8000): Promise<Sdk | undefined> {
  if (signed.signature === '') return Promise.resolve(undefined);
  if (configured?.address !== address) {
    const sdk = start(signed);
    configured = { address, sdk };
    // A failure is not cached: another signature or network may succeed.
    const forget = () => {
      if (configured?.sdk === sdk) configured = undefined;
    };
    void sdk.then((wx) => wx ?? forget(), forget);
  }
  return within(timeout, configured.sdk);
}

/** Configures the SDK for an address. A signature is fetched only if the SDK is not configured for it already. */
export async function configureFor(
  address: string,
  sign: (address: string) => Promise<PageSignature>,
  timeout = 8000,
): Promise<Sdk | undefined> {
  if (configured?.address === address) return within(timeout, configured.sdk);
  return configure(await sign(address), address, timeout);
}

/** The result of a promise, or undefined if it is pending for `timeout` milliseconds. */
export function within<T>(timeout: number, pending: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), timeout);
    pending.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

async function start(signed: PageSignature): Promise<Sdk | undefined> {
  const { default: wx } = await import('weixin-js-sdk');
  const checked = new Promise<Sdk | undefined>((resolve) => {
    wx.error(() => resolve(undefined));
    wx.config({
      appId: signed.appid,
      timestamp: signed.time,
      nonceStr: signed.nonceStr,
      signature: signed.signature,
      jsApiList: apis,
    });
    wx.ready(() => resolve(wx));
  });
  return within(longestCheck, checked);
}

const retryDelay = 200;

/**
 * Reports whether a call of the SDK was rejected because the messaging app is still checking the signature. If the SDK
 * is configured a second time, for another address, it reports ready before that check has ended.
 */
export function isPermissionDenied(message: string | undefined): boolean {
  return /access_denied|permission denied/i.test(message ?? '');
}

/** Repeats a call of the SDK every 200 ms while `shouldRetry` is true for its result, for at most `timeout` ms. */
export async function retryWhile<T>(
  call: () => Promise<T>,
  shouldRetry: (result: T) => boolean,
  timeout = 3000,
): Promise<T> {
  for (const until = Date.now() + timeout; ; ) {
    const result = await call();
    if (!shouldRetry(result) || Date.now() >= until) return result;
    await new Promise((resolve) => setTimeout(resolve, retryDelay));
  }
}

import * as v from 'valibot';

const link = v.optional(v.string(), '');

const Config = v.object({
  channelNo: v.optional(v.string(), ''),
  /** The public channel key. A signature with it does not prove an identity. */
  appkey: v.optional(v.string(), ''),
  secret: v.optional(v.string(), ''),
  build: v.optional(v.string(), 'dev'),
  /** Whether the providers are simulators. The app shows this on every page. */
  simulated: v.optional(v.boolean(), false),
  simulatorURL: v.optional(v.string(), ''),
  links: v.optional(v.object({ shop: link, cake: link, book: link, service: link }), {
    shop: '',
    cake: '',
    book: '',
    service: '',
  }),
  /** Whether the merchant has H5 payment, so that a browser can open the messaging app to pay. */
  h5: v.optional(v.boolean(), false),
  /**
   * The captcha, which the shop may require before it sends an SMS code: the app's id at the vendor, and the address of
   * the vendor's script.
   */
  captcha: v.optional(v.object({ appId: v.string(), script: v.string() })),
});
export type Config = v.InferOutput<typeof Config>;

export function parseConfig(text: string | null | undefined): Config {
  let raw: unknown = {};
  try {
    raw = JSON.parse(text ?? '{}');
  } catch {
    // The JSON is unreadable, for example because the page was truncated. The app starts with the defaults.
  }
  try {
    return v.parse(Config, raw);
  } catch {
    return v.parse(Config, {});
  }
}

/** The configuration that the server wrote into index.html. */
export const config: Config = parseConfig(document.getElementById('marquee-config')?.textContent);

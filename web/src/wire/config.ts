import * as v from 'valibot';

const link = v.optional(v.string(), '');

const Config = v.object({
  channelNo: v.optional(v.string(), ''),
  /** The public channel key: signatures made with it prove form, never identity. */
  appkey: v.optional(v.string(), ''),
  secret: v.optional(v.string(), ''),
  build: v.optional(v.string(), 'dev'),
  /** Every provider is a simulator: the app says so on every page. */
  simulated: v.optional(v.boolean(), false),
  simulatorURL: v.optional(v.string(), ''),
  links: v.optional(v.object({ shop: link, cake: link, book: link, service: link }), {
    shop: '',
    cake: '',
    book: '',
    service: '',
  }),
  /** The merchant has H5 payment: a browser can open the messaging app to pay. */
  h5: v.optional(v.boolean(), false),
  /** The challenge of the captcha vendor, which the shop may ask for before it sends a code. */
  captcha: v.optional(v.object({ appId: v.string(), script: v.string() })),
});
export type Config = v.InferOutput<typeof Config>;

export function parseConfig(text: string | null | undefined): Config {
  let raw: unknown = {};
  try {
    raw = JSON.parse(text ?? '{}');
  } catch {
    // A page that was cut short still starts; its calls then say what is missing.
  }
  try {
    return v.parse(Config, raw);
  } catch {
    return v.parse(Config, {});
  }
}

/** What the server wrote into index.html for this visit. */
export const config: Config = parseConfig(document.getElementById('marquee-config')?.textContent);

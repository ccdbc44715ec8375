import * as z from './shape';

const link = z.withDefault(z.string(), '');

const Config = z.object({
  channelNo: z.withDefault(z.string(), ''),
  /** The public channel key: signatures made with it prove form, never identity. */
  appkey: z.withDefault(z.string(), ''),
  secret: z.withDefault(z.string(), ''),
  build: z.withDefault(z.string(), 'dev'),
  /** Every provider is a simulator: the app says so on every page. */
  simulated: z.withDefault(z.boolean(), false),
  simulatorURL: z.withDefault(z.string(), ''),
  links: z.withDefault(z.object({ shop: link, cake: link, book: link, service: link }), {
    shop: '',
    cake: '',
    book: '',
    service: '',
  }),
});
export type Config = z.output<typeof Config>;

export function parseConfig(text: string | null | undefined): Config {
  let raw: unknown = {};
  try {
    raw = JSON.parse(text ?? '{}');
  } catch {
    // A page that was cut short still starts; its calls then say what is missing.
  }
  try {
    return z.parse(Config, raw);
  } catch {
    return z.parse(Config, {});
  }
}

/** What the server wrote into index.html for this visit. */
export const config: Config = parseConfig(document.getElementById('marquee-config')?.textContent);

import * as z from 'zod/mini';

const link = z._default(z.string(), '');

const Config = z.object({
  channelNo: z._default(z.string(), ''),
  /** The public channel key: signatures made with it prove form, never identity. */
  appkey: z._default(z.string(), ''),
  secret: z._default(z.string(), ''),
  build: z._default(z.string(), 'dev'),
  /** Every provider is a simulator: the app says so on every page. */
  simulated: z._default(z.boolean(), false),
  simulatorURL: z._default(z.string(), ''),
  links: z._default(z.object({ shop: link, cake: link, book: link, service: link }), {
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
  const parsed = z.safeParse(Config, raw);
  return parsed.success ? parsed.data : z.parse(Config, {});
}

/** What the server wrote into index.html for this visit. */
export const config: Config = parseConfig(document.getElementById('marquee-config')?.textContent);

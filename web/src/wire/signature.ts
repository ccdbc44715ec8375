import { md5 } from './md5';

export type Fields = Record<string, string | number | undefined>;

/** `yyyy-MM-dd HH:mm:ss` in China, whatever the phone's zone. */
export function wireTimestamp(now: Date): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The channel signature: empty values and `sign` left out, keys in ASCII order, the secret at both ends. */
export function signature(fields: Readonly<Record<string, string>>, secret: string): string {
  const joined = Object.keys(fields)
    .filter((key) => key !== 'sign' && fields[key] !== '')
    .sort()
    .map((key) => key + fields[key])
    .join('');
  return md5(secret + joined + secret).toUpperCase();
}

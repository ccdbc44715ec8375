import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The fields of a call. An undefined value is left out. */
export type Fields = Record<string, string | number | undefined>;

/** The MD5 of a text's UTF-8 bytes as lower-case hex. The channel signature requires MD5; no secret depends on it. */
export function md5Hex(text: string): string {
  return bytesToHex(md5(utf8ToBytes(text)));
}

/** Formats a time as `yyyy-MM-dd HH:mm:ss` in China's time zone, independent of the phone's. */
export function wireTimestamp(now: Date): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The channel signature (spec, section 7): the MD5, in upper-case hex, of keys and values joined in ASCII order of the
 * keys, with the secret at both ends. Empty values and `sign` itself are left out.
 */
export function signature(fields: Readonly<Record<string, string>>, secret: string): string {
  const joined = Object.keys(fields)
    .filter((key) => key !== 'sign' && fields[key] !== '')
    .sort()
    .map((key) => key + fields[key])
    .join('');
  return md5Hex(secret + joined + secret).toUpperCase();
}

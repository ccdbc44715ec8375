import { isInApp } from '../session/in-app';
import { config } from '../wire/config';

/**
 * How the messaging app pays: `bridge` inside of it, `h5` from a browser if the merchant has that, `none` in a browser
 * otherwise.
 */
export function appChannel(): 'bridge' | 'h5' | 'none' {
  if (isInApp()) return 'bridge';
  return config.h5 ? 'h5' : 'none';
}

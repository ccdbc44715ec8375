import * as v from 'valibot';
import { postMovie } from '../wire/client';
import { comesTooEarly, configure, pageSignature, persist, signedAddress } from './js-sdk';

export interface Position {
  latitude: number;
  longitude: number;
}

const Signed = v.object(pageSignature);

/** Lets the page of the address ask the messaging app where the phone is. */
export function getLocationSignature(url: string) {
  return postMovie('getLocation', { url }, Signed, { quiet: true });
}

type Asked = Position | { refused: string | undefined };

/** Where the messaging app says the phone is, or nothing. */
export async function positionInApp(): Promise<Position | undefined> {
  try {
    const address = signedAddress();
    const wx = await configure(await getLocationSignature(address), address);
    if (!wx) return undefined;
    const answer = await persist(
      () =>
        new Promise<Asked>((resolve) =>
          wx.getLocation({
            type: 'wgs84',
            success: (found) => resolve({ latitude: Number(found.latitude), longitude: Number(found.longitude) }),
            fail: ({ errMsg }) => resolve({ refused: errMsg }),
            cancel: () => resolve({ refused: undefined }),
          }),
        ),
      (asked) => 'refused' in asked && comesTooEarly(asked.refused),
    );
    return 'refused' in answer || !Number.isFinite(answer.latitude + answer.longitude) ? undefined : answer;
  } catch {
    return undefined;
  }
}

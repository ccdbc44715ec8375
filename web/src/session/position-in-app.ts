import { post } from '../wire/client';
import { PageSignature } from '../wire/generated/PageSignature';
import { configureFor, isPermissionDenied, retryWhile, signedAddress } from './js-sdk';

export interface Position {
  latitude: number;
  longitude: number;
}

/** Fetches the signature that allows the page at `url` to use the JS-SDK, such as to request the position. */
export function getLocationSignature(url: string) {
  return post('/movie/route/Movie/getLocation', { url }, PageSignature, { quiet: true });
}

type LocationAnswer = Position | { denied: string | undefined };

/** The phone's position (WGS 84, degrees) from the messaging app; undefined if it is denied or fails. */
export async function positionInApp(): Promise<Position | undefined> {
  try {
    const wx = await configureFor(signedAddress(), getLocationSignature);
    if (!wx) return undefined;
    const answer = await retryWhile(
      () =>
        new Promise<LocationAnswer>((resolve) =>
          wx.getLocation({
            type: 'wgs84',
            success: (found) => resolve({ latitude: Number(found.latitude), longitude: Number(found.longitude) }),
            fail: ({ errMsg }) => resolve({ denied: errMsg }),
            cancel: () => resolve({ denied: undefined }),
          }),
        ),
      (answer) => 'denied' in answer && isPermissionDenied(answer.denied),
    );
    return 'denied' in answer || !Number.isFinite(answer.latitude + answer.longitude) ? undefined : answer;
  } catch {
    return undefined;
  }
}

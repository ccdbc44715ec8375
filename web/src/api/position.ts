import { queryOptions } from '@tanstack/react-query';
import { postMovie } from './client';
import { isInApp } from './in-app';
import { comesTooEarly, configure, pageSignature, persist, signedAddress } from './js-sdk';
import * as z from './shape';

export interface Position {
  latitude: number;
  longitude: number;
}

const Signed = z.object(pageSignature);

/** Lets the page of the address ask the messaging app where the phone is. */
export function getLocationSignature(url: string) {
  return postMovie('getLocation', { url }, Signed, { quiet: true });
}

type Asked = Position | { refused: string | undefined };

/** Where the messaging app says the phone is, or nothing. */
async function positionInApp(): Promise<Position | undefined> {
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

function positionOfBrowser(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      () => resolve(undefined),
      { timeout: 6000, maximumAge: 10 * 60_000 },
    );
  });
}

/** Where the phone is, or nothing when it does not say. Inside the messaging app that app is asked first. */
export async function position(): Promise<Position | undefined> {
  return (isInApp() ? await positionInApp() : undefined) ?? positionOfBrowser();
}

/** Whether the phone says where it is without asking its owner first. */
export async function maySayWhere(): Promise<boolean> {
  const state = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined);
  return state?.state === 'granted';
}

/** Asked once a visit; a phone that does not say is not asked again. */
export const positionQuery = queryOptions({
  queryKey: ['position'],
  queryFn: async () => (await position()) ?? null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

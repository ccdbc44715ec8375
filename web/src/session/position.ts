import { queryOptions } from '@tanstack/react-query';
import { isInApp } from './in-app';
import type { Position } from './position-in-app';

export type { Position };

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
  if (!isInApp()) return positionOfBrowser();
  // Only the messaging app needs its SDK.
  const { positionInApp } = await import('./position-in-app');
  return (await positionInApp()) ?? positionOfBrowser();
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

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

/** The position of the phone; undefined if it is unavailable. Inside the messaging app, its SDK is tried first. */
export async function position(): Promise<Position | undefined> {
  if (!isInApp()) return positionOfBrowser();
  // The SDK is a separate chunk, because browsers outside of the messaging app do not need it.
  const { positionInApp } = await import('./position-in-app');
  return (await positionInApp()) ?? positionOfBrowser();
}

/** Reports whether the position is available without a permission dialog. */
export async function isPositionGranted(): Promise<boolean> {
  const state = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined);
  return state?.state === 'granted';
}

/** The position, requested once per visit. A failure is cached as null and not retried. */
export const positionQuery = queryOptions({
  queryKey: ['position'],
  queryFn: async () => (await position()) ?? null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

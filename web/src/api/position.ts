import { queryOptions } from '@tanstack/react-query';

export interface Position {
  latitude: number;
  longitude: number;
}

/** Where the phone is, or nothing when it does not say. */
export function position(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      () => resolve(undefined),
      { timeout: 6000, maximumAge: 10 * 60_000 },
    );
  });
}

/** Asked once a visit; a phone that does not say is not asked again. */
export const positionQuery = queryOptions({
  queryKey: ['position'],
  queryFn: async () => (await position()) ?? null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

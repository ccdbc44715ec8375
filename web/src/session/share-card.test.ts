import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setShareCard, shopCard } from './share-card';

type Outcome = { success: () => void; fail: (why: { errMsg?: string }) => void };
type Call = Outcome & { title: string };

const app = vi.hoisted(() => ({
  shared: {} as { friend?: string; timeline?: string },
  friend: (call: Call): void => call.success(),
  /** The result of checking the signature for an address: undefined is a rejection. */
  check: async <T>(_address: string, sdk: T): Promise<T | undefined> => sdk,
}));
vi.mock('./js-sdk', async (original) => ({
  ...(await original<typeof import('./js-sdk')>()),
  configureFor: (address: string) =>
    app.check(address, {
      updateAppMessageShareData: (call: Call) => app.friend(call),
      updateTimelineShareData: (call: Call) => {
        app.shared.timeline = call.title;
        call.success();
      },
    }),
}));

const card = (title: string) => ({ ...shopCard, title });

beforeEach(() => {
  app.shared = {};
  app.check = async (_address, sdk) => sdk;
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sets the card in the messaging app. */
function accept(call: Call): void {
  app.shared.friend = call.title;
  call.success();
}

test('the later card stays when the messaging app is slow with the earlier one', async () => {
  const waiting: Call[] = [];
  app.friend = (call) => void waiting.push(call);
  const earlier = setShareCard(card('Earlier'));
  await waitFor(() => expect(waiting).toHaveLength(1));
  app.friend = accept;
  vi.useFakeTimers();
  const later = setShareCard(card('Later'));
  await vi.advanceTimersByTimeAsync(1000);
  waiting.forEach(accept);
  await Promise.all([earlier, later]);
  expect(app.shared).toEqual({ friend: 'Later', timeline: 'Later' });
});

test('a card that is replaced at once is not set', async () => {
  const set: string[] = [];
  app.friend = (call) => {
    set.push(call.title);
    accept(call);
  };
  await Promise.all([setShareCard(card('Film')), setShareCard(shopCard), setShareCard(card('Film in town'))]);
  expect(set).not.toContain(shopCard.title);
  expect(app.shared).toEqual({ friend: 'Film in town', timeline: 'Film in town' });
});

test('a messaging app that does not answer holds up no later card', async () => {
  vi.useFakeTimers();
  app.friend = () => {};
  const unanswered = setShareCard(card('Unanswered'));
  await vi.advanceTimersByTimeAsync(1000);
  app.friend = accept;
  const later = setShareCard(card('Later'));
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([unanswered, later]);
  expect(app.shared).toEqual({ friend: 'Later', timeline: 'Later' });
});

test('a card that cannot be set holds up no later card', async () => {
  app.friend = accept;
  await expect(setShareCard({ ...card('Broken'), picture: 'https://' })).rejects.toThrow();
  await setShareCard(card('Later'));
  expect(app.shared).toEqual({ friend: 'Later', timeline: 'Later' });
});

// On Android each address of the app has its own signature.
test.each([
  ['rejected', () => Promise.resolve(undefined)],
  ['never checked', () => new Promise<undefined>(() => {})],
])('a card whose signature is %s holds up no card of another address', async (_, fate) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Android');
  app.friend = accept;
  app.check = (address, sdk) => (address.endsWith('/first') ? fate() : Promise.resolve(sdk));
  window.history.replaceState(null, '', '/first');
  void setShareCard(card('First'));
  window.history.replaceState(null, '', '/second');
  await setShareCard(card('Second'));
  expect(app.shared).toEqual({ friend: 'Second', timeline: 'Second' });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setShareCard, shopCard } from './share-card';

type Outcome = { success: () => void; fail: (why: { errMsg?: string }) => void };
type Call = Outcome & { title: string };

const app = vi.hoisted(() => ({
  shared: {} as { friend?: string; timeline?: string },
  friend: (call: Call): void => call.success(),
}));
vi.mock('./position-in-app', () => ({
  getLocationSignature: async () => ({ appid: 'wx1', time: 1777626000, nonceStr: 'n0nce', signature: 'a94a8fe5' }),
}));
vi.mock('weixin-js-sdk', () => ({
  default: {
    config: () => {},
    error: () => {},
    ready: (act: () => void) => act(),
    updateAppMessageShareData: (call: Call) => app.friend(call),
    updateTimelineShareData: (call: Call) => {
      app.shared.timeline = call.title;
      call.success();
    },
  },
}));

const card = (title: string) => ({ ...shopCard, title });

beforeEach(() => {
  app.shared = {};
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
  await vi.waitUntil(() => waiting.length === 1);
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
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all([unanswered, later]);
  expect(app.shared).toEqual({ friend: 'Later', timeline: 'Later' });
});

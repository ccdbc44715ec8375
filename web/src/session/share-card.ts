import { configureFor, isPermissionDenied, retryWhile, type Sdk, signedAddress, within } from './js-sdk';
import { getLocationSignature } from './position-in-app';

/** The card that the messaging app sends when the customer shares a page. */
export interface ShareCard {
  title: string;
  /** The line below the title. The timeline does not show it. */
  text: string;
  /** The shared address, as a path of the app. */
  path: string;
  /** The address of a picture. */
  picture: string;
}

/** The default card, for pages that do not set one. */
export const shopCard: ShareCard = {
  title: '电影票 · 福利卡 · 会员权益',
  text: '选座购票、福利卡与会员权益，一站办好。',
  path: '/index',
  picture: '/share.png',
};

/** Milliseconds that the messaging app may take to check the signature. They may be many: the page does not wait. */
const patience = 60_000;

/** Milliseconds after which the next call of the SDK is made even if the previous one has no answer. */
const longestCall = 30_000;

let wanted: ShareCard | undefined;
let last: Promise<void> = Promise.resolve();

/**
 * Sets the card that the messaging app shares with friends and on the timeline. If the shop supplies no signature for
 * the SDK, the messaging app shares only title and address. The calls for two cards are made one after the other,
 * because the messaging app may finish calls in any order. A card that was replaced before its turn is not set.
 */
export async function setShareCard(card: ShareCard): Promise<void> {
  wanted = card;
  const wx = await configureFor(signedAddress(), getLocationSignature, patience).catch(() => undefined);
  if (!wx) return;
  const set = last.then(() => setCard(wx, card));
  last = set.catch(() => {});
  await set;
}

async function setCard(wx: Sdk, card: ShareCard): Promise<void> {
  const { title, text: desc } = card;
  const link = new URL(card.path, window.location.origin).href;
  const imgUrl = new URL(card.picture, window.location.origin).href;
  const set = (call: (outcome: Outcome) => void) =>
    within(
      longestCall,
      repeat((outcome) => (wanted === card ? call(outcome) : outcome.success())),
    );
  await set((outcome) => wx.updateAppMessageShareData({ title, desc, link, imgUrl, ...outcome }));
  await set((outcome) => wx.updateTimelineShareData({ title, link, imgUrl, ...outcome }));
}

interface Outcome {
  success: () => void;
  fail: (why: { errMsg?: string }) => void;
}

/** Makes a call of the SDK, and repeats it while the messaging app is still checking the signature. */
async function repeat(call: (outcome: Outcome) => void): Promise<void> {
  await retryWhile(
    () =>
      new Promise<string | undefined>((resolve) =>
        call({ success: () => resolve(undefined), fail: ({ errMsg }) => resolve(errMsg ?? '') }),
      ),
    (error) => error !== undefined && isPermissionDenied(error),
  );
}

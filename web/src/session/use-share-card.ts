import { useEffect } from 'react';
import { isInApp } from './in-app';
import type { ShareCard } from './share-card';

/** Sets the card that the messaging app shares while this page is shown. An undefined card changes nothing. */
export function useShareCard(card: ShareCard | undefined): void {
  const { title = '', text = '', path = '', picture = '' } = card ?? {};
  useEffect(() => {
    if (title === '' || !isInApp()) return;
    set(() => ({ title, text, path, picture }));
    return () => set(({ shopCard }) => shopCard);
  }, [title, text, path, picture]);
}

/**
 * Sets a card. If the module that does this cannot be loaded, for example without a network, the messaging app keeps
 * the previous card, or shares only title and address.
 */
function set(card: (cards: typeof import('./share-card')) => ShareCard): void {
  import('./share-card').then((cards) => cards.setShareCard(card(cards))).catch(() => {});
}

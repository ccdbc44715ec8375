import { useEffect } from 'react';
import { isInApp } from './in-app';
import type { ShareCard } from './share-card';

/** Sets what the messaging app shares while this page is shown; nothing while the card is undefined. */
export function useShareCard(card: ShareCard | undefined): void {
  const { title = '', text = '', path = '', picture = '' } = card ?? {};
  useEffect(() => {
    if (title === '' || !isInApp()) return;
    void import('./share-card').then(({ setShareCard }) => setShareCard({ title, text, path, picture }));
    return () => void import('./share-card').then(({ setShareCard, shopCard }) => setShareCard(shopCard));
  }, [title, text, path, picture]);
}

import { prefetched } from '../ui/lost-chunks';
import { whenIdle } from './when-idle';

function later(use: (file: typeof import('./later')) => void): void {
  whenIdle(() => void prefetched(() => import('./later')).then(use, () => {}));
}

/** Runs `prepare` of later.ts once the page has loaded, and `prefetchPages` after the first touch. */
export function prepareLaterPages(): void {
  window.addEventListener('load', () => later((file) => file.prepare()), { once: true });
  window.addEventListener('pointerdown', () => later((file) => file.prefetchPages()), { once: true });
}

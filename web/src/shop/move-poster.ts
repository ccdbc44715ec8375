import type { MouseEvent } from 'react';

/** Milliseconds that the page of the film may take to appear. After that it appears without an animation. */
const patience = 300;

/**
 * Shows the film's page with `open` and moves the poster, by default that in the clicked link, to its place there
 * (film-detail.css). Without view transitions, and with reduced motion, it does nothing and the link works as usual.
 */
export function movePoster(event: MouseEvent<HTMLAnchorElement>, open: () => void, of?: HTMLElement | null): void {
  const link = event.currentTarget;
  const poster = of ?? link.querySelector<HTMLElement>('.mq-picture');
  if (!poster || !document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  // A new tab or window.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  poster.style.viewTransitionName = 'poster';
  const transition = document.startViewTransition(
    () =>
      new Promise<void>((resolve) => {
        // The link disappears when React shows the page of the film.
        const gone = new MutationObserver(() => {
          if (!link.isConnected) done();
        });
        function done() {
          gone.disconnect();
          resolve();
        }
        gone.observe(document.body, { childList: true, subtree: true });
        setTimeout(done, patience);
        open();
      }),
  );
  // `ready` rejects if the transition is skipped.
  transition.ready.catch(() => undefined);
  void transition.finished.finally(() => {
    poster.style.viewTransitionName = '';
  });
}

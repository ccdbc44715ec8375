import type { MouseEvent } from 'react';

/** Milliseconds that the animation waits for the film's page. After that the page appears without an animation. */
const patience = 300;

/**
 * Opens the film's page with `open`, and animates the poster from its place on this page to its place on that page
 * (film-detail.css). The poster is `of`, or else the one in the clicked link. Without view transitions, and with
 * reduced motion, it does nothing and the link works as usual.
 */
export function movePoster(event: MouseEvent<HTMLAnchorElement>, open: () => void, of?: HTMLElement | null): void {
  const link = event.currentTarget;
  const poster = of ?? link.querySelector<HTMLElement>('.mq-picture');
  if (!poster || !document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  // With another mouse button or a modifier key, the browser itself opens the link in a new tab or window.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  poster.style.viewTransitionName = 'poster';
  const transition = document.startViewTransition(
    () =>
      new Promise<void>((resolve) => {
        // The page of the film is shown when React has removed the link from the document.
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

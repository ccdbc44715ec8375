// Runs in every page that measureHall opens, before any other script.
localStorage.setItem('token', 'bench');

/** Calls act with the time after the current content of the page has been painted. */
window.painted = (act) =>
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => act(performance.now());
    port2.postMessage(0);
  });

// Measures the app's seat map: the time from the answer with the seats to the painted hall.
const { fetch } = window;
window.fetch = async (...call) => {
  const answer = await fetch(...call);
  if (!String(call[0]).endsWith('/movie/route')) return answer;
  // Measured when the app reads it. Reading it here and passing on a copy would add work that no buyer's phone does.
  answer.json = async () => {
    const seats = await answer.text();
    window.answered ??= performance.now();
    return JSON.parse(seats);
  };
  return answer;
};
new MutationObserver((_, watch) => {
  if (!document.querySelector('[role=grid]')) return;
  watch.disconnect();
  window.painted((at) => {
    window.mounted = at - window.answered;
  });
}).observe(document, { childList: true, subtree: true });

// Measures taps: the time from the click to its paint, and the duration of the entire interaction by the browser.
window.taps = [];
addEventListener('click', ({ timeStamp }) => window.painted((at) => window.taps.push(at - timeStamp)), true);
window.interactions = [0];
new PerformanceObserver((list) => {
  for (const event of list.getEntries()) if (event.interactionId) window.interactions.push(event.duration);
}).observe({ type: 'event', durationThreshold: 16 });

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

/** The reference for the app's map: the same seats as bare elements, by React in one component or by plain calls. */
window.bare = (seats, byReact) => {
  const root = document.body.appendChild(document.createElement('div'));
  const shape = 'M-12-14H12a4 4 0 0 1 4 4V3a11 11 0 0 1-11 11H-5A11 11 0 0 1-16 3V-10a4 4 0 0 1 4-4z';
  const at = ({ row, column }) => `translate(${column * 40} ${60 + row * 40})`;
  const box = { viewBox: '0 0 1740 1200', width: 390 };
  const started = performance.now();
  if (byReact) {
    const { createElement, memo } = window.React;
    const Map = memo(() =>
      createElement(
        'svg',
        box,
        seats.map((seat) => createElement('path', { key: seat.seatid, transform: at(seat), d: shape })),
      ),
    );
    window.createRoot(root).render(createElement(Map));
  } else {
    const svg = (name, attributes) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    };
    const map = svg('svg', box);
    for (const seat of seats) map.append(svg('path', { transform: at(seat), d: shape }));
    queueMicrotask(() => root.append(map));
  }
  return new Promise((resolve) => {
    new MutationObserver((_, watch) => {
      watch.disconnect();
      window.painted((at) => resolve(at - started));
    }).observe(root, { childList: true, subtree: true });
  });
};

import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PullRefresh } from './pull-refresh';
import { tick } from './tick';

/** Pulls a text down by so many pixels and lets go. */
function pull(text: HTMLElement, by: number) {
  fireEvent.touchStart(text, { touches: [{ clientY: 100 }] });
  fireEvent.touchMove(text, { touches: [{ clientY: 100 + by }] });
  fireEvent.touchEnd(text, { touches: [] });
}

test('PullRefresh: a long pull at the top of the page reloads, a short one does not', async () => {
  const reload = vi.fn(() => Promise.resolve());
  render(<PullRefresh onRefresh={reload}>影片</PullRefresh>);
  const text = screen.getByText('影片');
  pull(text, 100);
  expect(reload).not.toHaveBeenCalled();
  pull(text, 200);
  expect(reload).toHaveBeenCalledOnce();
  expect(screen.getByText('刷新中…')).toBeVisible();
  await vi.waitFor(() => expect(screen.queryByText('刷新中…')).toBeNull());
});

test('PullRefresh: a swipe to the side that also goes down moves nothing', () => {
  const reload = vi.fn(() => Promise.resolve());
  render(<PullRefresh onRefresh={reload}>海报</PullRefresh>);
  const text = screen.getByText('海报');
  fireEvent.touchStart(text, { touches: [{ clientX: 300, clientY: 100 }] });
  fireEvent.touchMove(text, { touches: [{ clientX: 280, clientY: 108 }] });
  fireEvent.touchMove(text, { touches: [{ clientX: 60, clientY: 300 }] });
  fireEvent.touchEnd(text, { touches: [] });
  expect(reload).not.toHaveBeenCalled();
  expect(screen.queryByText(/刷新/)).toBeNull();
});

test.each([
  ['once', false, 1],
  ['not with reduced motion', true, 0],
])('tick: the phone vibrates %s', (_, reduced, times) => {
  const vibrate = vi.fn();
  vi.stubGlobal('navigator', { vibrate });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
  tick();
  expect(vibrate).toHaveBeenCalledTimes(times);
});

import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { pull } from '../../test/pull';
import { NumberKeyboard } from './number-keyboard';
import { PullRefresh } from './pull-refresh';
import { tick } from './tick';

test('PullRefresh: a long pull at the top of the page reloads, a short one does not', async () => {
  const reload = vi.fn(() => Promise.resolve());
  render(<PullRefresh onRefresh={reload}>影片</PullRefresh>);
  const text = screen.getByText('影片');
  pull(text, 100);
  expect(reload).not.toHaveBeenCalled();
  pull(text, 200);
  expect(reload).toHaveBeenCalledOnce();
  expect(screen.getByText('刷新中…')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('刷新中…')).toBeNull());
});

/** Moves a finger from 200, 100 through the points and lifts it. */
function draw(text: HTMLElement, ...points: [x: number, y: number][]) {
  fireEvent.touchStart(text, { touches: [{ clientX: 200, clientY: 100 }] });
  for (const [clientX, clientY] of points) fireEvent.touchMove(text, { touches: [{ clientX, clientY }] });
  fireEvent.touchEnd(text, { touches: [] });
}

test.each<[string, number, ...[number, number][]]>([
  ['that begins a pixel to the side still reloads', 1, [201, 100], [202, 107], [205, 300]],
  ['that begins upwards by a hair still reloads', 1, [200, 98], [200, 300]],
  ['that turns to the side after it has begun still reloads', 1, [200, 130], [300, 300]],
  ['that is taken back does not reload', 0, [200, 300], [200, 120]],
  ['that begins to the side does not reload, wherever it ends', 0, [209, 100], [209, 300]],
  ['that begins upwards does not reload, wherever it ends', 0, [200, 90], [200, 300]],
])('PullRefresh: a pull %s', async (_, times, ...points) => {
  const reload = vi.fn(() => Promise.resolve());
  render(<PullRefresh onRefresh={reload}>影片</PullRefresh>);
  draw(screen.getByText('影片'), ...points);
  expect(reload).toHaveBeenCalledTimes(times);
  await waitFor(() => expect(screen.queryByText(/刷新/)).toBeNull());
});

test('PullRefresh: below the top of the page and while it loads, a pull scrolls', async () => {
  let loaded = () => {};
  const reload = vi.fn(() => new Promise<void>((resolve) => (loaded = resolve)));
  render(<PullRefresh onRefresh={reload}>影片</PullRefresh>);
  vi.stubGlobal('scrollY', 40);
  pull(screen.getByText('影片'), 300);
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('scrollY', 0);
  pull(screen.getByText('影片'), 300);
  pull(screen.getByText('影片'), 300);
  expect(reload).toHaveBeenCalledOnce();
  await act(async () => loaded());
  expect(screen.queryByText(/刷新/)).toBeNull();
});

test('PullRefresh: a pull in an open dialog of the content does not reload the page behind it', () => {
  const reload = vi.fn(() => Promise.resolve());
  render(
    <PullRefresh onRefresh={reload}>
      <dialog open>取票码</dialog>
    </PullRefresh>,
  );
  pull(screen.getByText('取票码'), 300);
  expect(reload).not.toHaveBeenCalled();
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

test('NumberKeyboard: every key that changes the number vibrates', () => {
  const vibrate = vi.fn();
  vi.stubGlobal('navigator', { vibrate });
  const press = (value: string, key: string) => {
    const { unmount } = render(<NumberKeyboard value={value} onChange={() => {}} maxLength={2} />);
    fireEvent.click(screen.getByRole('button', { name: key }));
    unmount();
    return vibrate.mock.calls.length;
  };
  expect(press('1', '7')).toBe(1);
  expect(press('17', '删除一位')).toBe(2);
  expect(press('17', '7'), 'a full number').toBe(2);
  expect(press('', '删除一位'), 'an empty number').toBe(2);
});

import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { List } from './list';

/** Whether the end of the list is near the viewport. */
let endVisible = true;
const observed = vi.fn();

beforeEach(() => {
  endVisible = true;
  observed.mockClear();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #callback: (entries: object[]) => void;
      #watching = false;
      constructor(callback: (entries: object[]) => void) {
        this.#callback = callback;
      }
      /** Reports the first state of the element a moment later, as browsers do, and no further one while it is the same. */
      observe(element: Element) {
        observed(element);
        this.#watching = true;
        queueMicrotask(() => this.#watching && act(() => void this.#callback([{ isIntersecting: endVisible }])));
      }
      disconnect() {
        this.#watching = false;
      }
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A list of `total` rows that loads one row at a time with `load`. */
function Rows({ total, load }: { total: number; load: (count: number) => Promise<void> }) {
  const [count, setCount] = useState(0);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<string>();
  async function more() {
    setLoading(true);
    setError(undefined);
    try {
      await load(count);
      setCount(count + 1);
    } catch {
      setError('加载失败');
    }
    setLoading(false);
  }
  return (
    <List more={count < total} loading={loading} error={error} count={count} onMore={more}>
      {Array.from({ length: count }, (_, row) => (
        <p key={row}>row {row}</p>
      ))}
    </List>
  );
}

test('a list asks for more as long as its rows do not fill the screen', async () => {
  const load = vi.fn(async (count: number) => {
    if (count === 2) endVisible = false;
  });
  render(<Rows total={9} load={load} />);
  await waitFor(() => expect(screen.getAllByText(/^row/)).toHaveLength(3));
  expect(load.mock.calls).toEqual([[0], [1], [2]]);
});

test('after an error a list waits for the retry, and then asks for more again', async () => {
  const load = vi.fn(async () => {});
  load.mockRejectedValueOnce(new Error('offline'));
  render(<Rows total={3} load={load} />);
  const retry = await screen.findByRole('button', { name: '加载失败，点此重试' });
  expect(load).toHaveBeenCalledOnce();
  await userEvent.click(retry);
  await waitFor(() => expect(screen.getAllByText(/^row/)).toHaveLength(3));
  expect(load).toHaveBeenCalledTimes(4);
});

test('a list that is only drawn again keeps its observer, which calls the latest onMore', async () => {
  const list = (onMore: () => void) => (
    <List more loading={false} count={1} onMore={onMore}>
      rows
    </List>
  );
  const first = vi.fn();
  const latest = vi.fn();
  const { rerender } = render(list(first));
  rerender(list(latest));
  await waitFor(() => expect(latest).toHaveBeenCalledOnce());
  expect(first).not.toHaveBeenCalled();
  expect(observed).toHaveBeenCalledOnce();
});

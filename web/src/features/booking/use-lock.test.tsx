import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { legacyAnswer } from '../../../test/seat-answers';
import { server } from '../../../test/server';
import { gateway, main, post } from '../../../test/wire';
import { toast } from '../../ui/toast';
import { session } from '../../wire/session';
import LegacySeatScreen from './legacy-seat-screen';

beforeEach(() => {
  session.logIn('T1');
  toast.clear();
  window.history.replaceState({ idx: 1 }, '', '/');
  server.use(
    post('/movie/route', () => gateway.ok(legacyAnswer())),
    post('/Film/unpayorder', () => main.ok({ orderid: '', type: 0 })),
  );
});

/** The seat map with a lock under way that the shop answers when it is told to. */
async function locking() {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = vi.fn();
  server.use(
    post('/Film/lockseat', async () => {
      asked();
      await held;
      return main.ok({ orderid: 'MQ1' });
    }),
  );
  const view = renderScreen(<LegacySeatScreen />, '/filmSeat?opiid=o1&movieid=m1');
  fireEvent.click(await screen.findByRole('gridcell', { name: /^1排3座，/ }));
  fireEvent.click(screen.getByRole('button', { name: '确认选座' }));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fireEvent.click(await screen.findByRole('button', { name: '同意并锁定座位' }));
  await waitFor(() => expect(asked).toHaveBeenCalled());
  return { ...view, answer };
}

test('who goes back before the seats are locked is told of it, and not led to the payment from there', async () => {
  const { answer, where } = await locking();
  fireEvent.click(screen.getByRole('button', { name: '返回', hidden: true }));
  await waitFor(() => expect(where()).toBe('/before'));
  answer();
  expect(await screen.findByText('锁座成功')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(where()).toBe('/before');
});

test('the lists and counts of orders are read anew once seats are locked', async () => {
  const { answer, queries } = await locking();
  const known = [['orders', 1], ['member']];
  for (const queryKey of known) queries.setQueryData(queryKey, {});
  answer();
  expect(await screen.findByText('锁座成功')).toBeInTheDocument();
  expect(known.map((queryKey) => queries.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true]);
});

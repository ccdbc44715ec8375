import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { useChangePlace, usePlace, useSearchPlace } from './use-place';

function Page() {
  const [tab, setTab] = usePlace('tab');
  const [typed, type, wanted] = useSearchPlace();
  return (
    <>
      <button type="button" onClick={() => setTab(tab === '' ? 'coming' : '')}>
        {tab || 'none'}
      </button>
      <input aria-label="search" value={typed} onChange={(event) => type(event.target.value)} />
      <output>{wanted}</output>
    </>
  );
}

const open = (address: string, page = <Page />) => {
  window.history.replaceState({ usr: { from: '/x' }, key: 'a', idx: 3 }, '', address);
  render(<BrowserRouter>{page}</BrowserRouter>);
};

test('a change replaces the entry, keeps other names and its state', async () => {
  open('/index?city=310100');
  await userEvent.click(screen.getByRole('button', { name: 'none' }));
  expect(await screen.findByRole('button', { name: 'coming' })).toBeVisible();
  expect(window.location.search).toBe('?city=310100&tab=coming');
  expect(window.history.state).toMatchObject({ usr: { from: '/x' }, idx: 3 });
  await userEvent.click(screen.getByRole('button', { name: 'coming' }));
  expect(window.location.search).toBe('?city=310100');
});

/** Changes two values before the router renders, like a tap while the city is being put into the address. */
function Both() {
  const [, setTab] = usePlace('tab');
  const [, setKind] = usePlace('kind');
  const change = useChangePlace();
  function changeAll() {
    setTab('coming');
    setKind('goods');
    change('city', '110100', { city: '110100' });
    setKind('');
  }
  return (
    <button type="button" onClick={changeAll}>
      change
    </button>
  );
}

test('changes before the next rendering keep one another', async () => {
  open('/index?q=old', <Both />);
  await userEvent.click(screen.getByRole('button', { name: 'change' }));
  expect(window.location.search).toBe('?q=old&tab=coming&city=110100');
  expect(window.history.state).toMatchObject({ usr: { from: '/x', city: '110100' }, idx: 3 });
});

test('a search is in the address once nothing was typed for a second', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open('/index?q=old');
  const field = screen.getByLabelText('search');
  expect(field).toHaveValue('old');
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.clear(field);
  await user.type(field, 'new ');
  expect(window.location.search).toBe('?q=old');
  await act(() => vi.advanceTimersByTimeAsync(1100));
  expect(window.location.search).toBe('?q=new');
});

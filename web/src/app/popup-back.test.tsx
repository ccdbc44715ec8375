import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { BrowserRouter, Route, Routes, useNavigate, useSearchParams } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { Popup } from '../ui/popup';
import { keepBackForPopups } from '../ui/popup-back';

const where = () => window.location.pathname + window.location.search;

/** Navigates in the history as the browser's buttons do. */
const go = (delta: number) => window.history.go(delta);

const page = (name: string) => screen.findByRole('heading', { name });

/** A page with a popup, a popup above it, one that cannot be closed, and links to other pages inside a popup. */
function Hall() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const [sheet, setSheet] = useState(false);
  const [second, setSecond] = useState(false);
  const [busy, setBusy] = useState(false);
  const [leaves, setLeaves] = useState(false);
  const close = () => (leaves ? navigate('/pay') : setSheet(false));
  return (
    <>
      <h1>座位 {query.get('day')}</h1>
      <button type="button" onClick={() => setSheet(true)}>
        打开
      </button>
      <Popup open={sheet} onClose={busy ? undefined : close} title="须知">
        <button type="button" onClick={() => setSecond(true)}>
          更多
        </button>
        <button type="button" onClick={() => setBusy(!busy)}>
          锁定
        </button>
        <button type="button" onClick={() => setLeaves(true)}>
          离开
        </button>
        <button type="button" onClick={() => navigate('/pay', { replace: true })}>
          替换
        </button>
        <button type="button" onClick={() => navigate('/pay')}>
          前往
        </button>
        <button type="button" onClick={() => navigate(-1)}>
          返回
        </button>
        <button
          type="button"
          onClick={() => {
            setQuery({ day: '5' }, { replace: true });
            setSheet(false);
          }}
        >
          改日
        </button>
        <button
          type="button"
          onClick={() => {
            setSheet(false);
            setSecond(true);
          }}
        >
          换一个
        </button>
      </Popup>
      <Popup open={second} onClose={() => setSecond(false)} title="其他">
        <p>上层</p>
      </Popup>
    </>
  );
}

/** A page with a popup whose button goes two pages back. */
function Pay() {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <>
      <h1>支付</h1>
      <button type="button" onClick={() => setOpen(true)}>
        凭证
      </button>
      <Popup open={open} onClose={() => setOpen(false)} title="凭证">
        <button type="button" onClick={() => navigate(-2)}>
          两页
        </button>
      </Popup>
    </>
  );
}

const routerWindow = keepBackForPopups();
let entries = 0;

beforeEach(async () => {
  // The tests share one history, so each adds its own pages.
  entries += 1;
  window.history.pushState({ idx: 100 * entries, key: `a${entries}`, usr: null }, '', '/cinema');
  window.history.pushState({ idx: 100 * entries + 1, key: `b${entries}`, usr: null }, '', '/hall');
  window.dispatchEvent(new PopStateEvent('popstate'));
  render(
    <BrowserRouter window={routerWindow}>
      <Routes>
        <Route path="/hall" element={<Hall />} />
        <Route path="/cinema" element={<h1>影院</h1>} />
        <Route path="/pay" element={<Pay />} />
      </Routes>
    </BrowserRouter>,
  );
});

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function openSheet() {
  await press('打开');
  await screen.findByRole('dialog', { name: '须知' });
}

const closed = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());

test('back closes the popup and then leaves the page', async () => {
  await openSheet();
  go(-1);
  await closed('须知');
  expect(where()).toBe('/hall');
  expect(screen.getByRole('heading', { name: '座位' })).toBeVisible();
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('back closes one popup after the other', async () => {
  await openSheet();
  await press('更多');
  await screen.findByRole('dialog', { name: '其他' });
  go(-1);
  await closed('其他');
  expect(screen.getByRole('dialog', { name: '须知' })).toBeVisible();
  go(-1);
  await closed('须知');
  expect(where()).toBe('/hall');
});

test('a popup that was closed is nothing that back or forward stops at', async () => {
  await openSheet();
  await press('关闭');
  await closed('须知');
  go(-1);
  expect(await page('影院')).toBeVisible();
  go(1);
  expect(await page('座位')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('打开');
  go(-1);
  await closed('须知');
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('a popup that cannot be closed stays open, and back closes it once it can be', async () => {
  await openSheet();
  await press('锁定');
  const gone = vi.spyOn(window.history, 'go');
  go(-1);
  await waitFor(() => expect(gone).toHaveBeenLastCalledWith(1));
  await waitFor(() => expect(window.history.state).toMatchObject({ entry: 2 }));
  expect(screen.getByRole('dialog', { name: '须知' })).toBeVisible();
  expect(where()).toBe('/hall');
  await press('锁定');
  go(-1);
  await closed('须知');
  expect(where()).toBe('/hall');
});

test('a page that replaces the page of a popup leaves nothing of it in the history', async () => {
  await openSheet();
  await press('替换');
  expect(await page('支付')).toBeVisible();
  expect(where()).toBe('/pay');
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('a page that is opened from a popup leads back to the page without the popup', async () => {
  await openSheet();
  await press('前往');
  expect(await page('支付')).toBeVisible();
  go(-1);
  expect(await page('座位')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('a way back inside a popup leaves its page', async () => {
  await openSheet();
  await press('返回');
  expect(await page('影院')).toBeVisible();
});

test('a choice in a popup changes the address of its page', async () => {
  await openSheet();
  await press('改日');
  await closed('须知');
  expect(where()).toBe('/hall?day=5');
  expect(screen.getByRole('heading', { name: '座位 5' })).toBeVisible();
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('a popup that opens while another one closes takes its entry over', async () => {
  await openSheet();
  await press('换一个');
  await screen.findByRole('dialog', { name: '其他' });
  go(-1);
  await closed('其他');
  expect(where()).toBe('/hall');
});

test('a popup that leads to another page when it is closed leads there from its page', async () => {
  await openSheet();
  await press('离开');
  go(-1);
  expect(await page('支付')).toBeVisible();
  go(-1);
  expect(await page('座位')).toBeVisible();
});

test('two pages back from a page with popups are two pages', async () => {
  await openSheet();
  await press('前往');
  await page('支付');
  await press('凭证');
  await screen.findByRole('dialog', { name: '凭证' });
  await press('两页');
  expect(await page('影院')).toBeVisible();
});

test('a page that is loaded again with a popup leads back as before', async () => {
  await openSheet();
  await press('关闭');
  await closed('须知');
  go(-1);
  await page('影院');
  go(1);
  await page('座位');
  go(-1);
  expect(await page('影院')).toBeVisible();
});

test('a dialog that the browser closes by itself is closed for the page as well', async () => {
  await openSheet();
  act(() => screen.getByRole<HTMLDialogElement>('dialog', { name: '须知' }).close());
  await closed('须知');
  await press('打开');
  expect(await screen.findByRole('dialog', { name: '须知' })).toBeVisible();
  await press('锁定');
  act(() => screen.getByRole<HTMLDialogElement>('dialog', { name: '须知' }).close());
  expect(screen.getByRole('dialog', { name: '须知' })).toBeVisible();
});

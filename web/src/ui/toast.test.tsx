import { act, cleanup, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

let listeners: Parameters<typeof window.addEventListener>[] = [];

/** Loads the kit as a new document does. The listeners of the previous document are removed with it. */
async function newDocument() {
  cleanup();
  for (const [name, listener] of listeners) window.removeEventListener(name, listener);
  vi.resetModules();
  const added = vi.spyOn(window, 'addEventListener');
  const { toast } = await import('./toast');
  listeners = [...added.mock.calls];
  added.mockRestore();
  const { Overlays } = await import('./overlays');
  return { toast, mount: () => render(<Overlays />) };
}

const leave = () => window.dispatchEvent(new Event('pagehide'));
const message = () => screen.getByRole('status').textContent;

test('a message that another document replaces at once is shown there, and once', async () => {
  const login = await newDocument();
  login.mount();
  act(() => login.toast.ok('登录成功'));
  leave();

  const page = await newDocument();
  page.mount();
  expect(message()).toBe('登录成功');
  act(() => page.toast.clear());
  leave();

  const later = await newDocument();
  later.mount();
  expect(message()).toBe('');
});

test('a message that was read is not shown again by the next document', async () => {
  vi.useFakeTimers();
  const page = await newDocument();
  page.mount();
  act(() => page.toast('请先登录'));
  act(() => void vi.advanceTimersByTime(1000));
  leave();

  (await newDocument()).mount();
  expect(message()).toBe('');
});

test('a message that waited too long for the next document is left out', async () => {
  vi.useFakeTimers();
  const page = await newDocument();
  page.mount();
  act(() => page.toast('登录成功'));
  leave();
  vi.setSystemTime(Date.now() + 20_000);

  (await newDocument()).mount();
  expect(message()).toBe('');
});

test('a document that the browser kept in memory shows the message of the one that was left for it', async () => {
  const { mount, toast } = await newDocument();
  mount();
  act(() => toast.ok('登录成功'));
  leave();
  act(() => toast.clear());
  act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  expect(message()).toBe('登录成功');
});

test('a message begins when it is on the page, not when it was set', async () => {
  vi.useFakeTimers();
  const { mount, toast } = await newDocument();
  toast('已登录账号 138****0000');
  vi.advanceTimersByTime(10_000); // the app starts on a slow network
  mount();
  expect(message()).toBe('已登录账号 138****0000');
  act(() => void vi.advanceTimersByTime(1999));
  expect(message()).toBe('已登录账号 138****0000');
  act(() => void vi.advanceTimersByTime(1));
  expect(message()).toBe('');
});

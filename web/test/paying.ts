import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { isInApp } from '../src/session/in-app';
import { ownKey } from '../src/wire/own-key';

/** A user-event session whose taps work while the test drives the clock. */
export const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

type Done = (result: { err_msg?: string }) => void;

/**
 * Fakes the messaging app. Its payment sheet closes at once with the result `word`, such as ok or cancel. Call
 * `leaveApp` afterwards.
 */
export function inApp(word: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 MicroMessenger/8.0.50');
  const invoke = vi.fn((_name: string, _params: unknown, done: Done) =>
    done({ err_msg: `get_brand_wcpay_request:${word}` }),
  );
  // The JS-SDK's calls, such as for the card to share, succeed and are not recorded.
  window.WeixinJSBridge = {
    invoke: (name: string, params: unknown, done: Done) =>
      name === 'getBrandWCPayRequest' ? invoke(name, params, done) : done({ err_msg: `${name}:ok` }),
  };
  return invoke;
}

/** Fakes the messaging app. Its payment sheet stays open until the test calls `answer`. */
export function holdingApp() {
  const invoke = inApp('');
  const answers: Done[] = [];
  invoke.mockImplementation((_name, _params, done) => void answers.push(done));
  return { invoke, answer: (word: string) => answers.at(-1)?.({ err_msg: `get_brand_wcpay_request:${word}` }) };
}

export function leaveApp() {
  delete window.WeixinJSBridge;
}

/** Stores that the buyer has paid without cards before, so that the app does not suggest any. */
export function chosenNoCards() {
  const key = ownKey('pay choice');
  if (localStorage.getItem(key)) return;
  localStorage.setItem(key, JSON.stringify({ purchase: '', cards: [], app: isInApp() }));
}

/** Waits until the amounts are known, and returns the pay button. */
export async function payButton() {
  const button = await screen.findByRole('button', { name: /^(确认支付|去微信支付)$/ });
  await waitFor(() => expect(button).toBeEnabled());
  return button;
}

/** Chooses these cards, in this order, instead of those that are chosen. */
export async function pickCards(...names: RegExp[]) {
  await user().click(await screen.findByRole('button', { name: /福利卡.*(可用|已选)/ }));
  for (const chosen of screen.queryAllByRole('checkbox', { name: /余额/, checked: true })) await user().click(chosen);
  for (const name of names) await user().click(await screen.findByRole('checkbox', { name }));
  await user().click(screen.getByRole('button', { name: '确定' }));
}

export async function typePassword(digits: string) {
  const keys = within(await screen.findByRole('group', { name: '数字键盘' }));
  for (const digit of digits) await user().click(keys.getByText(digit));
}

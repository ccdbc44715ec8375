import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelDialogs } from '../../../test/dialogs';
import { renderScreen } from '../../../test/render';
import { card as sample } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card, post } from '../../../test/wire';
import type { Card } from '../../wire/generated/shop';
import CardsScreen from './cards-screen';
import { validateMerge } from './merge-cards';

const one = { ...sample, id: 'k1', num: '6222020000000001', price: '100.00' };
const two = { ...sample, id: 'k2', num: '6222020000000002', price: '20.50' };
const film = { ...sample, id: 'k3', pid: 3, name: '电影卡', num: '6222020000000003', price: '5.00' };
const film2 = { ...film, id: 'k4', num: '6222020000000004' };

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

afterEach(cancelDialogs);

function open(list: Card[] = [one, two, film, film2]) {
  const asked = vi.fn((_: Record<string, string>) => card.ok({ card_list: list }));
  server.use(post('/api/api.php/Card/lists', asked));
  return { ...renderScreen(<CardsScreen />, '/securitycards?active=2'), asked };
}

const box = (tail: string) => screen.findByRole('checkbox', { name: new RegExp(`尾号${tail}`) });

test('the tab 卡合并 lists the cards of which there are several of a type', async () => {
  const user = userEvent.setup();
  open([one, two, film]);
  expect(screen.getByRole('tab', { name: '卡合并' })).toHaveAttribute('aria-selected', 'true');
  expect(await box('0001')).not.toBeChecked();
  expect(screen.getByText('2 张')).toBeVisible();
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  await user.click(await box('0001'));
  expect(screen.getByText('已选 1 张')).toBeVisible();
});

test('all cards of a type are selected at once', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await box('0001'));
  await user.click(await screen.findByRole('button', { name: '全选电影卡' }));
  expect(await box('0003')).toBeChecked();
  expect(await box('0004')).toBeChecked();
  expect(await box('0001')).not.toBeChecked();
  expect(screen.getByText('已选 2 张')).toBeVisible();
});

test('without two cards of a type: 暂无可合并卡', async () => {
  open([one, film]);
  expect(await screen.findByText('暂无可合并卡')).toBeVisible();
  expect(screen.queryByRole('button', { name: '合并' })).toBeNull();
  expect(screen.getByRole('button', { name: '绑定福利卡' })).toBeVisible();
});

test('merging fewer than two cards is rejected: 暂无可合并卡', async () => {
  const user = userEvent.setup();
  const checked = vi.fn(() => card.reject('internal', '系统繁忙，请稍后再试'));
  server.use(post('/api/api.php/Card/checkmergecards', checked));
  open();
  await user.click(await box('0001'));
  await user.click(screen.getByRole('button', { name: '合并' }));
  expect(await screen.findByText('暂无可合并卡')).toBeVisible();
  expect(checked).not.toHaveBeenCalled();
});

test('a card of another type is not picked: 只可合并同一类型的卡', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await box('0001'));
  await user.click(await box('0003'));
  expect(await screen.findByText('只可合并同一类型的卡')).toBeVisible();
  expect(await box('0003')).not.toBeChecked();
  expect(await box('0001')).toBeChecked();
});

test('the rules of merging', () => {
  expect(validateMerge([])).toBe('暂无可合并卡');
  expect(validateMerge([{ pid: 1 }])).toBe('暂无可合并卡');
  expect(validateMerge([{ pid: 1 }, { pid: 3 }])).toBe('只可合并同一类型的卡');
  expect(validateMerge([{ pid: 3 }, { pid: 3 }])).toBeUndefined();
});

/** Selects both super cards and presses the button. */
async function ask() {
  const user = userEvent.setup();
  const merged = vi.fn((_: Record<string, string>) => card.ok({ id: 'k1' }));
  const checked = vi.fn((_: Record<string, string>) =>
    card.ok({
      del_ka_str: two.num,
      hb_ka_str: one.num,
      del_ka_price: '20.50',
      hb_ka_price: '120.50',
      code: 'ONCE',
    }),
  );
  server.use(post('/api/api.php/Card/checkmergecards', checked), post('/api/api.php/Card/mergecards', merged));
  const view = open();
  await user.click(await box('0001'));
  await user.click(await box('0002'));
  expect(screen.getByText('已选 2 张')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '合并' }));
  const dialog = await screen.findByRole('alertdialog', { name: '确认合并福利卡' });
  return { ...view, user, merged, checked, dialog };
}

test('before a merge a dialog says what goes, what stays and what it will hold', async () => {
  const { dialog, checked, merged } = await ask();
  expect(checked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', fulika: 'k1,k2', pid: '1' });
  const said = (term: string) => within(dialog).getByText(term).parentElement?.textContent;
  expect(said('将被合并的卡')).toBe('将被合并的卡超级卡 尾号0002');
  expect(said('转出点数')).toBe('转出点数20.50 点');
  expect(said('保留的卡')).toBe('保留的卡超级卡 尾号0001');
  expect(said('合并后余额')).toBe('合并后余额120.50 点');
  expect(within(dialog).getByText(/仍按原有效期使用/)).toBeVisible();
  expect(merged).not.toHaveBeenCalled();
  // The button behind the dialog is not busy yet.
  expect(screen.getByText('合并', { selector: '.van-button__text' }).closest('button')).not.toHaveAttribute(
    'aria-busy',
  );
});

test('the chosen card with the highest balance is marked as the one that remains', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await box('0001'));
  expect(screen.queryByText('保留')).toBeNull();
  await user.click(await box('0002'));
  expect(screen.getByRole('checkbox', { name: /尾号0001.*保留/ })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: /尾号0002/ })).not.toHaveAccessibleName(/保留/);
  expect(screen.getByText('并入尾号0001')).toBeVisible();
});

test('a confirmed merge sends the code once, and the list is loaded again', async () => {
  const { dialog, merged, user, asked } = await ask();
  asked.mockReturnValue(card.ok({ card_list: [{ ...one, price: '120.50' }, film, film2] }));
  await user.click(within(dialog).getByRole('button', { name: '确认合并' }));
  expect(await screen.findByText('合并成功')).toBeVisible();
  expect(merged).toHaveBeenCalledOnce();
  expect(merged.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', fulika: 'k1,k2', pid: '1', code: 'ONCE' });
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(2));
  expect(await box('0003')).not.toBeChecked();
  expect(screen.getByText('已选 0 张')).toBeVisible();
});

test('a merge that is not confirmed changes nothing', async () => {
  const { dialog, merged, user } = await ask();
  await user.click(within(dialog).getByRole('button', { name: '取消' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(merged).not.toHaveBeenCalled();
  expect(screen.getByText('已选 2 张')).toBeVisible();
});

test.each([
  ['merge_code_invalid', '合并信息已失效，请重新操作'],
  ['card_busy', '该卡有未完成的支付，请稍后再试'],
  ['merge_mixed_types', '只可合并同一类型的卡'],
] as const)('a merge rejected with %s shows the message of the shop, and the list is loaded again', async (error, message) => {
  const { dialog, user, asked } = await ask();
  server.use(post('/api/api.php/Card/mergecards', () => card.reject(error, message)));
  const before = asked.mock.calls.length;
  await user.click(within(dialog).getByRole('button', { name: '确认合并' }));
  expect(await screen.findByText(message)).toBeVisible();
  await waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(before));
});

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { callsOfPull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { cakeCard, filmCard, card as sample } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, card, post } from '../../../test/wire';
import type { Card } from '../../wire/generated/shop';
import CardsScreen from './cards-screen';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

const open = (query = '') => renderScreen(<CardsScreen />, `/securitycards${query}`);

function answer(list: Card[]) {
  const asked: Record<string, string>[] = [];
  server.use(
    post('/api/api.php/Card/lists', (fields) => {
      asked.push(fields);
      return card.ok({ card_list: list });
    }),
  );
  return asked;
}

test('the tab 可使用 lists cards with number, points and end', async () => {
  answer([sample, { ...filmCard, flag: 1, price: '50.25', end_time: sample.end_time + 86_400 }]);
  open();
  expect(await screen.findByText('超级卡')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '超级卡通用6222 0200 0000 1234100.00 点有效期至 2026-07-30',
    '电影卡限电影票6222 0200 0000 567850.25 点有效期至 2026-07-31',
  ]);
  expect(screen.getByRole('tab', { name: '可使用' })).toHaveAttribute('aria-selected', 'true');
});

test.each([
  ['可使用', '?active=0', '/api/api.php/Card/lists'],
  ['不可用', '?active=1', '/api/api.php/Card/nucard'],
])('a pull at the top of %s loads its cards again', async (tab, query, path) => {
  open(query);
  await screen.findAllByRole('listitem');
  expect(await callsOfPull(screen.getByRole('tabpanel', { name: tab }).querySelector('li')!)).toEqual([path]);
});

test('every card type has its name and a face', async () => {
  const names = [
    '超级卡',
    '蛋糕卡',
    '电影卡',
    '图书卡',
    '超级券',
    '蛋糕券',
    '电影券',
    '图书券',
    '悦享卡',
    '尊享券',
    '尊享券',
  ];
  answer(names.map((name, i) => ({ ...sample, id: `k${i}`, pid: i + 1, name })));
  const { container } = open();
  await screen.findByText('超级卡');
  expect([...container.querySelectorAll('.mq-face__title')].map((title) => title.textContent)).toEqual(names);
  expect(container.querySelectorAll('.mq-face__ground')).toHaveLength(11);
});

test('the sum is what the cards hold for tickets; every card says what it is good for', async () => {
  answer([sample, filmCard, cakeCard]);
  open();
  expect(await screen.findByText(/购票可用/)).toHaveTextContent('可用 3 张，购票可用150.00 点另有 200.00 点限蛋糕');
  const scopes = screen
    .getAllByRole('link', { name: /卡/ })
    .map((link) => link.textContent?.match(/通用|限(?:电影票|蛋糕)/)?.[0]);
  expect(scopes).toEqual(['通用', '限电影票', '限蛋糕']);
});

test.each([
  ['全部', '1'],
  ['即将过期', '2'],
])('the filter %s asks with flag %s', async (name, flag) => {
  const asked = answer([sample]);
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('tab', { name }));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ token: 'tok', flag }));
});

test('the usable cards are sorted by points, down, up and not at all, apart from their filters', async () => {
  const asked = answer([sample, { ...sample, id: 'other' }]);
  const user = userEvent.setup();
  open();
  for (const [name, flag] of [
    ['到期优先', '4'],
    ['点数降序', '3'],
    ['点数升序', '1'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ token: 'tok', flag }));
    expect(screen.getByRole('tab', { name: '全部' })).toHaveAttribute('aria-selected', 'true');
  }
  await user.click(screen.getByRole('tab', { name: '即将过期' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: '到期优先' })).toBeNull());
});

test('the address keeps the order of the cards', async () => {
  const asked = answer([sample, { ...sample, id: 'other' }]);
  open('?filter=3');
  expect(await screen.findByRole('button', { name: '点数升序' })).toBeVisible();
  expect(asked.map(({ flag }) => flag)).toEqual(['3']);
});

test('only the expiring cards are requested, and the order is the same after them', async () => {
  const asked = answer([sample, { ...sample, id: 'other' }]);
  const user = userEvent.setup();
  const { where } = open('?filter=3&ending=1');
  expect(await screen.findByText(/即将过期 2 张/)).toBeVisible();
  expect(asked.map(({ flag }) => flag)).toEqual(['2']);
  await user.click(screen.getByRole('tab', { name: '全部' }));
  expect(await screen.findByRole('button', { name: '点数升序' })).toBeVisible();
  await waitFor(() => expect(where()).toBe('/securitycards?filter=3'));
});

test('the button of the order keeps the focus while the cards of another order load', async () => {
  answer([sample, { ...sample, id: 'other' }]);
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: '到期优先' }));
  expect(screen.getByRole('button', { name: '点数降序' })).toHaveFocus();
});

test('filters exist only once there is a card to filter', async () => {
  let send = (_: Answer<'/api/api.php/Card/lists'>) => {};
  const answered = new Promise<Answer<'/api/api.php/Card/lists'>>((resolve) => {
    send = resolve;
  });
  server.use(post('/api/api.php/Card/lists', () => answered));
  open();
  expect(screen.getByText('加载中')).toBeInTheDocument();
  expect(screen.queryByRole('tab', { name: '即将过期' })).toBeNull();
  send(card.ok({ card_list: [] }));
  expect(await screen.findByText('暂无可用的福利卡')).toBeVisible();
  expect(screen.queryByRole('tab', { name: '即将过期' })).toBeNull();
});

test('the tab 不可用 lists the cards that can no longer be used, and why', async () => {
  server.use(
    post('/api/api.php/Card/nucard', () =>
      card.ok({
        card_list: [
          { ...sample, id: 'a', price: '0.00', flag: 3 },
          { ...sample, id: 'b', flag: 4 },
          { ...sample, id: 'c', flag: 5 },
        ],
      }),
    ),
  );
  const user = userEvent.setup();
  const { where } = open();
  await user.click(screen.getByRole('tab', { name: '不可用' }));
  expect(await screen.findByText('已用完')).toBeVisible();
  expect(screen.getByText('已过期')).toBeVisible();
  expect(screen.getByText('已冻结')).toBeVisible();
  expect(screen.getByText('点击卡片充值，充值后恢复可用；已冻结的卡请联系客服')).toBeVisible();
  const [used, expired] = screen.getAllByRole('listitem');
  expect(used).toHaveTextContent('充值');
  expect(used).not.toHaveTextContent('0.00 点');
  expect(expired).toHaveTextContent('100.00 点');
  await waitFor(() => expect(where()).toBe('/securitycards?active=1'));
});

test('the address says which tab is open', async () => {
  open('?active=1');
  expect(screen.getByRole('tab', { name: '不可用' })).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('已用完')).toBeVisible();
});

test('without a card there is a link to bind one, and nothing to filter', async () => {
  answer([]);
  const user = userEvent.setup();
  const { where } = open();
  expect(await screen.findByText('暂无可用的福利卡')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('tab', { name: '点数升序' })).toBeNull());
  await user.click(await screen.findByRole('button', { name: '绑定福利卡' }));
  await waitFor(() => expect(where()).toBe('/bindingCard'));
});

test.each([201, 404, 503])('a %i answer of the card backend shows 请求失败 and a button to retry', async (status) => {
  let fails = true;
  server.use(
    post('/api/api.php/Card/lists', () =>
      fails ? Response.json(card.ok({ card_list: [] }), { status }) : card.ok({ card_list: [sample] }),
    ),
  );
  const user = userEvent.setup();
  open();
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('超级卡')).toBeVisible();
});

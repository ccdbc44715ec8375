import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leaveForLogin } from '../../../test/login';
import {
  chosenNoCards,
  holdingApp,
  inApp,
  leaveApp,
  payButton,
  pickCards,
  typePassword,
  user,
} from '../../../test/paying';
import { findToast, renderScreen } from '../../../test/render';
import {
  afternoon,
  bridgeParams,
  card,
  cardOrder,
  filmCard,
  goods,
  goodsDetail,
  member,
  sku,
  yearSku,
} from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import { toast } from '../../ui/toast';
import { askLogin, on } from '../../wire/events';
import type { GoodsCards, GoodsOrder, GoodsText, SKU } from '../../wire/generated/shop';
import { session } from '../../wire/session';
import GoodsDetailScreen from './goods-detail-screen';

type Form = Record<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: afternoon * 1000 });
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});
afterEach(() => {
  leaveApp();
  toast.clear();
});

const answerCards = (more: Partial<GoodsCards> = {}) =>
  server.use(
    post('/Film/card', () => main.ok({ card_list: [filmCard, card], has_password: true, openid: 'o-1', ...more })),
  );

function open(show: Partial<GoodsText> = {}, list: SKU[] = [sku, yearSku]) {
  chosenNoCards();
  answerCards();
  server.use(post('/Kaquan/show', () => main.ok({ show: { ...goodsDetail, ...show }, list })));
  return renderScreen(<GoodsDetailScreen />, '/couponsDetail?id=11');
}

const recharge = { type: 1, title: '光影视频会员', account: 'member' } as const;
const calls = { type: 1, title: '手机话费直充', account: 'phone' } as const;

const ends = (state: GoodsOrder['state']) =>
  server.use(
    post('/Kaquan/pay_success', ({ order_no = '' }) =>
      main.ok({ order_no, state, orderstatus: state, type: 2, order: { ...cardOrder, order_no, state } }),
    ),
  );

async function toPaySheet(account?: string) {
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  if (account) await user().type(await screen.findByLabelText('充值账号'), account);
  await user().click(await screen.findByRole('button', { name: '去支付' }));
  await screen.findByRole('dialog', { name: '订单支付' });
}

async function pay() {
  await user().click(await payButton());
}

test('the detail shows price, title, specification, and its text cleaned', async () => {
  const content =
    '<h2>说明</h2><p>一次有效<img src="x" onerror="window.hacked = 1"></p><script>window.hacked = 1</script>';
  open({ content, img: '/art/goods/all.svg' }, [sku, { ...yearSku, img: '/art/goods/year.svg' }]);
  expect(await screen.findByRole('heading', { name: '青鸟音乐豪华会员' })).toBeVisible();
  const what = screen.getByRole('region', { name: '商品信息' });
  expect(what).toHaveTextContent(/^¥15\.00电子卡密青鸟音乐豪华会员无损音质，全曲库畅听$/);
  const picture = () => screen.getByRole('img', { name: '青鸟音乐豪华会员' }).getAttribute('src');
  expect(picture()).toBe(sku.img);
  const terms = screen.getByRole('region', { name: '购买说明' });
  expect(terms).toHaveTextContent('规格月卡 ¥15.00年卡 ¥148.00');
  expect(await screen.findByText('一次有效')).toBeVisible();
  // The headings are one level below those of the page.
  expect(screen.getByRole('heading', { name: '说明', level: 3 })).toBeVisible();
  await user().click(screen.getByRole('radio', { name: /年卡/ }));
  expect(what).toHaveTextContent(/^¥148\.00/);
  expect(picture()).toBe('/art/goods/year.svg');
  expect(document.querySelector('.rich script, .rich [onerror]')).toBeNull();
  expect('hacked' in window).toBe(false);
});

test('below the description are other goods, those of the same category first', async () => {
  const other = { ...goods, id: '31', title: '晨光咖啡中杯券', fid: '6' };
  const related = { ...goods, id: '12', title: '云雀音乐畅听会员' };
  const soldOut = { ...goods, id: '13', title: '全民欢唱超级会员', stock: 0 };
  server.use(
    post('/Kaquan/index', () =>
      main.ok({ classify: [], lbt: [], yinyue: [goods, related, soldOut], yuedu: [], qita: [other] }),
    ),
  );
  open();
  const more = within(await screen.findByRole('region', { name: '更多福利' }));
  expect(more.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/memberindex',
    '/couponsDetail?id=12',
    '/couponsDetail?id=31',
  ]);
});

test('customer service is reached by a link', async () => {
  open({ zxkf: 'https://service.test/goods' });
  expect(await screen.findByRole('link', { name: '联系客服' })).toHaveAttribute('href', 'https://service.test/goods');
});

test('buy-now opens a sheet: picture, price and stock follow the specification, one piece at a time', async () => {
  open({}, [sku, { ...yearSku, stock: 0 }, { ...yearSku, id: '114', sku: '季卡', price: '42.00' }]);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  const sheet = within(await screen.findByRole('dialog', { name: '选择规格' }));
  expect(sheet.getByText('库存 60 件')).toBeVisible();
  expect(sheet.getByLabelText('数量')).toHaveTextContent('1');
  expect(sheet.getByRole('radio', { name: /年卡/ })).toBeDisabled();
  await user().click(sheet.getByRole('radio', { name: /季卡/ }));
  expect(sheet.getByText('仅剩 3 件').parentElement).toHaveTextContent('¥42.00');
});

test('a specification is chosen on the page: its price, and it is the one to buy', async () => {
  open();
  const what = await screen.findByRole('region', { name: '商品信息' });
  expect(screen.getByRole('radio', { name: /月卡/ })).toBeChecked();
  expect(what).toHaveTextContent('¥15.00');
  expect(what).not.toHaveTextContent('起');
  await user().click(screen.getByRole('radio', { name: /年卡/ }));
  expect(what).toHaveTextContent('¥148.00');
  expect(what).not.toHaveTextContent('起');
  await user().click(screen.getByRole('button', { name: '立即购买' }));
  const sheet = within(await screen.findByRole('dialog', { name: '选择规格' }));
  expect(sheet.getByRole('radio', { name: /年卡/ })).toBeChecked();
});

test('the terms are shown before the purchase: delivery, validity, limit', async () => {
  const first = open();
  const terms = await screen.findByRole('region', { name: '购买说明' });
  expect(terms).toHaveTextContent('付款后立即发放卡密，在订单详情中查看');
  expect(terms).toHaveTextContent('有效期自购买之日起：月卡 31 天，年卡 366 天');
  expect(terms).toHaveTextContent('每单限购 1 件');
  first.unmount();
  open(recharge, [{ ...sku, days: 0 }]);
  const other = await screen.findByRole('region', { name: '购买说明' });
  expect(other).toHaveTextContent('付款后充值到您填写的账号');
  expect(other).not.toHaveTextContent('有效期');
});

test('goods that are sold out cannot be bought, and others are offered', async () => {
  const { where } = open({}, [{ ...sku, stock: 0 }]);
  expect(await screen.findByText('已售罄')).toBeVisible();
  expect(screen.queryByRole('button', { name: '立即购买' })).toBeNull();
  expect(screen.getByRole('radio', { name: /月卡/ })).toBeDisabled();
  await user().click(screen.getByRole('button', { name: '看看其他商品' }));
  await waitFor(() => expect(where()).toBe('/memberindex'));
});

test('unknown goods show a message', async () => {
  server.use(post('/Kaquan/show', () => main.reject('goods_not_found', '商品不存在或已下架')));
  const { where } = renderScreen(<GoodsDetailScreen />, '/couponsDetail?id=9');
  expect(await screen.findByText('商品不存在或已下架')).toBeVisible();
  await user().click(screen.getByRole('button', { name: '看看其他商品' }));
  await waitFor(() => expect(where()).toBe('/memberindex'));
});

test('a purchase without a login asks for the login first', async () => {
  localStorage.clear();
  const asked = vi.fn();
  const stop = on('loginRequired', asked);
  open();
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  expect(asked).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
  stop();
});

test('an account of only punctuation is rejected: 请输入充值账号', async () => {
  open(recharge);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  await user().type(await screen.findByLabelText('充值账号'), ' -- ');
  await user().click(screen.getByRole('button', { name: '去支付' }));
  expect(await screen.findByText('请输入充值账号')).toBeVisible();
  expect(screen.queryByRole('dialog', { name: '订单支付' })).toBeNull();
  await user().type(screen.getByLabelText('充值账号'), '138');
  expect(screen.queryByText('请输入充值账号')).toBeNull();
});

test('the own number is proposed for goods that recharge a phone, and shown in groups before the payment', async () => {
  const paid = vi.fn((_: Form) => main.ok({ order_no: '9', state: 4 as const, orderstatus: 4 as const }));
  open(calls);
  server.use(post('/Film/flkpay', paid));
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  const field = await screen.findByLabelText('充值账号');
  await waitFor(() => expect(field).toHaveValue('13800000000'));
  expect(field).toHaveAttribute('inputmode', 'tel');
  await user().click(await screen.findByRole('button', { name: '去支付' }));
  const sheet = within(await screen.findByRole('dialog', { name: '订单支付' }));
  expect(sheet.getByText('138 0000 0000')).toBeVisible();
  expect(sheet.getByText('请仔细核对，充值成功后无法退回')).toBeVisible();
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  await waitFor(() => expect(paid).toHaveBeenCalledOnce());
  expect(paid.mock.calls[0]?.[0]).toMatchObject({ phone: '13800000000' });
});

test('a proposed number that is deleted stays deleted, and another one is stripped before it is checked', async () => {
  open(calls);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  const field = await screen.findByLabelText('充值账号');
  await waitFor(() => expect(field).toHaveValue('13800000000'));
  await user().clear(field);
  expect(field).toHaveValue('');
  await user().click(screen.getByRole('button', { name: '去支付' }));
  expect(await screen.findByText('请输入充值账号')).toBeVisible();
  await user().type(field, 'a-b.c');
  await user().click(screen.getByRole('button', { name: '去支付' }));
  expect(await screen.findByText('请输入正确的手机号')).toBeVisible();
  expect(field).toHaveFocus();
  await user().clear(field);
  await user().type(field, '+86 139#0000-1111');
  await user().click(screen.getByRole('button', { name: '去支付' }));
  expect(await screen.findByRole('dialog', { name: '订单支付' })).toHaveTextContent('139 0000 1111');
});

test.each(['link', 'limited'] as const)('no number is proposed to a session with the access %s', async (access) => {
  const asked = vi.fn(() => main.ok(member));
  session.setAccess(access);
  open(calls);
  server.use(post('/Member/index', asked));
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  await user().click(await screen.findByRole('button', { name: '去支付' }));
  expect(await screen.findByText('请输入充值账号')).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
});

test('a number that was mistyped is not proposed for the next purchase', async () => {
  const { unmount } = open(recharge);
  server.use(post('/Film/flkpay', () => main.ok({ order_no: '9', state: 4 as const, orderstatus: 4 as const })));
  await toPaySheet('张三');
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  unmount();
  open(recharge);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  expect(await screen.findByLabelText('充值账号')).toHaveValue('');
});

test.each([
  ['recharge_account_required', '请输入充值账号'],
  ['recharge_account_invalid', '请输入正确的手机号'],
] as const)('an account that the shop rejects with %s is reported at its field: %s', async (code, message) => {
  open(recharge);
  server.use(post('/Film/flkpay', () => main.reject(code, message)));
  await toPaySheet('138');
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  expect(await screen.findByRole('dialog', { name: '选择规格' })).toBeVisible();
  expect(screen.getByLabelText('充值账号')).toHaveAccessibleDescription(message);
});

test('cards only: 支付成功！, under one key, at position 1, and the orders are shown', async () => {
  const quoted = vi.fn(({ fulika = '' }: Form) =>
    main.ok({ dkprice: fulika ? '15.00' : '0.00', wxprice: fulika ? '0.00' : '15.00', ka_ids: fulika, total: '15.00' }),
  );
  const paid = vi.fn((_: Form) => main.ok({ order_no: '9', state: 4 as const, orderstatus: 4 as const }));
  const { where } = open({ ...recharge, account: 'mail' });
  server.use(post('/Film/pay_date', quoted), post('/Film/flkpay', paid));
  await toPaySheet(' a.b@c.com ');
  expect(screen.getByText('a.b@c.com')).toBeVisible();
  await pickCards(/超级卡/);
  expect(await screen.findByText('无需支付')).toBeVisible();
  await pay();
  await typePassword('246810');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(quoted.mock.lastCall?.[0]).toMatchObject({ fulika: 'k1', ggid: '111', number: '1', position: '1' });
  expect(paid).toHaveBeenCalledOnce();
  expect(paid.mock.calls[0]?.[0]).toMatchObject({
    token: 'tok',
    ka_ids: 'k1',
    pass: '246810',
    ggid: '111',
    number: '1',
    phone: 'a.b@c.com',
    position: '1',
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a call with a lost answer is repeated with the same key', async () => {
  const keys: (string | undefined)[] = [];
  const { where } = open();
  server.use(
    post('/Film/flkpay', ({ key }) => {
      keys.push(key);
      return keys.length === 1
        ? Response.error()
        : main.ok({ order_no: '9', state: 4 as const, orderstatus: 4 as const });
    }),
  );
  await toPaySheet();
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a second purchase of the same goods is another order', async () => {
  const keys: (string | undefined)[] = [];
  for (const _ of [1, 2]) {
    const view = open();
    server.use(
      post('/Film/flkpay', ({ key }) => {
        keys.push(key);
        return main.ok({ order_no: '9', state: 4 as const, orderstatus: 4 as const });
      }),
    );
    await toPaySheet();
    if (keys.length === 0) await pickCards(/超级卡/);
    await pay();
    await typePassword('246810');
    await waitFor(() => expect(view.where()).toBe('/orderInfo?tabIndex=0'));
    view.unmount();
  }
  expect(new Set(keys).size).toBe(2);
});

test('another specification is another intent, with another key', async () => {
  const keys: (string | undefined)[] = [];
  open();
  server.use(
    post('/Film/flkpay', ({ key }) => {
      keys.push(key);
      return main.reject('points_insufficient', '卡内余额不足');
    }),
  );
  await toPaySheet();
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  expect(await findToast('支付失败！')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('卡内余额不足');
  await pay();
  await typePassword('246810');
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
  await user().click(screen.getByRole('button', { name: '关闭' }));
  await user().click(screen.getByRole('button', { name: '立即购买' }));
  const sheet = within(await screen.findByRole('dialog', { name: '选择规格' }));
  await user().click(sheet.getByRole('radio', { name: /年卡/ }));
  await user().click(screen.getByRole('button', { name: '去支付' }));
  await pay();
  await typePassword('246810');
  await waitFor(() => expect(keys).toHaveLength(3));
  expect(keys[2]).not.toBe(keys[0]);
});

test('a locked payment password leads to paying without cards, or to setting another one', async () => {
  const { where } = open();
  server.use(
    post('/Film/flkpay', () =>
      main.reject('payment_password_locked', '密码错误次数过多，请30分钟后再试', {
        wait: 1800,
        until: afternoon + 1800,
      }),
    ),
  );
  await toPaySheet();
  await pickCards(/超级卡/);
  await pay();
  await typePassword('111111');
  const sheet = await screen.findByRole('dialog', { name: '支付密码已锁定' });
  expect(within(sheet).getByRole('alert')).toHaveTextContent(
    /^密码错误次数过多，请30分钟后再试（(今天|明天) \d\d:\d\d 解锁）$/,
  );
  expect(within(sheet).getByRole('button', { name: /^改用微信支付/ })).toBeVisible();
  await user().click(within(sheet).getByRole('link', { name: '忘记密码' }));
  await waitFor(() => expect(where()).toBe('/payPassword'));
});

test('without a payment password the way leads to setting one, and the sheet is there again afterwards', async () => {
  const view = open();
  answerCards({ has_password: false });
  await toPaySheet();
  await pickCards(/超级卡/);
  await pay();
  const dialog = await screen.findByRole('alertdialog', { name: '尚未设置支付密码' });
  await user().click(within(dialog).getByRole('button', { name: '去设置' }));
  await waitFor(() => expect(view.where()).toBe('/payPassword'));
  view.unmount();
  open();
  expect(await screen.findByRole('dialog', { name: '订单支付' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /已选 1 张/ })).toBeVisible();
});

test('goods without a picture leave no empty frame for one', async () => {
  const { container } = open({ img: '' }, [{ ...sku, img: '' }]);
  expect(await screen.findByRole('heading', { name: '青鸟音乐豪华会员' })).toBeVisible();
  expect(container.querySelector('.goods__img')).not.toBeInTheDocument();
});

test('a method must be chosen: 请选择支付方式', async () => {
  open();
  await toPaySheet();
  await pay();
  expect(await screen.findByText('请选择支付方式')).toBeVisible();
});

test("the messaging app's payment outside of it says 请使用微信打开进行支付", async () => {
  const prepared = vi.fn(() => main.reject('internal', '系统繁忙，请稍后再试'));
  open();
  server.use(post('/Kaquan/wxpay', prepared));
  await toPaySheet();
  await user().click(await screen.findByRole('checkbox', { name: /微信支付/ }));
  await pay();
  expect(await screen.findByRole('dialog', { name: '请使用微信打开进行支付' })).toBeVisible();
  expect(prepared).not.toHaveBeenCalled();
});

test('in the messaging app: the bridge gets what the shop prepared, and the shop says how it ended', async () => {
  const invoke = inApp('ok');
  ends(4);
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  const { where } = open();
  server.use(post('/Kaquan/wxpay', prepared));
  await toPaySheet();
  await pay();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({
    ka_ids: '',
    openid: 'o-1',
    ggid: '111',
    number: '1',
    phone: '',
    position: '1',
    wxprice: '15.00',
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(invoke).toHaveBeenCalledWith('getBrandWCPayRequest', bridgeParams, expect.any(Function));
});

/** The quote for goods of which a card can pay a third. */
const quotedBoth = post('/Film/pay_date', ({ fulika = '' }) =>
  main.ok({
    dkprice: fulika ? '5.00' : '0.00',
    wxprice: fulika ? '10.00' : '15.00',
    ka_ids: fulika,
    total: '15.00',
  }),
);

test('both: cards give their part after the password, the messaging app pays the rest', async () => {
  inApp('ok');
  ends(4);
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  const { where } = open();
  server.use(post('/Kaquan/wxpay', prepared), quotedBoth);
  await toPaySheet();
  await pickCards(/电影卡/);
  expect(await screen.findByRole('list', { name: '福利卡抵扣' })).toHaveTextContent('5.00');
  expect(screen.getByText('还需支付').closest('.mq-due')).toHaveTextContent('还需支付¥10.00');
  await pay();
  await typePassword('246810');
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ ka_ids: 'k2', pass: '246810', wxprice: '10.00' });
});

test('an abandoned payment is 支付失败; the next attempt pays the same order and takes no second piece', async () => {
  inApp('cancel');
  ends(0);
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  const again = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  const { where } = open();
  server.use(post('/Kaquan/wxpay', prepared), post('/Film/wxpay', again));
  await toPaySheet();
  await pay();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  expect(await findToast('支付失败')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('您取消了付款，商品仍为您保留');
  inApp('ok');
  ends(4);
  await pay();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
  expect(prepared).toHaveBeenCalledOnce();
  expect(again.mock.calls[0]?.[0]).toMatchObject({ oid: '9', openid: 'o-1' });
});

test('goods that have sold out since: a message, and the sheet closes', async () => {
  open();
  server.use(post('/Film/flkpay', () => main.reject('sold_out', '商品已售罄')));
  await toPaySheet();
  await pickCards(/超级卡/);
  server.use(post('/Kaquan/show', () => main.ok({ show: goodsDetail, list: [{ ...sku, stock: 0 }] })));
  await pay();
  await typePassword('246810');
  expect(await screen.findByText('商品已售罄')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '订单支付' })).toBeNull());
  expect(await screen.findByText('已售罄')).toBeVisible();
  expect(screen.queryByRole('button', { name: '立即购买' })).toBeNull();
});

test('a rejected quote shows the reason and can be retried', async () => {
  open();
  server.use(post('/Film/pay_date', () => main.reject('sold_out', '商品已售罄')));
  await toPaySheet();
  expect(await screen.findByText('商品已售罄')).toBeVisible();
  server.use(...shop);
  answerCards();
  await user().click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('请选择支付方式')).toBeVisible();
});

/** Opens the page as after OAuth, with a purchase that was started on the sheet. */
async function comeBack() {
  const invoke = inApp('cancel');
  ends(0);
  sessionStorage.setItem('resume buy 11', '1');
  window.history.replaceState({ idx: 1 }, '', '/couponsDetail?id=11&code=c-1&state=st');
  let openid = '';
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  server.use(
    post('/Login/getopenid', () => {
      openid = 'o-1';
      return main.ok({ openid, yz_code: '', bound: true });
    }),
    post('/Kaquan/show', () => main.ok({ show: goodsDetail, list: [sku, yearSku] })),
    post('/Film/card', () => main.ok({ card_list: [], has_password: true, openid })),
    post('/Kaquan/wxpay', prepared),
  );
  const view = renderScreen(<GoodsDetailScreen />, '/couponsDetail?id=11');
  await screen.findByRole('dialog', { name: '订单支付' });
  return { ...view, invoke, prepared };
}

test('back with an identity the payment goes on by itself, once', async () => {
  const { invoke, prepared } = await comeBack();
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await screen.findByText('您取消了付款，商品仍为您保留')).toBeVisible();
  expect(prepared.mock.calls[0]?.[0]).toMatchObject({ ggid: '111', openid: 'o-1', wxprice: '15.00' });
  await user().click(screen.getByRole('button', { name: '关闭' }));
  await toPaySheet();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(invoke).toHaveBeenCalledOnce();
});

test('a payment is not called failed if the shop cannot be reached after the ok of the bridge', async () => {
  inApp('ok');
  const { where } = open();
  server.use(
    post('/Kaquan/wxpay', () => main.ok({ jsApiParameters: bridgeParams, order_no: '9' })),
    post('/Kaquan/pay_success', () => Response.error()),
  );
  await toPaySheet();
  await pay();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText('支付结果确认中，请稍候')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/orderInfo?tabIndex=0'));
});

test('a purchase without an answer is not called failed', async () => {
  open();
  server.use(post('/Film/flkpay', () => Response.error()));
  await toPaySheet();
  await pickCards(/超级卡/);
  await pay();
  await typePassword('246810');
  expect(await screen.findByText('网络不给力，请检查网络后重试', { selector: '[role=status] *' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/支付失败/)).toBeNull();
});

test('a customer who leaves during the payment query sees the result and is not navigated', async () => {
  const { invoke, answer } = holdingApp();
  ends(4);
  const { where } = open();
  server.use(post('/Kaquan/wxpay', () => main.ok({ jsApiParameters: bridgeParams, order_no: '9' })));
  await toPaySheet();
  await pay();
  await waitFor(() => expect(invoke).toHaveBeenCalled());
  await user().click(screen.getByRole('button', { name: '返回', hidden: true }));
  await waitFor(() => expect(where()).not.toContain('/couponsDetail'));
  const there = where();
  answer('ok');
  expect(await screen.findByText('支付成功！')).toBeVisible();
  expect(where()).toBe(there);
});

test.each([
  ['logs out', () => session.logOut()],
  ['hands the phone to another buyer', () => session.logIn('tok-2')],
])('the typed account is gone after the buyer %s', async (_, leave) => {
  const { unmount } = open(recharge);
  await toPaySheet('13800138000');
  unmount();
  leave();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('13800138000');
  localStorage.setItem('token', 'tok-2');
  open(recharge);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  expect(await screen.findByLabelText('充值账号')).toHaveValue('');
});

test('a card whose points the order holds after a payment that was left stays chosen', async () => {
  inApp('cancel');
  ends(0);
  const prepared = vi.fn((_: Form) => main.ok({ jsApiParameters: bridgeParams, order_no: '9' }));
  open();
  server.use(post('/Kaquan/wxpay', prepared), post('/Film/wxpay', prepared), quotedBoth);
  await toPaySheet();
  await pickCards(/电影卡/);
  expect(await screen.findByRole('list', { name: '福利卡抵扣' })).toHaveTextContent('5.00');
  server.use(post('/Film/card', () => main.ok({ card_list: [], has_password: true, openid: 'o-1' })));
  for (const tries of [1, 2]) {
    await pay();
    await typePassword('246810');
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(prepared).toHaveBeenCalledTimes(tries);
  }
  expect(prepared.mock.calls[1]?.[0]).toMatchObject({ ka_ids: 'k2', wxprice: '10.00' });
});

test('a purchase that a login interrupts goes on with the account that was typed', async () => {
  session.logOut();
  open(recharge);
  await user().click(await screen.findByRole('button', { name: '立即购买' }));
  leaveForLogin('tok', '7');
  open(recharge);
  await user().type(await screen.findByLabelText('充值账号'), '13800138000');
  act(() => askLogin());
  leaveForLogin('tok 2', '7');
  open(recharge);
  expect(await screen.findByLabelText('充值账号')).toHaveValue('13800138000');
});

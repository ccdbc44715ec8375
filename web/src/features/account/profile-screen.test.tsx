import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { callsOfPull } from '../../../test/pull';
import { renderScreen } from '../../../test/render';
import { cakeCard, card, member } from '../../../test/samples';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { card as cardBackend, main, post } from '../../../test/wire';
import { openIDStorage } from '../../session/openid';
import { config } from '../../wire/config';
import ProfileScreen from './profile-screen';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});

const renderProfile = () => renderScreen(<ProfileScreen />, '/personCenter');

test('the personal center shows the phone, the number of cards and the numbers of orders', async () => {
  const order_num = { all: 9, pending: 1, to_use: 5, completed: 3 };
  server.use(post('/Member/index', () => main.ok({ ...member, card_num: 15, order_num })));
  renderProfile();
  expect(await screen.findByText('138****0000')).toBeVisible();
  expect(screen.getByRole('link', { name: '我的福利卡 15 张' })).toHaveAttribute('href', '/securitycards');
  const orders = screen.getByRole('region', { name: '我的订单' });
  expect(within(orders).getByRole('link', { name: '全部 9' })).toHaveAttribute('href', '/orderInfo?tabIndex=0');
  expect(within(orders).getByRole('link', { name: '待付款 1 单' })).toHaveAttribute('href', '/orderInfo?tabIndex=1');
  expect(within(orders).getByRole('link', { name: '待使用 5 单' })).toHaveAttribute('href', '/orderInfo?tabIndex=2');
  expect(within(orders).getByRole('link', { name: '已完成 3 单' })).toHaveAttribute('href', '/orderInfo?tabIndex=3');
});

test('the number of cards is shown once, with their points and those that expire soon', async () => {
  const ending = { ...card, id: 'k8', flag: 2, price: '12.50' };
  server.use(post('/api/api.php/Card/lists', () => cardBackend.ok({ card_list: [card, ending] })));
  renderProfile();
  expect(await screen.findByText('购票可用余额，12.50 点即将过期')).toBeVisible();
  expect(screen.getAllByText(/[0-9] 张/)).toHaveLength(1);
  expect(screen.getByRole('link', { name: '绑定福利卡' })).toHaveAttribute('href', '/bindingCard');
});

test('the balance is what tickets can be paid with; other points are named apart', async () => {
  server.use(post('/api/api.php/Card/lists', () => cardBackend.ok({ card_list: [card, cakeCard] })));
  renderProfile();
  const caption = await screen.findByText('购票可用余额，一点抵一元');
  expect(caption.previousElementSibling).toHaveTextContent('100.00 点');
  expect(screen.getByText('另有 200.00 点限蛋糕')).toBeVisible();
});

test('an account without cards and orders is invited to bind a card and to see the films', async () => {
  const none = { ...member, card_num: 0, order_num: { all: 0, pending: 0, to_use: 0, completed: 0 } };
  server.use(
    post('/Member/index', () => main.ok(none)),
    post('/api/api.php/Card/lists', () => cardBackend.ok({ card_list: [] })),
  );
  renderProfile();
  expect(await screen.findByText('绑定后可用点数抵扣票款')).toBeVisible();
  expect(screen.queryByText(/0 张/)).toBeNull();
  const orders = within(screen.getByRole('region', { name: '我的订单' }));
  expect(orders.getByRole('link', { name: '去看看热映影片' })).toHaveAttribute('href', '/index');
  expect(orders.queryByRole('link', { name: /全部/ })).toBeNull();
  expect(orders.getByRole('link', { name: '待付款 0 单' })).toBeVisible();
});

test('the personal center links to customer service, 9:00-21:00 all year', async () => {
  renderProfile();
  const service = await screen.findByRole('link', { name: /联系客服/ });
  await waitFor(() => expect(service).toHaveAttribute('href', 'https://service.test/'));
  expect(service).toHaveTextContent('9:00-21:00');
});

test('a pull at the top loads numbers, points and orders again', async () => {
  renderProfile();
  const asked = await callsOfPull(await screen.findByText('138****0000'));
  expect(asked).toEqual(expect.arrayContaining(['/Member/index', '/api/api.php/Card/lists', '/Dyorder/order']));
});

test('the cinemas that are marked can be found again from here', async () => {
  const { where } = renderProfile();
  await userEvent.click(await screen.findByRole('button', { name: '收藏的影院' }));
  await waitFor(() => expect(where()).toBe('/multiplex?known=1'));
});

test('the payment password can be set and changed from here', async () => {
  const user = userEvent.setup();
  server.use(post('/Member/index', () => main.ok({ ...member, has_password: false })));
  const { where } = renderProfile();
  await user.click(await screen.findByRole('button', { name: /支付密码 ?未设置/ }));
  await waitFor(() => expect(where()).toBe('/payPassword'));
});

test('logout asks 是否退出？ first, and staying changes nothing', async () => {
  const revoked = vi.fn(() => main.ok({}));
  server.use(post('/Login/logout', revoked));
  const user = userEvent.setup();
  const { where } = renderProfile();
  await user.click(await screen.findByRole('button', { name: '退出登录' }));
  const dialog = await screen.findByRole('alertdialog', { name: '是否退出？' });
  // The button behind the dialog is not busy yet.
  expect(screen.getByText('退出登录').closest('button')).not.toHaveAttribute('aria-busy');
  await user.click(within(dialog).getByRole('button', { name: '取消' }));
  expect(revoked).not.toHaveBeenCalled();
  expect(localStorage.getItem('token')).toBe('tok');
  await waitFor(() => expect(where()).toBe('/personCenter'));
});

test('a confirmed logout says 退出登录成功, forgets the token and goes home', async () => {
  const revoked = vi.fn((_: Record<string, string>) => main.ok({}));
  server.use(post('/Login/logout', revoked));
  openIDStorage.set('o-1');
  const user = userEvent.setup();
  const { where } = renderProfile();
  await user.click(await screen.findByRole('button', { name: '退出登录' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '确定' }));
  expect(await screen.findByText('退出登录成功')).toBeVisible();
  expect(revoked.mock.calls[0]?.[0]).toMatchObject({ token: 'tok' });
  await waitFor(() => expect(where()).toBe('/index'));
  await waitFor(() => expect(localStorage.getItem('token')).toBeNull());
  expect(openIDStorage.get(), 'quick login ends with the logout').toBe('');
});

test('an uploaded avatar is sent as multipart and says 修改头像成功', async () => {
  let type = '';
  let body = '';
  let img = member.img;
  server.use(
    post('/Member/index', () => main.ok({ ...member, img })),
    post('/Member/uploadimg', async (_, request) => {
      type = request.headers.get('content-type') ?? '';
      body = await request.text();
      img = '/uploads/a.png';
      return main.ok({ img });
    }),
  );
  const user = userEvent.setup();
  renderProfile();
  const field = await screen.findByLabelText('更换头像');
  await user.upload(field, new File(['picture'], 'me.png', { type: 'image/png' }));
  expect(await screen.findByText('修改头像成功')).toBeVisible();
  expect(type).toMatch(/^multipart\/form-data; *boundary=/);
  expect(body).toMatch(/name="token"\s+tok\s/);
  expect(body).toMatch(new RegExp(`name="channel_no"\\s+${config.channelNo}\\s`));
  expect(body).toMatch(/name="img"; filename=".+"\s+Content-Type: image\/png\s+picture\s/);
  await waitFor(() => expect(document.querySelector('.mq-uploader img')).toHaveAttribute('src', '/uploads/a.png'));
});

test('an avatar the shop rejects shows its message', async () => {
  server.use(post('/Member/uploadimg', () => main.reject('image_invalid', '图片格式不支持')));
  const user = userEvent.setup();
  renderProfile();
  await user.upload(await screen.findByLabelText('更换头像'), new File(['x'], 'me.png', { type: 'image/png' }));
  expect(await screen.findByText('图片格式不支持')).toBeVisible();
});

test('a personal center that fails to load can be loaded again', async () => {
  let fails = true;
  server.use(post('/Member/index', () => (fails ? new Response('', { status: 500 }) : main.ok(member))));
  const user = userEvent.setup();
  renderProfile();
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('138****0000')).toBeVisible();
});

test('only a JPEG or a PNG is sent: 请上传 JPG 或 PNG 格式的图片', async () => {
  const sent = vi.fn(() => main.ok({ img: '/uploads/a.png' }));
  server.use(post('/Member/uploadimg', sent));
  const user = userEvent.setup({ applyAccept: false });
  renderProfile();
  await user.upload(await screen.findByLabelText('更换头像'), new File(['gif'], 'me.gif', { type: 'image/gif' }));
  expect(await screen.findByText('请上传 JPG 或 PNG 格式的图片')).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
});

test.each([
  ['without a type', ''],
  ['of the type image/jpg', 'image/jpg'],
  ['of the type image/pjpeg', 'image/pjpeg'],
  ['of unknown content', 'application/octet-stream'],
])('a picture %s is sent, as browsers inside apps give it', async (_, type) => {
  const sent = vi.fn(() => main.ok({ img: '/uploads/a.png' }));
  server.use(post('/Member/uploadimg', sent));
  const user = userEvent.setup({ applyAccept: false });
  renderProfile();
  await user.upload(await screen.findByLabelText('更换头像'), new File(['jpeg'], 'mmexport1711.jpg', { type }));
  expect(await screen.findByText('修改头像成功')).toBeVisible();
  expect(sent).toHaveBeenCalledOnce();
});

test('a picture of more than 5 MB that the browser cannot show is not sent: 图片过大，请换一张', async () => {
  const sent = vi.fn(() => main.ok({ img: '/uploads/a.png' }));
  server.use(post('/Member/uploadimg', sent));
  const user = userEvent.setup();
  renderProfile();
  const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'me.png', { type: 'image/png' });
  await user.upload(await screen.findByLabelText('更换头像'), large);
  expect(await screen.findByText('图片过大，请换一张')).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
});

test('an upload shows a preview with its progress, then the picture of the shop', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:me', revokeObjectURL: vi.fn() }));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let img = '/uploads/old.png';
  server.use(
    post('/Member/index', () => main.ok({ ...member, img })),
    post('/Member/uploadimg', async () => {
      await held;
      img = '/uploads/new.png';
      return main.ok({ img });
    }),
  );
  const user = userEvent.setup();
  const { container } = renderProfile();
  await user.upload(await screen.findByLabelText('更换头像'), new File(['png'], 'me.png', { type: 'image/png' }));
  expect(await screen.findByRole('progressbar', { name: '上传进度' })).toBeVisible();
  expect(container.querySelector('.mq-uploader img')).toHaveAttribute('src', 'blob:me');
  release();
  expect(await screen.findByText('修改头像成功')).toBeVisible();
  await waitFor(() => expect(container.querySelector('.mq-uploader img')).toHaveAttribute('src', '/uploads/new.png'));
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('a failed upload shows its message and the old picture again', async () => {
  server.use(post('/Member/uploadimg', () => Response.error()));
  const user = userEvent.setup();
  renderProfile();
  await user.upload(await screen.findByLabelText('更换头像'), new File(['png'], 'me.png', { type: 'image/png' }));
  expect(await screen.findByText('网络不给力，请检查网络后重试')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

test('a logout ends the session without waiting for the answer of the shop', async () => {
  server.use(post('/Login/logout', () => new Promise<never>(() => {})));
  const user = userEvent.setup();
  const { where } = renderProfile();
  await user.click(await screen.findByRole('button', { name: '退出登录' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '确定' }));
  expect(await screen.findByText('退出登录成功')).toBeVisible();
  await waitFor(() => expect(where()).toBe('/index'));
  await waitFor(() => expect(localStorage.getItem('token')).toBeNull());
});

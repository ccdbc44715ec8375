import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { main, post } from '../../../test/wire';
import { toast } from '../../ui/toast';
import type { ConfirmedSession } from '../../wire/generated/ConfirmedSession';
import type { SecurityPage } from '../../wire/generated/SecurityPage';
import { session } from '../../wire/session';
import ConfirmAccountScreen from './confirm-account-screen';

const security: SecurityPage = { phone: '138****0001', wechat: false, has_password: true, next_proof: 'owner' };

beforeEach(() => {
  server.use(...shop);
  session.logIn('tok', '1', 'limited');
  window.history.replaceState({ idx: 1 }, '', '/');
});

/** Answers with the access before and after the proof, and records the proofs. */
function answer(more: Partial<SecurityPage> = {}, access: ConfirmedSession['access'] = '') {
  const proofs = vi.fn((_: Record<string, string>) => main.ok({ access }));
  server.use(
    post('/Member/security', () => main.ok({ ...security, ...more })),
    post('/Login/confirm', proofs),
  );
  return proofs;
}

test('the payment password confirms the owner of a phone that was not used for long', async () => {
  const proofs = answer();
  const { where } = renderScreen(<ConfirmAccountScreen />, '/confirmAccount');
  expect(await screen.findByText(/138\*{4}0001 超过90天未用验证码登录，号码可能已更换机主/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '是我的账号' }));
  expect(proofs).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText('支付密码'), '246810');
  await userEvent.click(screen.getByRole('button', { name: '是我的账号' }));
  expect(await screen.findByText('账号已确认')).toBeVisible();
  expect(proofs.mock.calls[0]?.[0]).toMatchObject({ token: 'tok', password: '246810' });
  expect(session.access()).toBe('');
  await vi.waitFor(() => expect(where()).toBe('/before'));
});

test('in the place of another page it stays there', async () => {
  answer();
  const { where } = renderScreen(<ConfirmAccountScreen />, '/securitycards');
  await userEvent.type(await screen.findByLabelText('支付密码'), '246810');
  await userEvent.click(screen.getByRole('button', { name: '是我的账号' }));
  expect(await screen.findByText('账号已确认')).toBeVisible();
  expect(where()).toBe('/securitycards');
});

test('a wrong payment password says how many tries are left', async () => {
  answer();
  server.use(post('/Login/confirm', () => main.reject('payment_password_wrong', '支付密码错误', { tries_left: 4 })));
  renderScreen(<ConfirmAccountScreen />, '/confirmAccount');
  await userEvent.type(await screen.findByLabelText('支付密码'), '999999');
  await userEvent.click(screen.getByRole('button', { name: '是我的账号' }));
  expect(await screen.findByText('支付密码错误，还可尝试 4 次')).toBeVisible();
  expect(screen.getByLabelText('支付密码')).toHaveAccessibleDescription('支付密码错误，还可尝试 4 次');
  expect(session.access()).toBe('limited');
});

test('the identity in the messaging app is a proof as well', async () => {
  const proofs = answer({ wechat: true, has_password: false });
  window.history.replaceState({ idx: 1 }, '', '/confirmAccount?code=c-1&state=st');
  renderScreen(<ConfirmAccountScreen />, '/confirmAccount');
  await userEvent.click(await screen.findByRole('button', { name: '是我的账号' }));
  await screen.findByText('账号已确认');
  expect(proofs.mock.calls[0]?.[0]).toMatchObject({ openid: 'o-1', yz_code: 'yz-1' });
});

test('an account without payment password and messaging app leads to customer service', async () => {
  answer({ has_password: false });
  renderScreen(<ConfirmAccountScreen />, '/confirmAccount');
  expect(await screen.findByText(/该账号没有支付密码，也未绑定微信。请联系客服核实身份/)).toBeVisible();
  expect(await screen.findByRole('link', { name: /联系客服/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: '是我的账号' })).toBeNull();
});

test('a session that a link opened asks for a code to the phone of its account', async () => {
  session.logIn('linked', '1', 'link');
  session.setLinkedPhone('138****0001');
  const proofs = answer({ next_proof: 'code' });
  const sent = vi.fn((_: Record<string, string>) => main.ok({ wait: 60 }));
  server.use(post('/Member/securitycode', sent));
  renderScreen(<ConfirmAccountScreen />, '/bindingCard');
  expect(await screen.findByText(/当前账号 138\*{4}0001 由链接登录/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '获取验证码' }));
  await vi.waitFor(() => expect(sent.mock.calls[0]?.[0]).toMatchObject({ purpose: 'session' }));
  await userEvent.type(screen.getByLabelText('验证码'), '123456');
  await userEvent.click(screen.getByRole('button', { name: '确认' }));
  expect(await screen.findByText('账号已确认')).toBeVisible();
  expect(proofs.mock.calls[0]?.[0]).toMatchObject({ token: 'linked', code: '123456' });
  expect(session.linkedPhone()).toBe('');
});

test('a session by link to an account that is not used for long asks for both proofs', async () => {
  answer({ next_proof: 'code' }, 'limited');
  const said = vi.spyOn(toast, 'ok');
  renderScreen(<ConfirmAccountScreen />, '/confirmAccount');
  await userEvent.type(await screen.findByLabelText('验证码'), '123456');
  answer({ next_proof: 'owner' }, 'limited');
  await userEvent.click(screen.getByRole('button', { name: '确认' }));
  expect(await screen.findByLabelText('支付密码')).toBeVisible();
  expect(said).not.toHaveBeenCalled();
  expect(session.access()).toBe('limited');
});

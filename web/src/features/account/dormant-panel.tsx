import { type FormEvent, useState } from 'react';
import { passwordMessage } from '../../shop/password-refusal';
import { ServiceLink } from '../../shop/service-link';
import { maskedPhone } from '../../shop/ticket-order';
import { Button } from '../../ui/button';
import { confirm } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { NoticeBar } from '../../ui/notice-bar';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { type LoginResult, openDormant, startAfresh } from './log-in';

interface DormantPanelProps {
  phone: string;
  /** The single-use proof that the SMS code was right. */
  proof: string;
  hasPassword: boolean;
  onLogin: (login: LoginResult) => void;
}

/**
 * The second step of a login whose phone was not used for 90 days, because the number may have a new owner: the payment
 * password opens the old account, or the number starts a new one.
 */
export function DormantPanel({ phone, proof, hasPassword, onLogin }: DormantPanelProps) {
  const [password, setPassword] = useState('');

  async function run(login: () => Promise<LoginResult>) {
    try {
      onLogin(await login());
    } catch (failure) {
      toast(passwordMessage(failure));
    }
  }

  async function openOld() {
    await run(() => openDormant(phone, proof, password));
  }

  async function openNew() {
    const message = '原账号中的福利卡和订单不会带入新账号，且该手机号不能再登录原账号。';
    if (await confirm({ title: '注册新账号？', message, destructive: true }))
      await run(() => startAfresh(phone, proof));
  }

  return (
    <div className="mq-column login">
      <NoticeBar icon="shield">
        {maskedPhone(phone)} 的账号已超过90天未用手机号登录，号码可能已更换机主，请确认账号归属。
      </NoticeBar>
      {hasPassword ? (
        <form className="mq-column login__step-form" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
          <div className="mq-cells login__fields">
            <Field
              label="支付密码"
              name="password"
              placeholder="原账号的6位支付密码"
              type="password"
              inputMode="numeric"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
          </div>
          <SubmitButton
            missing={password === '' ? { text: '请输入支付密码', field: 'password' } : undefined}
            onClick={openOld}
          >
            是我的账号，登录
          </SubmitButton>
          <p className="login__hint">忘记支付密码？请联系客服核实身份。</p>
        </form>
      ) : (
        <p className="login__hint">如果是您的账号，请在微信中打开本商城快捷登录，或联系客服核实身份。</p>
      )}
      <div className="login__other">
        <Button size="large" block onClick={openNew}>
          我是新机主，注册新账号
        </Button>
        <p className="login__hint">原账号的福利卡和订单不会转入新账号。</p>
      </div>
      <ServiceLink />
    </div>
  );
}

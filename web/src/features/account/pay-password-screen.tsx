import './account.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { memberQuery } from '../../shop/get-member';
import { useIsOnPage } from '../../shop/navigation';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { CodeField } from './code-field';
import { validatePassword } from './payment-password-rules';
import { sendPasswordCode, setPaymentPassword } from './set-payment-password';

/** Sets or changes the payment password, with a code sent to the buyer's phone. */
export default function PayPasswordScreen() {
  const back = useBack();
  const isOnPage = useIsOnPage();
  const queries = useQueryClient();
  const { data: member } = useQuery(memberQuery);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [code, setCode] = useState('');
  const errors = useFieldErrors('password', 'code');

  async function submit() {
    errors.clear();
    try {
      await setPaymentPassword(code, password);
      toast.ok('修改成功');
      for (const key of ['member', 'wallet']) void queries.invalidateQueries({ queryKey: [key] });
      if (isOnPage()) back();
    } catch (failure) {
      errors.show(failure);
    }
  }

  return (
    <>
      <NavBar title={member?.has_password ? '修改支付密码' : '设置支付密码'} onBack={back} />
      <form className="mq-column mq-gap-16 mq-page" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
        <NoticeBar tone="plain" icon="shield">
          支付密码用于福利卡付款，请勿告诉他人。
        </NoticeBar>
        <div className="mq-cells">
          <Field
            label="支付密码"
            name="password"
            placeholder="6位数字密码"
            type="password"
            inputMode="numeric"
            autoComplete="new-password"
            value={password}
            {...errors.field('password', setPassword)}
          />
          <Field
            label="确认密码"
            name="again"
            placeholder="再次输入6位密码"
            type="password"
            inputMode="numeric"
            autoComplete="new-password"
            value={again}
            onChange={setAgain}
          />
        </div>
        <div className="mq-cells">
          <CodeField
            value={code}
            {...errors.field('code', setCode)}
            validate={() => undefined}
            send={sendPasswordCode}
          />
        </div>
        {member && <p className="login__hint mq-small">验证码将发送至 {member.phone}</p>}
        <SubmitButton missing={validatePassword({ password, again, code })} onClick={submit}>
          确定
        </SubmitButton>
      </form>
    </>
  );
}

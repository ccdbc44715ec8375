import { Link } from 'react-router';
import './account.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import * as v from 'valibot';
import { useIdentityProof } from '../../session/use-identity-proof';
import { useLoginReturn } from '../../session/use-login-return';
import { typedInput } from '../../shop/input';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { type Missing, SubmitButton } from '../../ui/submit-button';
import { Tag } from '../../ui/tag';
import { toast } from '../../ui/toast';
import { CodeField } from './code-field';
import { validatePhone } from './login-rules';
import { OwnCodeField } from './own-code-field';
import { changePhone, securityQuery, sendNewPhoneCode } from './security';
import { WechatProof } from './wechat-proof';

/**
 * The page that gives the account another phone. The proof is a code that is sent to the current phone. If that phone
 * is lost, the proof is the payment password together with the identity in the messaging app. For an account without a
 * phone, the proof is the identity.
 */
export default function ChangePhoneScreen() {
  const back = useBack();
  const isOnPage = useIsOnPage();
  const queries = useQueryClient();
  const { data: security } = useQuery(securityQuery);
  const errors = useFieldErrors('code', 'password', 'phone', 'newcode');
  const { identity, prove, forget } = useIdentityProof(errors.show);
  const [lost, setLost] = useState(() => new URLSearchParams(window.location.search).has('lost'));
  const [oldCode, setOldCode] = useState('');
  const [password, setPassword] = useState('');
  const [before, remember] = useLoginReturn('new phone', v.string());
  const [phone, setPhone] = useState(before ?? '');
  const [newCode, setNewCode] = useState('');
  const present = security?.phone ?? '';
  const byCode = present !== '' && !lost;
  const title = security && present === '' ? '绑定手机号' : '更换手机号';

  function missing(): Missing | undefined {
    if (byCode && oldCode === '') return { text: '请输入当前手机号收到的验证码', field: 'code' };
    if (present !== '' && lost && password === '') return { text: '请输入支付密码', field: 'password' };
    if (!byCode && !identity) return { text: '请先验证微信身份', field: 'wechat' };
    const problem = validatePhone(phone);
    if (problem) return { text: problem, field: 'phone' };
    return newCode === '' ? { text: '请输入新手机号收到的验证码', field: 'newcode' } : undefined;
  }

  async function submit() {
    errors.clear();
    const proven = { openid: identity?.openid ?? '', yz_code: identity?.yz_code ?? '' };
    try {
      await changePhone(phone, newCode, byCode ? { code: oldCode } : { ...proven, ...(present ? { password } : {}) });
      toast.ok(present ? '手机号已更换' : '手机号已绑定');
      void queries.invalidateQueries({ queryKey: ['member'] });
      if (isOnPage()) back();
    } catch (failure) {
      forget();
      errors.show(failure);
    }
  }

  function chooseLost(next: boolean) {
    // The choice is in the address, so that it survives the redirect to the messaging app and back.
    const url = new URL(window.location.href);
    if (next) url.searchParams.set('lost', '1');
    else url.searchParams.delete('lost');
    window.history.replaceState(window.history.state, '', url);
    setLost(next);
  }

  return (
    <>
      <NavBar title={title} onBack={back} />
      {security && (
        <form
          className="mq-column mq-gap-16 mq-page"
          noValidate
          onSubmit={(event: FormEvent) => event.preventDefault()}
        >
          {present !== '' && (
            <>
              <NoticeBar tone="plain" icon="shield">
                更换后请用新手机号登录。
              </NoticeBar>
              <h2 className="mq-row mq-gap-8">
                <Tag tone="plain">1</Tag> 验证身份
              </h2>
            </>
          )}
          {byCode && (
            <OwnCodeField phone={present} purpose="safety" value={oldCode} {...errors.field('code', setOldCode)} />
          )}
          {present !== '' && lost && (
            <div className="mq-cells">
              <Field
                label="支付密码"
                name="password"
                placeholder="6位数字密码"
                type="password"
                inputMode="numeric"
                autoComplete="current-password"
                value={password}
                {...errors.field('password', setPassword)}
              />
            </div>
          )}
          {!byCode && <WechatProof identity={identity} prove={prove} />}
          {present !== '' && (
            <button
              type="button"
              className="mq-self-start mq-touch mq-brand mq-text-13 mq-medium"
              onClick={() => chooseLost(!lost)}
            >
              {lost ? '改用当前手机号验证' : '当前手机号已不用？用支付密码和微信验证'}
            </button>
          )}
          {present !== '' && (
            <h2 className="mq-row mq-gap-8">
              <Tag tone="plain">2</Tag> 新手机号
            </h2>
          )}
          <div className="mq-cells">
            <Field
              label="新手机号"
              name="phone"
              placeholder="请输入新手机号"
              type="tel"
              inputMode="numeric"
              autoComplete="tel-national"
              clearable
              value={phone}
              {...errors.field('phone', (typed) => {
                setPhone(typedInput('phone', typed));
                remember(typedInput('phone', typed));
              })}
            />
            <CodeField
              value={newCode}
              {...errors.field('newcode', setNewCode)}
              validate={() => validatePhone(phone)}
              send={() => sendNewPhoneCode(phone)}
              label="新验证码"
              name="newcode"
            />
          </div>
          <SubmitButton missing={missing()} onClick={submit}>
            {title}
          </SubmitButton>
          {present !== '' && (
            <p className="login__hint mq-small">
              不再使用该手机号？<Link to={paths.unbind('phone')}>解绑手机号</Link>
            </p>
          )}
        </form>
      )}
    </>
  );
}

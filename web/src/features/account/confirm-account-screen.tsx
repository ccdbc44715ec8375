import './account.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { useIdentityProof } from '../../session/use-identity-proof';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { ServiceLink } from '../../shop/service-link';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { ErrorState } from '../../ui/empty';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import type { SecurityPage } from '../../wire/generated/SecurityPage';
import { session } from '../../wire/session';
import { OwnCodeField } from './own-code-field';
import { confirmAccess, type Proof, securityQuery } from './security';
import { WechatProof } from './wechat-proof';

/**
 * Asks for a proof that gives the session more access. A session that was opened by a link with a token needs a code
 * that is sent to the account's phone. A session whose phone number was not used for long needs the payment password or
 * the identity in the messaging app. The app shows this screen instead of a page that needs more access.
 */
export default function ConfirmAccountScreen() {
  const back = useBack();
  const isOnPage = useIsOnPage();
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const security = useQuery({ ...securityQuery, staleTime: 0 });

  /**
   * Sends a proof. After the session has enough access, Entry (app.tsx) shows the requested page instead of this
   * screen. If this screen was opened by its address, there is no requested page, and the app goes back.
   */
  async function prove(proof: Proof) {
    await confirmAccess(proof);
    if (session.access() !== '') return void security.refetch();
    toast.ok('账号已确认');
    session.setLinkedPhone('');
    void queries.invalidateQueries();
    if (isOnPage() && pathname === paths.confirmAccount()) back();
  }

  return (
    <>
      <NavBar title="确认账号" onBack={back} />
      {security.isPending && <PageSkeleton cards={[1, 1]} />}
      {security.error && (
        <ErrorState message={customerMessage(security.error) ?? '请求失败'} onRetry={() => security.refetch()} />
      )}
      {security.data?.next_proof === 'code' && <CodeForm phone={security.data.phone} prove={prove} />}
      {security.data?.next_proof === 'owner' && <OwnerForm security={security.data} prove={prove} />}
      {security.data && security.data.next_proof === undefined && (
        <div className="mq-column mq-gap-16 mq-page">
          <NoticeBar tone="ok" icon="success">
            账号已确认，无需再次验证。
          </NoticeBar>
        </div>
      )}
    </>
  );
}

interface FormProps {
  prove: (proof: Proof) => Promise<void>;
}

/** Asks for the code that is sent to the account's phone, because a link with a token has opened the session. */
function CodeForm({ phone, prove }: FormProps & { phone: string }) {
  const [code, setCode] = useState('');
  const errors = useFieldErrors('code');

  async function submit() {
    errors.clear();
    try {
      await prove({ code });
    } catch (failure) {
      errors.show(failure);
    }
  }

  return (
    <form className="mq-column mq-gap-16 mq-page" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
      <NoticeBar icon="shield">
        {phone ? `当前账号 ${phone} 由链接登录，` : '当前账号由链接登录，'}
        绑定福利卡或微信、修改手机号前，请先验证手机号。
      </NoticeBar>
      {phone ? (
        <>
          <OwnCodeField phone={phone} purpose="session" value={code} {...errors.field('code', setCode)} />
          <SubmitButton missing={code === '' ? { text: '请输入验证码', field: 'code' } : undefined} onClick={submit}>
            确认
          </SubmitButton>
        </>
      ) : (
        <p className="login__hint mq-small">该账号未绑定手机号，请在微信中打开本商城快捷登录。</p>
      )}
      <ServiceLink />
    </form>
  );
}

/**
 * Asks for the payment password or the identity in the messaging app, because a phone number that was not used for long
 * may have another owner now.
 */
function OwnerForm({ security: { phone, has_password, wechat }, prove }: FormProps & { security: SecurityPage }) {
  const [password, setPassword] = useState('');
  const errors = useFieldErrors('password');
  const { identity, prove: openApp, forget } = useIdentityProof(errors.show);

  async function submit() {
    errors.clear();
    try {
      await prove(identity ? { openid: identity.openid, yz_code: identity.yz_code } : { password });
    } catch (failure) {
      errors.show(failure);
    } finally {
      forget();
    }
  }

  return (
    <form className="mq-column mq-gap-16 mq-page" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
      <NoticeBar icon="shield">
        {phone}{' '}
        超过90天未用验证码登录，号码可能已更换机主。确认账号归属后，才会显示福利卡、点数和券码；购票、购物可用微信支付，不受影响。
      </NoticeBar>
      {has_password && !identity && (
        <div className="mq-cells">
          <Field
            label="支付密码"
            name="password"
            placeholder="请输入6位支付密码"
            type="password"
            inputMode="numeric"
            autoComplete="current-password"
            maxLength={6}
            value={password}
            {...errors.field('password', setPassword)}
          />
        </div>
      )}
      {wechat && <WechatProof identity={identity} prove={openApp} />}
      {(has_password || identity) && (
        <SubmitButton
          missing={identity || password !== '' ? undefined : { text: '请输入支付密码', field: 'password' }}
          onClick={submit}
        >
          是我的账号
        </SubmitButton>
      )}
      <p className="login__hint mq-small">
        {has_password || wechat ? '无法验证？' : '该账号没有支付密码，也未绑定微信。'}请联系客服核实身份。
      </p>
      <ServiceLink />
    </form>
  );
}

import './account.css';
import { type FormEvent, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { type CarriedIdentity, carriedIdentity } from '../../session/carried-identity';
import { isInApp } from '../../session/in-app';
import { useShareCard } from '../../session/use-share-card';
import { BrandHead } from '../../shop/brand-head';
import { typedInput } from '../../shop/input';
import { paths } from '../../shop/paths';
import { maskedPhone } from '../../shop/ticket-order';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { confirm } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { codeOf } from '../../wire/api-error';
import type { LoginResult } from '../../wire/generated/LoginResult';
import { session } from '../../wire/session';
import { CodeField } from './code-field';
import { bindPhone, furtherCode, isUnproven, logInByPhone } from './log-in';
import { draftOf, withDraft } from './login-draft';
import { validateLogin, validatePhone } from './login-rules';
import { maskIdentity } from './mask-identity';
import { useLeaveLogin } from './return-path';
import { sendLoginCode } from './send-login-code';

/** What the messaging app shares: the login page without its query, which belongs to the login of this customer. */
const loginCard = {
  title: '登录',
  text: '选座购票、福利卡与会员权益，一站办好。',
  path: '/login',
  picture: '/share.png',
};

/**
 * Login by phone and SMS code. With isphone=1 it also binds the phone to the identity in the messaging app that came
 * with the visit (`carriedIdentity`). Inside the messaging app, a visit without such an identity is redirected to quick
 * login. The page shows the identity and the account, because another person may have sent the address. `draft` is the
 * unsent form that was stored before a link to a legal text was followed (login-draft.ts).
 */
export default function LoginScreen() {
  const navigate = useNavigate();
  const prepareLeave = useLeaveLogin();
  const back = useBack();
  const location = useLocation();
  const [query] = useSearchParams();
  const isphone = query.get('isphone');
  const [identity, setIdentity] = useState(() => (isphone === '1' ? carriedIdentity.get() : undefined));
  const [lacksIdentity] = useState(isphone === '1' && !identity && isInApp());
  useShareCard(loginCard);

  const [draft] = useState(() => draftOf(location.state));
  const [phone, setPhone] = useState(draft.phone);
  const [code, setCode] = useState(draft.code);
  const [agreed, setAgreed] = useState(draft.agreed);
  const errors = useFieldErrors('phone', 'code');

  /** Stores the form in this history entry before a link to a legal text is followed. */
  function saveDraft() {
    navigate(location.pathname + location.search, {
      replace: true,
      state: withDraft(location.state, { phone, code, agreed }),
    });
  }

  function dropIdentity() {
    carriedIdentity.drop();
    setIdentity(undefined);
    navigate(paths.login(), { replace: true, state: withDraft(location.state, { phone, code, agreed }) });
  }

  function askMessagingApp() {
    carriedIdentity.drop();
    navigate(paths.quickLogin(), { replace: true, state: location.state });
  }

  function finish({ token, uid, access }: LoginResult) {
    carriedIdentity.drop();
    const leaveLogin = prepareLeave();
    session.logIn(token, uid, access);
    toast.ok('登录成功');
    leaveLogin();
  }

  /** Binds the identity. If the account has another one, the customer is asked first; undefined if they decline. */
  async function bind(carried: CarriedIdentity) {
    try {
      return await bindPhone({ phone, code, ...carried });
    } catch (failure) {
      if (codeOf(failure) !== furtherCode) throw failure;
    }
    const agreed = await confirm({
      title: '再绑定一个微信？',
      message: `账号 ${maskedPhone(phone)} 已绑定其他微信。绑定后，微信 ${maskIdentity(carried.openid)} 也能登录该账号。`,
      confirmText: '再绑定',
      cancelText: '不绑定',
    });
    return agreed ? bindPhone({ phone, code, ...carried, further: '1' }) : undefined;
  }

  async function submit() {
    errors.clear();
    try {
      const login = identity ? await bind(identity) : await logInByPhone(phone, code);
      if (login) finish(login);
    } catch (failure) {
      errors.show(failure);
      if (!identity || !isUnproven(failure)) return;
      if (isInApp()) askMessagingApp();
      else dropIdentity();
    }
  }

  if (lacksIdentity) {
    return <Navigate to={paths.quickLogin()} replace state={location.state} />;
  }

  return (
    <>
      <NavBar title={identity ? '绑定手机号' : '登录'} onBack={back} />
      <form className="mq-column mq-gap-16 mq-page" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
        <BrandHead>{identity ? '绑定手机号后即可用微信快捷登录' : '未注册的手机号验证后自动创建账号'}</BrandHead>
        {identity && (
          <NoticeBar tone="ok" icon="wechat">
            将绑定微信 {maskIdentity(identity.openid)}
            {phone.length === 11 && `，它以后可以登录账号 ${maskedPhone(phone)}`}。
          </NoticeBar>
        )}
        <div className="mq-cells">
          <Field
            label="手机号"
            name="phone"
            placeholder="请输入手机号"
            type="tel"
            inputMode="numeric"
            autoComplete="tel-national"
            clearable
            value={phone}
            {...errors.field('phone', (typed) => setPhone(typedInput('phone', typed)))}
          />
          <CodeField
            value={code}
            {...errors.field('code', setCode)}
            validate={() => validatePhone(phone)}
            send={() => sendLoginCode(phone)}
          />
        </div>
        <div className="login__hint">
          <Checkbox name="agreed" checked={agreed} onChange={setAgreed}>
            我已阅读并同意
            <Link to={paths.rules()} onClick={saveDraft}>
              《用户协议》
            </Link>
            与
            <Link to={paths.privacy()} onClick={saveDraft}>
              《隐私政策》
            </Link>
          </Checkbox>
        </div>
        <SubmitButton missing={validateLogin({ phone, code, agreed })} onClick={submit}>
          {identity ? '绑定并登录' : '登录'}
        </SubmitButton>
        {identity && (
          <Button kind="default" size="large" block onClick={dropIdentity}>
            这不是我的微信，仅登录
          </Button>
        )}
        {!identity && isInApp() && (
          <Button kind="default" size="large" block icon="wechat" onClick={askMessagingApp}>
            微信快捷登录
          </Button>
        )}
      </form>
    </>
  );
}

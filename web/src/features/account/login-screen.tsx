import './account.css';
import { type FormEvent, useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { isInApp } from '../../session/in-app';
import { BrandHead } from '../../shop/brand-head';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { session } from '../../wire/session';
import { CodeField } from './code-field';
import { DormantPanel } from './dormant-panel';
import { bindPhone, type LoginResult, logInByPhone } from './log-in';
import { draftOf, withDraft } from './login-draft';
import { phoneDigits, refuseLogin, refuseSend } from './login-rules';
import { useLeaveLogin } from './return-path';
import { sendLoginCode } from './send-login-code';

/**
 * Login by phone and SMS code. With openid and yz_code in the address it also binds the phone to that identity, unless
 * isphone is 0. With isphone 1 and no identity, the messaging app is asked for one first.
 *
 * openid is the identity in the messaging app. yz_code is the proof of it for one use within ten minutes, which the
 * shop returned with it. isphone says whether this login binds a phone to an identity. draft is the unsent form that
 * was stored before a link to a legal text was followed (login-draft.ts).
 */
export default function LoginScreen() {
  const navigate = useNavigate();
  const prepareLeave = useLeaveLogin();
  const back = useBack();
  const location = useLocation();
  const [query] = useSearchParams();
  const openid = query.get('openid') ?? '';
  const yz_code = query.get('yz_code') ?? '';
  const isphone = query.get('isphone');
  const binding = openid !== '' && isphone !== '0';

  const [draft] = useState(() => draftOf(location.state));
  const [phone, setPhone] = useState(draft.phone);
  const [code, setCode] = useState(draft.code);
  const [agreed, setAgreed] = useState(draft.agreed);
  const [dormant, setDormant] = useState<{ proof: string; hasPassword: boolean }>();

  /** Stores the form in this history entry before a link to a legal text is followed. */
  function saveDraft() {
    navigate(location.pathname + location.search, {
      replace: true,
      state: withDraft(location.state, { phone, code, agreed }),
    });
  }

  function finish({ token, uid }: LoginResult) {
    const leaveLogin = prepareLeave();
    session.logIn(token, uid);
    toast.ok('登录成功');
    leaveLogin();
  }

  async function submit() {
    try {
      const login = binding ? await bindPhone({ phone, code, openid, yz_code }) : await logInByPhone(phone, code);
      if (login.dormant) return setDormant({ proof: login.yz_code, hasPassword: login.dormant.has_password });
      finish(login);
    } catch (failure) {
      toast(customerMessage(failure));
    }
  }

  if (isphone === '1' && openid === '' && isInApp()) {
    return <Navigate to={paths.quickLogin()} replace state={location.state} />;
  }

  if (dormant) {
    return (
      <>
        <NavBar title="确认账号" backStays onBack={() => setDormant(undefined)} />
        <DormantPanel phone={phone} {...dormant} onLogin={finish} />
      </>
    );
  }

  return (
    <>
      <NavBar title={binding ? '绑定手机号' : '登录'} onBack={back} />
      <form className="mq-column login" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
        <BrandHead>{binding ? '绑定手机号后即可用微信快捷登录' : '未注册的手机号验证后自动创建账号'}</BrandHead>
        {binding && (
          <NoticeBar tone="ok" icon="wechat">
            微信身份已确认，10 分钟内有效。
          </NoticeBar>
        )}
        <div className="mq-cells login__fields">
          <Field
            label="手机号"
            name="phone"
            placeholder="请输入手机号"
            type="tel"
            inputMode="numeric"
            autoComplete="tel-national"
            clearable
            value={phone}
            onChange={(typed) => setPhone(phoneDigits(typed))}
          />
          <CodeField
            value={code}
            onChange={setCode}
            refuse={() => refuseSend(phone)}
            send={() => sendLoginCode(phone)}
          />
        </div>
        <div className="login__agree">
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
        <SubmitButton missing={refuseLogin({ phone, code, agreed })} onClick={submit}>
          {binding ? '绑定并登录' : '登录'}
        </SubmitButton>
        {!binding && isInApp() && (
          <Button
            kind="default"
            size="large"
            block
            icon="wechat"
            onClick={() => navigate(paths.quickLogin(), { replace: true, state: location.state })}
          >
            微信快捷登录
          </Button>
        )}
      </form>
    </>
  );
}

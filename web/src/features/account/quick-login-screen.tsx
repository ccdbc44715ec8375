import './account.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { carriedIdentity } from '../../session/carried-identity';
import { isInApp } from '../../session/in-app';
import { finishOAuth, oauthReturn, startOAuth, withoutOAuth } from '../../session/oauth';
import { openIDStorage } from '../../session/openid';
import { BrandHead } from '../../shop/brand-head';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { copy } from '../../ui/copy';
import { Loading } from '../../ui/loading';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { session } from '../../wire/session';
import { quickLogIn } from './log-in';
import { storeReturn, useLeaveLogin } from './return-path';

/**
 * Login by the identity in the messaging app. A stored identity is tried first: the shop accepts it on a device on
 * which the customer has logged in before. Otherwise the screen redirects to the messaging app (OAuth), which redirects
 * back with a code. The code is exchanged for the identity, and the identity for a session. If no phone is bound to the
 * identity, the customer is redirected to the login page, which binds one.
 */
export default function QuickLoginScreen() {
  const navigate = useNavigate();
  const prepareLeave = useLeaveLogin();
  const back = useBack();
  const isOnPage = useIsOnPage();
  const location = useLocation();
  const [failed, setFailed] = useState<string>();
  const started = useRef(false);

  async function logInBy(openid: string, proof?: string) {
    const login = await quickLogIn(openid, proof);
    if (login.token !== '') {
      const leaveLogin = prepareLeave();
      session.logIn(login.token, login.uid, login.access);
      toast.ok('登录成功');
      leaveLogin();
    } else if (isOnPage()) {
      carriedIdentity.set({ openid: login.openid || openid, yz_code: login.yz_code || proof || '' });
      navigate(paths.login({ isphone: '1' }), { replace: true, state: location.state });
    }
  }

  async function tryStored() {
    const openid = openIDStorage.get();
    if (openid !== '') {
      try {
        return await logInBy(openid);
      } catch {
        // The shop does not know the device, or the identity is no longer bound. Start OAuth again.
      }
    }
    if (!isOnPage()) return;
    if (isInApp()) await startLogin();
    else setFailed('请在微信中打开，或使用手机号登录');
  }

  async function startLogin() {
    setFailed(undefined);
    storeReturn(location.state);
    try {
      const { url } = await startOAuth(window.location.origin + paths.quickLogin());
      if (isOnPage()) window.location.replace(url);
    } catch (failure) {
      setFailed(customerMessage(failure) ?? '微信登录失败');
    }
  }

  async function finishLogin(code: string, state: string) {
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    try {
      const identity = await finishOAuth(code, state);
      await logInBy(identity.openid, identity.yz_code);
    } catch (failure) {
      setFailed(customerMessage(failure) ?? '微信登录失败');
    }
  }

  const start = useEffectEvent(() => {
    const returned = oauthReturn(window.location.search);
    if (returned) void finishLogin(returned.code, returned.state);
    else void tryStored();
  });
  useEffect(() => {
    // The code is valid only once, so a second run of this effect must not exchange it again.
    if (started.current) return;
    started.current = true;
    start();
  }, []);

  return (
    <>
      <NavBar title="快捷登录" onBack={back} />
      <div className="mq-column mq-gap-16 mq-page">
        <BrandHead>用微信身份登录，无需验证码</BrandHead>
        {failed ? (
          <>
            <div role="alert">
              <NoticeBar tone={isInApp() ? 'warn' : 'plain'} icon="wechat">
                {failed}
              </NoticeBar>
            </div>
            {isInApp() && (
              <Button kind="primary" size="large" block onClick={startLogin}>
                重新授权
              </Button>
            )}
            <Button
              kind={isInApp() ? 'default' : 'primary'}
              size="large"
              block
              onClick={() => navigate(paths.login(), { replace: true, state: location.state })}
            >
              手机号登录
            </Button>
            {!isInApp() && (
              <Button size="large" block icon="copy" onClick={() => copy(window.location.origin + paths.quickLogin())}>
                复制链接
              </Button>
            )}
          </>
        ) : (
          <Loading>正在登录…</Loading>
        )}
        <p className="login__hint mq-note mq-flex mq-wrap mq-middle mq-gap-12 mq-rows-0">
          <Link to={paths.rules()}>《用户协议》</Link>
          <Link to={paths.privacy()}>《隐私政策》</Link>
        </p>
      </div>
    </>
  );
}

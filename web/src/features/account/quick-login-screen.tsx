import './account.css';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isInApp } from '../../session/in-app';
import { finishOAuth, oauthReturn, startOAuth, withoutOAuth } from '../../session/oauth';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Loading } from '../../ui/loading';
import { NavBar } from '../../ui/nav-bar';
import { toast } from '../../ui/toast';
import { useMounted } from '../../ui/use-mounted';
import { customerMessage } from '../../wire/api-error';
import { session } from '../../wire/session';
import { quickLogIn } from './log-in';
import { storeReturn, useFollowReturn } from './return-path';

/**
 * Login by the identity in the messaging app (OAuth). The first visit redirects to the messaging app, which redirects
 * back with a code. The code is exchanged for the identity, and the identity for a session. A customer without a bound
 * phone is redirected to the login, which binds one.
 */
export default function QuickLoginScreen() {
  const navigate = useNavigate();
  const followReturn = useFollowReturn();
  const back = useBack();
  const isMounted = useMounted();
  const location = useLocation();
  const [failed, setFailed] = useState<string>();
  const started = useRef(false);

  async function startLogin() {
    setFailed(undefined);
    storeReturn(location.state);
    try {
      const { url } = await startOAuth(window.location.origin + paths.quickLogin());
      if (isMounted()) window.location.replace(url);
    } catch (failure) {
      setFailed(customerMessage(failure) ?? '微信登录失败');
    }
  }

  async function finishLogin(code: string, state: string) {
    window.history.replaceState(window.history.state, '', withoutOAuth(window.location.href));
    try {
      const identity = await finishOAuth(code, state);
      const login = await quickLogIn(identity.openid, identity.yz_code);
      if (login.token === '') {
        if (!isMounted()) return;
        navigate(
          paths.login({
            isphone: '1',
            openid: login.openid || identity.openid,
            yz_code: login.yz_code || identity.yz_code,
          }),
          {
            replace: true,
          },
        );
        return;
      }
      session.logIn(login.token);
      toast.ok('登录成功');
      followReturn();
    } catch (failure) {
      setFailed(customerMessage(failure) ?? '微信登录失败');
    }
  }

  useEffect(() => {
    // The code is valid once, so a second run of this effect must not exchange it again.
    if (started.current) return;
    started.current = true;
    const returned = oauthReturn(window.location.search);
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the state is set after the answer has arrived
    if (returned) void finishLogin(returned.code, returned.state);
    else if (isInApp()) void startLogin();
    else setFailed('请在微信中打开，或使用手机号登录');
  });

  return (
    <>
      <NavBar title="快捷登录" onBack={back} />
      <div className="quick">
        <span className="quick__mark">
          <Icon name="wechat" />
        </span>
        {failed ? (
          <>
            <p role="alert">{failed}</p>
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
          </>
        ) : (
          <Loading>正在登录…</Loading>
        )}
      </div>
    </>
  );
}

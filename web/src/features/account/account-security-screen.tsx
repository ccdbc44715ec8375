import './account.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isInApp } from '../../session/in-app';
import { fetchIdentity, useIdentity } from '../../session/use-identity';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Cell, CellGroup } from '../../ui/cell';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { emit } from '../../wire/events';
import { useAccess } from '../../wire/session';
import { OpenSessions, takeVerification } from './open-sessions';
import { securityQuery } from './security';

/**
 * The page with the phone, the identities, the payment password and the sessions of the account, and links to the
 * export of personal data and to closing the account.
 */
export default function AccountSecurityScreen() {
  const back = useBack();
  const navigate = useNavigate();
  const access = useAccess();
  const failed = (failure: unknown) => toast(customerMessage(failure));
  const identifying = useIdentity((identity) => {
    if (takeVerification()) return emit('identityUnbound', identity);
    toast.ok('绑定成功');
  }, failed);
  // Load this only after OAuth has bound the identity, because an earlier answer would not contain it.
  const security = useQuery({ ...securityQuery, enabled: !identifying });

  function openWechat() {
    if (security.data?.wechat) return navigate(paths.unbind('wechat'));
    if (!isInApp()) return toast('请在微信中打开后绑定');
    void fetchIdentity().catch(failed);
  }

  return (
    <>
      <NavBar title="账号与安全" onBack={back} />
      {security.isPending && <PageSkeleton cards={[5, 1]} />}
      {security.error && (
        <ErrorState message={customerMessage(security.error) ?? '请求失败'} onRetry={() => security.refetch()} />
      )}
      {security.data && (
        <div className="mq-column mq-gap-16 mq-page">
          <CellGroup>
            <Cell
              icon="phone"
              title="手机号"
              value={security.data.phone || '未绑定'}
              onClick={() => navigate(paths.changePhone())}
            />
            <Cell icon="wechat" title="微信" value={security.data.wechat ? '已绑定' : '未绑定'} onClick={openWechat} />
            <Cell
              icon="lock"
              title="支付密码"
              value={security.data.has_password ? '已设置' : '未设置'}
              onClick={() => navigate(paths.payPassword())}
            />
          </CellGroup>
          <p className="login__hint mq-small">更换手机号、解除绑定后，其他设备将同时退出登录。</p>
          {access !== 'limited' && <OpenSessions />}
          <CellGroup>
            <Cell
              icon="download"
              title="个人信息副本"
              value="查看与下载"
              onClick={() => navigate(paths.exportData())}
            />
          </CellGroup>
          <CellGroup>
            <Cell icon="warning" title="注销账号" onClick={() => navigate(paths.closeAccount())} />
          </CellGroup>
        </div>
      )}
    </>
  );
}

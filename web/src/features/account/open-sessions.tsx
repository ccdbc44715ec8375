import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isInApp } from '../../session/in-app';
import { fetchIdentity } from '../../session/use-identity';
import { paths } from '../../shop/paths';
import { Button } from '../../ui/button';
import { Cell, CellGroup } from '../../ui/cell';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import type { AccountOpeners } from '../../wire/generated/AccountOpeners';
import { maskIdentity } from './mask-identity';
import { endOtherSessions, endSession, sessionsQuery } from './security';

type Identity = AccountOpeners['identities'][number];

/**
 * Adds `verify=1` to the address of this page, or removes it. OAuth returns to this address, and `verify` then means
 * that the customer wants to confirm the identity.
 */
function setVerification(wanted: boolean) {
  const url = new URL(window.location.href);
  if (wanted) url.searchParams.set('verify', '1');
  else url.searchParams.delete('verify');
  window.history.replaceState(window.history.state, '', url);
}

/** Reports whether the customer wanted to confirm the identity with which OAuth has returned, and removes `verify`. */
export function takeVerification(): boolean {
  const wanted = new URLSearchParams(window.location.search).has('verify');
  if (wanted) setVerification(false);
  return wanted;
}

/** Lists the sessions of the account and the identities that can log in to it, with buttons to end or remove them. */
export function OpenSessions() {
  const navigate = useNavigate();
  const { data, refetch } = useQuery(sessionsQuery);
  if (!data) return null;
  const failed = (failure: unknown) => toast(customerMessage(failure));

  async function end(title: string, message: string, act: () => Promise<unknown>) {
    if (!(await confirm({ title, message, confirmText: '退出登录', destructive: true }))) return;
    try {
      await act();
      toast.ok('已退出登录');
    } catch (failure) {
      failed(failure);
    }
    void refetch();
  }

  /** Asks whether to confirm an unconfirmed identity or to remove it. For a confirmed one, opens the removal page. */
  async function openIdentity({ openid, confirmed }: Identity) {
    const verifies =
      !confirmed &&
      (await confirm({
        title: '这是您的微信吗？',
        message: '绑定时未验证手机号。验证后，它可以用于更换手机号等操作；如不认识，请解绑。',
        confirmText: '去验证',
        cancelText: '解绑',
        dismissable: false,
      }));
    if (!verifies) return navigate(paths.unbind('wechat', openid));
    if (!isInApp()) return toast('请在该微信中打开后验证');
    setVerification(true);
    await fetchIdentity().catch(failed);
  }

  return (
    <>
      <CellGroup title="已登录的设备">
        {data.sessions.map(({ id, device, network, created_at, used_at, current }) => (
          <Cell
            key={id}
            title={device || '未知设备'}
            label={
              <>
                {[network, `${created_at.slice(0, 16)} 登录`].filter(Boolean).join(' · ')}
                <br />
                {used_at.slice(0, 13)}时使用
              </>
            }
            value={current ? '当前设备' : '退出'}
            {...(current
              ? {}
              : { onClick: () => end(`退出 ${device || '未知设备'}？`, '该设备需要重新登录。', () => endSession(id)) })}
          />
        ))}
      </CellGroup>
      {data.sessions.some(({ current }) => !current) && (
        <Button
          size="large"
          block
          onClick={() => end('退出其他所有设备？', '这些设备需要重新登录，未验证的微信将同时解绑。', endOtherSessions)}
        >
          退出其他所有设备
        </Button>
      )}
      {data.identities.length > 0 && (
        <CellGroup title="已绑定的微信">
          {data.identities.map((identity) => (
            <Cell
              key={identity.openid}
              icon="wechat"
              title={<span className="account__identity">{maskIdentity(identity.openid)}</span>}
              label={`${identity.bound_at.slice(0, 16)} 绑定`}
              value={identity.confirmed ? '已验证' : '未验证'}
              onClick={() => openIdentity(identity)}
            />
          ))}
        </CellGroup>
      )}
    </>
  );
}

import { useNavigate } from 'react-router';
import { logOut } from '../features/account/log-out';
import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { NoticeBar } from '../ui/notice-bar';
import { toast } from '../ui/toast';
import { session } from '../wire/session';

/**
 * After a login by a link with a token (session/log-in-by-link.ts), shows the phone of the account and offers to log
 * out, until the customer closes the notice.
 */
export function LinkedNotice({ phone }: { phone: string }) {
  const navigate = useNavigate();

  function leave() {
    void logOut().catch(() => undefined);
    session.logOut();
    toast.ok('退出登录成功');
    navigate(paths.home(), { replace: true });
  }

  return (
    <div className="shell__linked" role="status">
      <NoticeBar icon="mine">
        已通过链接登录账号 <strong>{phone}</strong>
        <span className="mq-flex mq-wrap mq-gap-16 mq-rows-0">
          <Button kind="text" size="small" onClick={leave}>
            不是我，退出
          </Button>
          <Button kind="text" size="small" onClick={() => session.setLinkedPhone('')}>
            知道了
          </Button>
        </span>
      </NoticeBar>
    </div>
  );
}

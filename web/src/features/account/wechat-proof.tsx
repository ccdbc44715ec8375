import { isInApp } from '../../session/in-app';
import { Cell } from '../../ui/cell';
import { NoticeBar } from '../../ui/notice-bar';
import { toast } from '../../ui/toast';
import type { OAuthIdentity } from '../../wire/generated/OAuthIdentity';

/** A row that starts OAuth to prove the identity in the messaging app; after that, a notice that it is proven. */
export function WechatProof({ identity, prove }: { identity: OAuthIdentity | undefined; prove: () => void }) {
  if (identity)
    return (
      <NoticeBar tone="ok" icon="wechat">
        微信身份已确认，10 分钟内有效。
      </NoticeBar>
    );
  return (
    <div className="mq-cells">
      <Cell
        name="wechat"
        icon="wechat"
        title="验证微信身份"
        value="未验证"
        onClick={() => (isInApp() ? prove() : toast('请在微信中打开后验证'))}
      />
    </div>
  );
}

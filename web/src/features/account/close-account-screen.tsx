import '../../ui/looks.css';
import './account.css';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { openIDStorage } from '../../session/openid';
import { useIdentityProof } from '../../session/use-identity-proof';
import { ordersQuery } from '../../shop/order-list';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Cell, CellGroup } from '../../ui/cell';
import { Checkbox } from '../../ui/checkbox';
import { confirm } from '../../ui/dialog';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import type { ClosingPreview } from '../../wire/generated/ClosingPreview';
import { session } from '../../wire/session';
import { OwnCodeField } from './own-code-field';
import { closeAccount, closingQuery } from './security';
import { WechatProof } from './wechat-proof';

const reasons: Record<string, string> = {
  unpaid: '待付款，请支付或取消',
  undelivered: '已付款，正在出票或发货',
  refunding: '正在退款',
  unused: '电影票未放映',
};

/**
 * The page to close the account. It shows the orders that prevent this, or what the customer loses, and asks for a
 * confirmation and a proof.
 */
export default function CloseAccountScreen() {
  const back = useBack();
  const closing = useQuery(closingQuery);
  return (
    <>
      <NavBar title="注销账号" onBack={back} />
      {closing.isPending && <PageSkeleton cards={[7, 3]} />}
      {closing.error && (
        <ErrorState message={customerMessage(closing.error) ?? '请求失败'} onRetry={() => closing.refetch()} />
      )}
      {closing.data &&
        (closing.data.unfinished.length > 0 ? (
          <Prevented unfinished={closing.data.unfinished} />
        ) : (
          <CloseForm key={closing.data.points} closing={closing.data} refetch={() => void closing.refetch()} />
        ))}
    </>
  );
}

/** The page of an order. A recharge has no page, so its path is that of the list of cards. */
function pathOf(kind: string, orderNo: string): string {
  switch (kind) {
    case 'ticket':
      return paths.order(orderNo);
    case 'goods':
      return paths.cardOrder(orderNo);
    default:
      return paths.cards();
  }
}

function Prevented({ unfinished }: { unfinished: ClosingPreview['unfinished'] }) {
  const navigate = useNavigate();
  const { data } = useInfiniteQuery(ordersQuery(0));

  /** The film or goods of an order, or the order number if the order is not in the loaded list. */
  function titleOf(orderNo: string): string {
    const order = data?.pages.flatMap(({ list }) => list).find(({ id }) => id === orderNo);
    if (!order) return `订单 ${orderNo}`;
    return order.ord_bs === 1 ? order.moviename : order.kaquan.title;
  }

  return (
    <div className="mq-column mq-gap-16 mq-page">
      <NoticeBar icon="warning">以下订单完成后才能注销账号。</NoticeBar>
      <CellGroup>
        {unfinished.map(({ order_no, kind, reason }) => (
          <Cell
            key={order_no}
            title={titleOf(order_no)}
            label={reasons[reason] ?? '处理中'}
            value={reason === 'unpaid' ? <span className="mq-brand mq-medium">去处理</span> : undefined}
            onClick={() => navigate(pathOf(kind, order_no))}
          />
        ))}
      </CellGroup>
      <p className="login__hint mq-small">处理完成后，回到这里继续注销。</p>
    </div>
  );
}

function CloseForm({ closing, refetch }: { closing: ClosingPreview; refetch: () => void }) {
  const navigate = useNavigate();
  const errors = useFieldErrors('code');
  const { identity, prove, forget } = useIdentityProof(errors.show);
  const [code, setCode] = useState('');
  const [givesUp, setGivesUp] = useState(false);
  const loses = closing.cards > 0 || closing.vouchers > 0;

  // After the account was closed, the session ends when this page unmounts. If it ended earlier, the customer would be
  // redirected to the login.
  const closed = useRef(false);
  useEffect(
    () => () => {
      if (!closed.current) return;
      openIDStorage.remove();
      session.logOut();
    },
    [],
  );

  const missing = [
    ...(loses && !givesUp ? [{ text: '勾选自愿放弃权益', field: 'givesUp' }] : []),
    ...(closing.phone && code === '' ? [{ text: '填写验证码', field: 'code' }] : []),
    ...(!closing.phone && !identity ? [{ text: '验证微信身份', field: 'wechat' }] : []),
  ];

  async function submit() {
    if (!(await confirm({ title: '确定注销账号？', message: '注销后无法恢复。', destructive: true }))) return;
    errors.clear();
    const proof = closing.phone ? { code } : { openid: identity?.openid ?? '', yz_code: identity?.yz_code ?? '' };
    try {
      await closeAccount(closing.points, proof);
      closed.current = true;
      toast.ok('账号已注销');
      navigate(paths.home(), { replace: true });
    } catch (failure) {
      forget();
      errors.show(failure);
      refetch();
    }
  }

  return (
    <form className="mq-column mq-gap-16 mq-page" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
      <NoticeBar icon="warning">注销立即生效且无法恢复，请仔细阅读。</NoticeBar>
      <section className="mq-column safety__text mq-card mq-gap-8 mq-text-14" aria-labelledby="close-means">
        <h2 className="mq-text-16 mq-strong" id="close-means">
          注销后
        </h2>
        <ul className="mq-bullets mq-grid mq-gap-6">
          <li>所有设备上的登录立即退出，手机号和微信与账号解除绑定。</li>
          <li>手机号、头像、支付密码等个人信息会被删除；依法须保存的订单与支付记录将去除您的身份信息。</li>
          <li>无法再查看订单、取票码、券码和福利卡，也无法就这些订单获得在线售后。</li>
          <li>用同一手机号再次登录将创建新账号。</li>
        </ul>
      </section>
      {loses && (
        <section className="mq-column safety__text mq-card mq-gap-8 mq-text-14" aria-labelledby="close-loses">
          <h2 className="mq-text-16 mq-strong" id="close-loses">
            将放弃的权益
          </h2>
          <ul className="mq-bullets mq-grid mq-gap-6">
            {closing.cards > 0 && (
              <li>
                福利卡 {closing.cards} 张，余额 <strong>{closing.points} 点</strong>
              </li>
            )}
            {closing.vouchers > 0 && <li>未到期的卡券 {closing.vouchers} 份（建议先抄录券码）</li>}
          </ul>
          <Checkbox name="givesUp" checked={givesUp} onChange={setGivesUp}>
            我自愿放弃以上权益，且知晓不予退还
          </Checkbox>
        </section>
      )}
      {closing.phone ? (
        <OwnCodeField phone={closing.phone} purpose="closing" value={code} {...errors.field('code', setCode)} />
      ) : (
        <WechatProof identity={identity} prove={prove} />
      )}
      <p className="login__hint mq-small">
        注销前可先<Link to={paths.exportData()}>下载个人信息副本</Link>
      </p>
      <SubmitButton
        kind="danger"
        missing={
          missing[0] && {
            text: `还需${missing.map(({ text }) => text).join('、')}，才能注销账号`,
            field: missing[0].field,
          }
        }
        onClick={submit}
      >
        注销账号
      </SubmitButton>
    </form>
  );
}

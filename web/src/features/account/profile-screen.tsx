import '../../ui/looks.css';
import './account.css';
import '../../ui/tone.css';
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { expiresSoon, otherPoints, paysTickets, pointsOf } from '../../shop/card';
import { cardsQuery } from '../../shop/card-list';
import { memberQuery } from '../../shop/get-member';
import { LimitedNotice } from '../../shop/limited-notice';
import { ordersQuery } from '../../shop/order-list';
import { directBinding, paths } from '../../shop/paths';
import { useServerTime } from '../../shop/server-time';
import { useServiceAddress } from '../../shop/service-link';
import { isWithoutNetwork, StoredTicketList } from '../../shop/stored-ticket-list';
import { storedTickets } from '../../shop/stored-tickets';
import { isIssued, seatNames } from '../../shop/ticket-order';
import { momentText, untilStart } from '../../shop/time';
import { Button } from '../../ui/button';
import { Cell, CellGroup } from '../../ui/cell';
import { cx } from '../../ui/cx';
import { confirm } from '../../ui/dialog';
import { ErrorState } from '../../ui/empty';
import { Icon, type IconName } from '../../ui/icon';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone, Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { config } from '../../wire/config';
import type { BuyerPage } from '../../wire/generated/BuyerPage';
import type { Orders as OrderPage } from '../../wire/generated/Orders';
import { session } from '../../wire/session';
import { Avatar } from './avatar';
import { logOut } from './log-out';

/** The customer's own page: picture and phone, orders, cards, settings and the logout. */
export default function ProfileScreen() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const member = useQuery(memberQuery);
  // The orders with unused tickets are loaded in parallel with the profile, so that the next ticket is shown together
  // with the page.
  const tickets = useInfiniteQuery(ordersQuery(2));
  const service = useServiceAddress();

  // After a logout, the session ends only when this page unmounts. If it ended earlier, the customer would be
  // redirected to the login.
  const loggingOut = useRef(false);
  useEffect(
    () => () => {
      if (loggingOut.current) session.logOut();
    },
    [],
  );

  async function confirmLogOut() {
    if (!(await confirm({ title: '是否退出？', message: '福利卡和订单会为您保留' }))) return;
    // The session ends on this phone in any case. The server revokes the token if the call reaches it.
    void logOut().catch(() => undefined);
    loggingOut.current = true;
    toast.ok('退出登录成功');
    navigate(paths.home(), { replace: true });
  }

  const stored = isWithoutNetwork(member) ? storedTickets() : [];
  if (stored.length > 0) {
    return (
      <>
        <h1 className="mq-hidden">我的</h1>
        <StoredTicketList tickets={stored} onRetry={() => queries.refetchQueries({ type: 'active' })} />
      </>
    );
  }
  if (member.isPending) {
    return (
      <div className="mine-ground">
        <h1 className="mq-hidden">我的</h1>
        <PageSkeleton className="mine" head={<Bone width={80} height={80} radius="50%" />} cards={[3, 5, 5, 6]} />
      </div>
    );
  }
  if (!member.data) {
    return (
      <>
        <h1 className="mq-hidden">我的</h1>
        <ErrorState message={customerMessage(member.error) ?? '请先登录'} onRetry={() => member.refetch()} />
      </>
    );
  }

  return (
    <div className="mine-ground">
      <h1 className="mq-hidden">我的</h1>
      <PullRefresh className="mq-column mine mq-gap-12" onRefresh={() => queries.refetchQueries({ type: 'active' })}>
        <header className="mq-row mq-gap-12 mq-py-8">
          <Avatar img={member.data.img} />
          <strong className="mq-text-20 mq-strong">{member.data.phone}</strong>
        </header>
        {member.data.access === 'limited' ? (
          <LimitedNotice>账号归属待确认，福利卡、点数和券码暂不显示。</LimitedNotice>
        ) : (
          <Wallet count={member.data.card_num} />
        )}
        <NextTicket expected={member.data.order_num.to_use > 0} tickets={tickets} />
        <Orders counts={member.data.order_num} />
        <ExternalLinks />
        <CellGroup>
          <Cell icon="gift" title="会员福利" onClick={() => navigate(paths.members())} />
          <Cell icon="star" title="收藏的影院" onClick={() => navigate(`${paths.cinemas()}?known=1`)} />
          <Cell
            icon="lock"
            title="支付密码"
            value={member.data.has_password ? '已设置' : '未设置'}
            onClick={() => navigate(paths.payPassword())}
          />
          <Cell icon="shield" title="账号与安全" onClick={() => navigate(paths.accountSecurity())} />
        </CellGroup>
        <CellGroup>
          {service && (
            <a href={service} className="van-cell mq-cell van-cell--clickable" rel="noopener">
              <Icon name="service" className="mq-cell__lead" />
              <span className="van-cell__title">
                联系客服
                <span className="van-cell__label mq-block">服务时间 9:00-21:00，全年无休</span>
              </span>
              <Icon className="mq-arrow" name="forward" />
            </a>
          )}
          <Cell icon="info" title="使用说明" onClick={() => navigate(paths.rules())} />
          <Cell icon="document" title="隐私政策" onClick={() => navigate(paths.privacy())} />
        </CellGroup>
        <Button kind="text" block icon="logout" className="mq-second" onClick={() => void confirmLogOut()}>
          退出登录
        </Button>
      </PullRefresh>
    </div>
  );
}

interface WalletProps {
  /** How many usable cards the customer has. */
  count: number;
}

/** The customer's cards: how many, the points for tickets and for other things, and a link to bind one. */
function Wallet({ count }: WalletProps) {
  const { data: cards, isPending } = useQuery(cardsQuery(1));
  const forTickets = cards?.filter(paysTickets) ?? [];
  const others = cards?.filter((card) => !paysTickets(card)) ?? [];
  const ending = forTickets.filter(expiresSoon);
  return (
    <section className="mq-card mq-golden mine__wallet mq-grid mq-gap-8">
      <Link to={paths.cards()} className="mine__cards mq-row mq-wrap mq-touch mq-gap-8 mq-rows-0 mq-note">
        <strong className="mq-name">我的福利卡</strong> {count > 0 && <span>{count} 张</span>}
        <Icon className="mq-arrow mq-push" name="forward" />
      </Link>
      <div className="mq-row mq-wrap mq-between mq-gap-8">
        <p className="mq-grid mq-touch mq-small">
          {cards && cards.length > 0 ? (
            <>
              <Price amount={pointsOf(forTickets)} unit="points" size="large" />
              <span>购票可用余额，{ending.length > 0 ? `${pointsOf(ending)} 点即将过期` : '一点抵一元'}</span>
              {others.length > 0 && <span>另有 {otherPoints(others)}</span>}
            </>
          ) : (
            cards && <span>绑定后可用点数抵扣票款</span>
          )}
          {isPending && count > 0 && <Bone width="12em" height="5em" />}
        </p>
        <Link
          to={paths.bindCard()}
          state={directBinding}
          className={cx(
            'van-button mq-button van-button--small mq-tap mq-row mq-gap-4',
            count === 0 ? 'van-button--primary' : 'van-button--default',
          )}
        >
          <Icon name="plus" />
          绑定福利卡
        </Link>
      </div>
    </section>
  );
}

interface NextTicketProps {
  /** Whether the customer has unused orders, so that room for a ticket is reserved while they load. */
  expected: boolean;
  tickets: UseInfiniteQueryResult<InfiniteData<OrderPage>>;
}

/** The next film that the buyer has a ticket for, with a link to the ticket. */
function NextTicket({ expected, tickets }: NextTicketProps) {
  const now = useServerTime();
  if (tickets.isPending && expected) {
    return (
      <Skeleton className="mq-card">
        <Bone height={102} />
      </Skeleton>
    );
  }
  const next = (tickets.data?.pages[0]?.list ?? [])
    .filter((order) => order.ord_bs === 1)
    .filter(isIssued)
    .sort((a, b) => a.playtime - b.playtime)[0];
  if (!next) return null;
  return (
    <Link to={paths.order(next.id)} className="mq-card mq-container mq-row mq-wrap mq-gap-12">
      <Picture className="mq-fixed mq-self-start" src={next.movielogo} alt="" width={60} />
      <span className="mine__film mq-grid mq-gap-2 mq-shrink mq-text-13">
        <strong className="mq-text-16 mq-strong">{next.moviename}</strong>
        <span>
          {momentText(next.playtime)} <b className="mq-ok mq-strong mq-nowrap">{untilStart(next.playtime, now)}</b>
        </span>
        <small className="mq-small mq-whole">
          {next.cinemaname} {next.roomname} {seatNames(next).join(' ')}
        </small>
      </span>
      <span className="mine__show mq-row mq-fixed mq-gap-2 mq-note">
        电子票
        <Icon className="mq-arrow" name="forward" />
      </span>
    </Link>
  );
}

const tabs: { name: string; icon: IconName; tab: 0 | 1 | 2 | 3; count: keyof BuyerPage['order_num'] }[] = [
  { name: '待付款', icon: 'clock', tab: 1, count: 'pending' },
  { name: '待使用', icon: 'ticket', tab: 2, count: 'to_use' },
  { name: '已完成', icon: 'success', tab: 3, count: 'completed' },
];

/** Links to the customer's orders, by state and to all; or to the films if there are none. */
function Orders({ counts }: { counts: BuyerPage['order_num'] }) {
  return (
    <section className="mq-card mq-grid mq-gap-12" aria-labelledby="my-orders">
      <header className="mq-head">
        <h2 id="my-orders">我的订单</h2>
        {counts.all > 0 ? (
          <Link to={paths.orders(0)} className="mq-row mq-touch mq-gap-2 mq-note">
            全部 {counts.all}
            <Icon className="mq-arrow" name="forward" />
          </Link>
        ) : (
          <Link to={paths.home()} className="mq-row mq-touch mq-gap-2 mq-text-13 mq-brand mq-medium">
            去看看热映影片
            <Icon className="mq-arrow" name="forward" />
          </Link>
        )}
      </header>
      <ul className="mq-thirds">
        {tabs.map(({ name, icon, tab, count }) => (
          <li key={tab}>
            <Link className="mq-grid mq-items-middle mq-gap-6 mq-text-13" to={paths.orders(tab)}>
              <span className="mq-relative mq-text-28" aria-hidden="true">
                <Icon name={icon} />
                {counts[count] > 0 && (
                  <span className="mine__badge mq-badge">{counts[count] > 99 ? '99+' : counts[count]}</span>
                )}
              </span>
              {name}
              <span className="mq-hidden"> {counts[count]} 单</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The shop's other sites for which an address is configured. */
function externalLinks() {
  const { shop, cake, book } = config.links;
  return (
    [
      { name: '商城', href: shop, icon: 'bag', tone: 'brand' },
      { name: '蛋糕', href: cake, icon: 'cake', tone: 'gold' },
      { name: '图书', href: book, icon: 'book', tone: 'ok' },
    ] as const
  ).filter(({ href }) => href);
}

function ExternalLinks() {
  const links = externalLinks();
  if (links.length === 0) return null;
  return (
    <nav className="mq-card mq-grid mq-gap-12" aria-labelledby="other-sites">
      <h2 id="other-sites">更多服务</h2>
      <ul className="mq-thirds">
        {links.map(({ name, href, icon, tone }) => (
          <li key={name}>
            <a className="mq-grid mq-items-middle mq-gap-6 mq-text-13" href={href} rel="noopener">
              <Icon name={icon} className={`mq-disc mq-tone--${tone}`} />
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

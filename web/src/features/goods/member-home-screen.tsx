import '../../ui/looks.css';
import '../../ui/tone.css';
import './goods.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { Banners } from '../../shop/banners';
import { paths } from '../../shop/paths';
import { queryClient } from '../../shop/query-client';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Picture } from '../../ui/picture';
import { PullRefresh } from '../../ui/pull-refresh';
import { Bone } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import type { Category } from '../../wire/generated/Category';
import { GoodsRow } from './goods-row';
import { memberHomeQuery } from './member-home';
import { Shelf } from './shelf';

export function loader() {
  void queryClient.prefetchQuery(memberHomeQuery);
  return null;
}

/** The home of the member area: banner, categories, music and reading memberships, and other goods. */
export default function MemberHomeScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const home = useQuery(memberHomeQuery);
  const { classify = [], lbt = [], yinyue = [], yuedu = [], qita = [] } = home.data ?? {};
  const nothing = home.data && [classify, lbt, yinyue, yuedu, qita].every((list) => list.length === 0);

  return (
    <>
      <NavBar title="会员福利" onBack={back} />
      {home.isPending && <PageSkeleton head={<Bone ratio="var(--wide-ratio)" radius={12} />} cards={[5, 7, 7]} />}
      {home.isError && !home.data && (
        <ErrorState message={customerMessage(home.error)} onRetry={() => home.refetch()} />
      )}
      {nothing && (
        <Empty text="暂无商品">
          <Button kind="primary" onClick={() => navigate(paths.home())}>
            去看看热映影片
          </Button>
        </Empty>
      )}
      {home.data && !nothing && (
        <PullRefresh className="mq-column mq-gap-16 mq-page" onRefresh={() => home.refetch()}>
          <Banners banners={lbt} label="会员活动" ratio="var(--wide-ratio)" interval={4000} />
          {classify.length > 0 && <Classes classes={classify} />}
          <Shelf id="music" title="音乐会员" more={paths.music()} goods={yinyue} />
          <Shelf id="reading" title="阅读会员" more={paths.reading()} goods={yuedu} />
          <section aria-labelledby="others">
            <header className="mq-head">
              <h2 className="mq-text-18" id="others">
                更多福利
              </h2>
              <Link to={paths.recharges()} className="mq-row mq-touch mq-gap-2 mq-note" aria-label="充值中心，全部">
                充值中心
                <Icon name="forward" />
              </Link>
            </header>
            {qita.length > 0 && (
              <ul className="mq-column mq-gap-12 mq-mt-8">
                {qita.map((goods) => (
                  <li key={goods.id}>
                    <GoodsRow goods={goods} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        </PullRefresh>
      )}
    </>
  );
}

const cell = 'class-cell mq-stack mq-align-center mq-gap-4 mq-text-13 mq-centered mq-whole';

function Classes({ classes }: { classes: readonly Category[] }) {
  return (
    <nav className="mq-card mq-p-12" aria-label="会员分类">
      <ul className="class-grid mq-grid mq-gap-4">
        {classes.map((category, index) => (
          <li key={category.id}>
            <Link to={paths.category(category.id, index)} className={cell}>
              <Picture src={category.img} alt="" ratio="1" width={40} round />
              {category.name}
            </Link>
          </li>
        ))}
        <li>
          <Link to={paths.category(classes[0]?.id ?? '', 0)} className={cell}>
            <Icon name="more" className="mq-disc mq-tone--plain" />
            全部分类
          </Link>
        </li>
      </ul>
    </nav>
  );
}

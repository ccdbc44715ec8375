import '../../ui/looks.css';
import './goods.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { customerMessage } from '../../wire/api-error';
import type { Category } from '../../wire/generated/Category';
import { GoodsList } from './goods-list';
import { categoriesQuery } from './list-categories';

/** The category that the address of the page contains, by its id or else by its index; otherwise the first category. */
function chosen(categories: readonly Category[], query: URLSearchParams): Category | undefined {
  return (
    categories.find(({ id }) => id === query.get('id')) ?? categories[Number(query.get('index') ?? 0)] ?? categories[0]
  );
}

/** The goods of a category, with a strip and a sheet to select another category. */
export default function CategoryScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query, setQuery] = useSearchParams();
  const categories = useQuery(categoriesQuery);
  const [more, setMore] = useState(false);
  const list = categories.data ?? [];
  const at = chosen(list, query);

  function choose(id: string) {
    setMore(false);
    const index = list.findIndex((category) => category.id === id);
    // The history entry is replaced, so that back leaves the page instead of showing the previous category.
    setQuery({ id, index: String(index) }, { replace: true });
  }

  return (
    <>
      <NavBar title="会员分类" onBack={back} />
      {categories.isPending && <ListSkeleton height={112} picture="square" head={<Bone height={44} radius={22} />} />}
      {categories.isError && !categories.data && (
        <ErrorState message={customerMessage(categories.error)} onRetry={() => categories.refetch()} />
      )}
      {categories.data && !at && (
        <Empty text="暂无分类">
          <Button kind="primary" onClick={() => navigate(paths.members(), { replace: true })}>
            去会员福利
          </Button>
        </Empty>
      )}
      {at && (
        <div className="classes mq-relative">
          <button
            type="button"
            className="classes__more mq-row mq-gap-2 mq-note"
            aria-label="更多分类"
            aria-haspopup="dialog"
            onClick={() => setMore(true)}
          >
            更多
            <Icon name="down" />
          </button>
          <Tabs
            items={list.map(({ id, name }) => ({ key: id, title: name }))}
            active={at.id}
            onChange={choose}
            label="会员分类"
            look="chips"
            sticky
          >
            <GoodsList shelf={{ kind: 'category', fid: at.id }} none="这个分类暂无商品" />
          </Tabs>
          <Popup open={more} onClose={() => setMore(false)} title="全部分类">
            <ul className="class-grid mq-grid mq-gap-4 mq-py-8">
              {list.map((category) => (
                <li key={category.id}>
                  <button
                    type="button"
                    className="class-cell mq-choice mq-stack mq-align-center mq-middle mq-gap-4 mq-text-13 mq-centered mq-whole"
                    aria-pressed={category.id === at.id}
                    onClick={() => choose(category.id)}
                  >
                    <Picture src={category.img} alt="" ratio="1" width={48} round />
                    {category.name}
                  </button>
                </li>
              ))}
            </ul>
            <Button block onClick={() => setMore(false)}>
              收起
            </Button>
          </Popup>
        </div>
      )}
    </>
  );
}

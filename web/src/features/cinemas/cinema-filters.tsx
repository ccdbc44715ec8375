import { useState } from 'react';
import { usePlace } from '../../shop/use-place';
import { Icon } from '../../ui/icon';
import { Picker } from '../../ui/picker';
import type { CinemaList } from '../../wire/generated/CinemaList';

/** The region id that selects all cinemas of the city. */
const wholeCity = '';

interface CinemaFiltersProps {
  /** The list of cinemas, with the regions of the city; undefined while it loads. */
  list: CinemaList | undefined;
  /** The name of the sort order in which the shop sends the list. */
  givenOrder: string;
  /**
   * Whether a navigation bar is above the search, so that the filters stick at a lower position when the page scrolls.
   */
  below: boolean;
}

/**
 * The filters by region and by known cinemas (favorites and visited ones), and the sort order. What is chosen is in the
 * address.
 */
export function CinemaFilters({ list, givenOrder, below }: CinemaFiltersProps) {
  const [quid, setQuid] = usePlace('quid');
  const [sort, setSort] = usePlace('sort');
  const [knownOnly, setKnownOnly] = usePlace('known');
  const [picking, setPicking] = useState<'region' | 'order'>();
  const close = () => setPicking(undefined);
  const regions = list?.qu_list ?? [];
  const region = regions.find(({ id }) => id === quid);
  return (
    <>
      <div className={`cinemas-filter ${below ? 'cinemas-filter--below ' : ''}mq-flex mq-wrap mq-between`}>
        <button
          type="button"
          className={region ? 'is-set' : undefined}
          aria-haspopup="dialog"
          onClick={() => setPicking('region')}
          disabled={regions.length === 0}
        >
          <span className="mq-ellipsis">{region?.name ?? '全部区域'}</span>
          <Icon name="down" />
        </button>
        <button
          type="button"
          className={sort === 'price' ? 'is-set' : undefined}
          aria-haspopup="dialog"
          onClick={() => setPicking('order')}
          disabled={!list}
        >
          {sort === 'price' ? '价格最低' : givenOrder}
          <Icon name="down" />
        </button>
        <button
          type="button"
          aria-pressed={knownOnly === '1'}
          onClick={() => setKnownOnly(knownOnly === '1' ? '' : '1')}
          disabled={!list}
        >
          <Icon name="star" />
          收藏与浏览
        </button>
      </div>
      <Picker
        open={picking === 'region'}
        title="选择区域"
        options={[
          { key: wholeCity, text: '全部区域', note: list ? String(list.city_num) : undefined },
          ...regions.map(({ id, name, num }) => ({ key: id, text: name, note: String(num) })),
        ]}
        value={quid}
        onPick={setQuid}
        onClose={close}
      />
      <Picker
        open={picking === 'order'}
        title="选择排序"
        options={[
          { key: '', text: givenOrder },
          { key: 'price', text: '价格最低' },
        ]}
        value={sort}
        onPick={setSort}
        onClose={close}
      />
    </>
  );
}

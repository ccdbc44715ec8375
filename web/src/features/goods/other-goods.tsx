import './goods.css';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../shop/paths';
import type { Goods } from '../../wire/generated/Goods';
import { isSoldOut } from './goods';
import { memberHomeQuery } from './member-home';
import { Shelf } from './shelf';

/** A list with more goods than this fills the screen, so no other goods are shown below it. */
const shortList = 4;

/**
 * Other goods of the member area, at the end of the page of goods or of a short list. Those of the same category come
 * first. Renders nothing if they fail to load.
 */
export function OtherGoods({ shown }: { shown: readonly Goods[] }) {
  const short = shown.length <= shortList;
  const home = useQuery({ ...memberHomeQuery, enabled: short });
  if (!short || !home.data) return null;
  const { yinyue, yuedu, qita } = home.data;
  const isRelated = (goods: Goods) => shown.some(({ fid }) => fid === goods.fid);
  const others = [...qita, ...yinyue, ...yuedu]
    .filter(
      (goods, at, all) =>
        all.findIndex(({ id }) => id === goods.id) === at &&
        shown.every(({ id }) => id !== goods.id) &&
        !isSoldOut(goods),
    )
    .sort((a, b) => Number(isRelated(b)) - Number(isRelated(a)));
  if (others.length === 0) return null;
  return <Shelf id="others" title="更多福利" more={paths.members()} goods={others.slice(0, 10)} />;
}

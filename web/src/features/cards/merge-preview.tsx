import { groupedNumber } from '../../shop/card';
import type { MergeCheck } from './merge-cards';

/** The content of the dialog before a merge: the cards that are removed, the one that remains, and its new balance. */
export function MergePreview({ check }: { check: MergeCheck }) {
  return (
    <>
      <dl className="merge-preview">
        <div className="merge-preview__cards">
          <dt>将被合并的卡</dt>
          {check.del_ka_str.split(',').map((number) => (
            <dd key={number}>{groupedNumber(number)}</dd>
          ))}
        </div>
        <div>
          <dt>转出点数</dt>
          <dd>{check.del_ka_price} 点</dd>
        </div>
        <div className="merge-preview__cards">
          <dt>保留的卡</dt>
          <dd>{groupedNumber(check.hb_ka_str)}</dd>
        </div>
        <div className="merge-preview__sum">
          <dt>合并后余额</dt>
          <dd>{check.hb_ka_price} 点</dd>
        </div>
      </dl>
      <p className="merge-preview__note">被合并的卡将失效，不可恢复。</p>
    </>
  );
}

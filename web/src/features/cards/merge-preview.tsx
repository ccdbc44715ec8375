import type { Card } from '../../wire/generated/Card';
import type { MergePreview as Preview } from '../../wire/generated/MergePreview';

interface MergePreviewProps {
  check: Preview;
  /** The cards to be merged. */
  cards: readonly Card[];
}

/** The content of the dialog before a merge: the cards that are removed, the one that remains, and its new balance. */
export function MergePreview({ check, cards }: MergePreviewProps) {
  function line(number: string) {
    const card = cards.find(({ num }) => num === number);
    return (
      <dd key={number}>
        {card?.name} 尾号{number.slice(-4)}
      </dd>
    );
  }
  return (
    <>
      <dl className="merge-preview mq-grid mq-gap-10 mq-sunken mq-ink mq-text-13">
        <div className="merge-preview__cards mq-grid mq-gap-12 mq-rows-2">
          <dt className="mq-second">将被合并的卡</dt>
          {check.del_ka_str.split(',').map(line)}
        </div>
        <div className="mq-grid mq-gap-12 mq-rows-2">
          <dt className="mq-second">转出点数</dt>
          <dd>{check.del_ka_price} 点</dd>
        </div>
        <div className="merge-preview__cards mq-grid mq-gap-12 mq-rows-2">
          <dt className="mq-second">保留的卡</dt>
          {line(check.hb_ka_str)}
        </div>
        <div className="merge-preview__sum mq-grid mq-gap-12 mq-rows-2">
          <dt className="mq-second">合并后余额</dt>
          <dd className="mq-text-16 mq-strong">{check.hb_ka_price} 点</dd>
        </div>
      </dl>
      <p className="merge-preview__note mq-small">
        转入的点数仍按原有效期使用。<strong className="mq-bad mq-strong">被合并的卡将失效，不可恢复。</strong>
      </p>
    </>
  );
}

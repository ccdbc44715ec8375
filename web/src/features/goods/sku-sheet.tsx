import type { ReactNode } from 'react';
import { Button } from '../../ui/button';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import type { SKU } from '../../wire/generated/SKU';
import { isScarce } from './goods';
import { SkuChips } from './sku-chips';

interface SkuSheetProps {
  open: boolean;
  onClose: () => void;
  /** The title of the goods. */
  title: string;
  skus: readonly SKU[];
  /** The id of the chosen specification. */
  picked: string | undefined;
  onPick: (id: string) => void;
  /** The quantity, which is always one. */
  quantity: number;
  quantityNote?: string;
  /** More fields to fill in. */
  children?: ReactNode;
  text: string;
  onSubmit: () => unknown;
}

/** The sheet to choose a specification. It shows the picture, price and stock of the chosen one. */
export function SkuSheet({
  open,
  onClose,
  title,
  skus,
  picked,
  onPick,
  quantity,
  quantityNote,
  children,
  text,
  onSubmit,
}: SkuSheetProps) {
  const sku = skus.find(({ id }) => id === picked) ?? skus[0];
  const soldOut = !sku || sku.stock <= 0;
  return (
    <Popup open={open} onClose={onClose} title="选择规格">
      <form className="mq-column mq-gap-16" noValidate onSubmit={(event) => event.preventDefault()}>
        {sku && (
          <div className="mq-row mq-gap-12">
            <Picture className="mq-fixed" src={sku.img} alt="" ratio="1" width={88} eager />
            <div className="mq-grid mq-shrink mq-gap-2">
              <p className="mq-text-16 mq-strong">{title}</p>
              <Price amount={sku.price} />
              <p className="mq-note">
                {soldOut ? '已售罄' : isScarce(sku) ? `仅剩 ${sku.stock} 件` : `库存 ${sku.stock} 件`}
              </p>
            </div>
          </div>
        )}
        <SkuChips skus={skus} picked={sku?.id} onPick={onPick} />
        <div className="mq-line mq-between mq-gap-12 mq-rows-0">
          <strong className="mq-strong">数量</strong>
          <span>
            <output className="mq-strong" aria-label="数量">
              {quantity} 件
            </output>
            {quantityNote && <small className="mq-note">（{quantityNote}）</small>}
          </span>
        </div>
        {children}
        <Button kind="primary" size="large" block type="submit" disabled={soldOut} onClick={onSubmit}>
          {soldOut ? '已售罄' : text}
        </Button>
      </form>
    </Popup>
  );
}

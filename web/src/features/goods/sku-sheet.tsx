import './sku-sheet.css';
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import { isScarce } from './goods';

export interface SkuChoice {
  key: string;
  name: string;
  img: string;
  /** Yuan with two decimals. */
  price: string;
  stock: number;
}

interface SkuSheetProps {
  open: boolean;
  onClose: () => void;
  /** The title of the goods. */
  title: string;
  skus: readonly SkuChoice[];
  /** The key of the chosen specification. */
  picked: string | undefined;
  onPick: (key: string) => void;
  /** The quantity, which is always one. */
  quantity: number;
  quantityNote?: string;
  /** More fields to fill in. */
  children?: ReactNode;
  text: string;
  onSubmit: () => unknown;
}

/** The sheet to choose a specification. Picture, price and stock are those of the chosen one. */
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
  const name = useId();
  const sku = skus.find(({ key }) => key === picked) ?? skus[0];
  const soldOut = !sku || sku.stock <= 0;
  return (
    <Popup open={open} onClose={onClose} title="选择规格">
      <form className="mq-sku" noValidate onSubmit={(event) => event.preventDefault()}>
        {sku && (
          <div className="mq-sku__head">
            <Picture src={sku.img} alt="" ratio="1" width={88} eager />
            <div>
              <p className="mq-sku__title">{title}</p>
              <Price amount={sku.price} />
              <p className="mq-sku__stock">
                {soldOut ? '已售罄' : isScarce(sku) ? `仅剩 ${sku.stock} 件` : `库存 ${sku.stock} 件`}
              </p>
            </div>
          </div>
        )}
        <fieldset className="mq-sku__group">
          <legend>规格</legend>
          <div className="mq-sku__chips">
            {skus.map((one) => (
              <label key={one.key} className={cx('mq-sku__chip', one.stock <= 0 && 'mq-sku__chip--out')}>
                <input
                  type="radio"
                  name={name}
                  className="mq-hidden"
                  checked={one.key === sku?.key}
                  disabled={one.stock <= 0}
                  onChange={() => onPick(one.key)}
                />
                <span>{one.name}</span>
                {one.stock <= 0 ? <small>售罄</small> : <Price amount={one.price} size="small" look="plain" />}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="mq-sku__line">
          <span>数量</span>
          <span>
            <output aria-label="数量">{quantity} 件</output>
            {quantityNote && <small>（{quantityNote}）</small>}
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

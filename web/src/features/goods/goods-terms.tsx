import type { Goods } from '../../wire/generated/Goods';
import type { SKU } from '../../wire/generated/SKU';
import { needsAccount } from './goods';
import { SkuChips } from './sku-chips';

/**
 * The text that says for how many days after the purchase the specifications are valid; empty if the shop has not sent
 * this.
 */
export function validityText(skus: readonly Pick<SKU, 'sku' | 'days'>[]): string {
  const stated = skus.filter(({ days }) => days > 0);
  const [first] = stated;
  if (!first) return '';
  if (stated.length === skus.length && stated.every(({ days }) => days === first.days)) {
    return `购买后 ${first.days} 天内有效`;
  }
  return `自购买之日起：${stated.map(({ sku, days }) => `${sku}\u00a0${days}\u00a0天`).join('，')}`;
}

interface GoodsTermsProps {
  goods: Pick<Goods, 'type'>;
  skus: readonly SKU[];
  /** The id of the chosen specification. */
  picked: string | undefined;
  onPick: (id: string) => void;
}

/**
 * The choice of a specification with prices, and the terms of the sale. They do not include the terms of returns, which
 * the operator of the shop writes into the description of the goods.
 */
export function GoodsTerms({ goods, skus, picked, onPick }: GoodsTermsProps) {
  const validity = validityText(skus);
  return (
    <section className="mq-column mq-card mq-gap-12 mq-text-14" aria-label="购买说明">
      <SkuChips skus={skus} picked={picked} onPick={onPick} />
      <dl className="mq-terms mq-line-above mq-pt-12">
        <dt>发放</dt>
        <dd className="mq-whole">
          {needsAccount(goods) ? '付款后充值到您填写的账号' : '付款后立即发放卡密，在订单详情中查看'}
        </dd>
        {validity && (
          <>
            <dt>有效期</dt>
            <dd className="mq-whole">{validity}</dd>
          </>
        )}
        <dt>限购</dt>
        <dd className="mq-whole">每单限购 1 件</dd>
        <dt>支付</dt>
        <dd className="mq-whole">福利卡点数、微信支付，可组合</dd>
      </dl>
    </section>
  );
}

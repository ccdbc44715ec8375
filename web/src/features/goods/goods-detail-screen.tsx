import '../../ui/looks.css';
import './goods.css';
import './goods-detail.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import { useResume } from '../../session/use-resume';
import { useShareCard } from '../../session/use-share-card';
import { memberQuery } from '../../shop/get-member';
import { paths } from '../../shop/paths';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Field } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Picture } from '../../ui/picture';
import { Price } from '../../ui/price';
import { RichText } from '../../ui/rich-text';
import { share } from '../../ui/share';
import { Bone, Skeleton } from '../../ui/skeleton';
import { SubmitBar } from '../../ui/submit-bar';
import { Tag } from '../../ui/tag';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import { config } from '../../wire/config';
import { askLogin } from '../../wire/events';
import type { GoodsDetail } from '../../wire/generated/GoodsDetail';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import { session, useAccess, useToken } from '../../wire/session';
import { isSoldOut, needsAccount } from './goods';
import { DeliveryTag } from './goods-row';
import { GoodsTerms } from './goods-terms';
import { OtherGoods } from './other-goods';
import { PaySheet } from './pay-sheet';
import { accountField, checkAccount, formatOf, readAccount } from './recharge-account';
import { shownGoodsQuery } from './show-goods';
import { SkuSheet } from './sku-sheet';
import { useIntent } from './use-intent';

/** What the customer enters before the payment: the specification and the account to recharge. */
const Begun = v.object({ ggid: v.string(), account: v.string() });

/** The detail page of one product: description, price, and the sheets for buying it. */
export default function GoodsDetailScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const goods = useQuery({ ...shownGoodsQuery(id), enabled: id !== '' });
  const gone = id === '' || codeOf(goods.error) === 'goods_not_found';

  return (
    <>
      <NavBar title="商品详情" onBack={back} />
      {gone ? (
        <Empty text="商品不存在或已下架">
          <Button kind="primary" onClick={() => navigate(paths.members(), { replace: true })}>
            看看其他商品
          </Button>
        </Empty>
      ) : goods.data ? (
        <Detail key={id} {...goods.data} />
      ) : goods.isError ? (
        <ErrorState message={customerMessage(goods.error)} onRetry={() => goods.refetch()} />
      ) : (
        <PageSkeleton head={<Bone height={190} radius={12} />} cards={[3, 4]} bar />
      )}
    </>
  );
}

function Detail({ show, list }: GoodsDetail) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [stored, setIntent] = useIntent(show.id);
  const [resumed, leave] = useResume(`buy ${show.id}`);
  // If a login has interrupted the purchase, it continues with what was entered before the login, until the customer
  // changes that.
  const [begun, rememberBegun] = useLoginReturn(`goods ${show.id}`, Begun);
  const intent = begun && stored.ggid === '' && stored.account === '' ? { ...stored, ...begun } : stored;
  const [sheet, setSheet] = useState<'sku' | 'pay' | undefined>(resumed ? 'pay' : begun && 'sku');
  const [accountError, setAccountError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  const available = list.filter((sku) => !isSoldOut(sku));
  const soldOut = available.length === 0;
  // The customer's own unpaid order may have reserved the last piece. The goods are then sold out, but the order can
  // still be paid.
  const ordered = intent.oid ? list.find((one) => one.id === intent.ggid) : undefined;
  const sku = ordered ?? available.find((one) => one.id === intent.ggid) ?? available[0] ?? list[0];
  useShareCard({
    title: show.title,
    text: `¥${show.price} 起｜${show.product}`,
    path: paths.goods(show.id),
    picture: show.img,
  });
  const format = formatOf(show.account);
  const service = show.zxkf || config.links.service;
  const ownPhone = useOwnPhone(needsAccount(show) && format === 'phone');
  const [edited, setEdited] = useState(false);
  const typed = intent.account === '' && !edited ? ownPhone : intent.account;
  const account = needsAccount(show) ? readAccount(format, intent.account) : '';

  /**
   * Changes the specification or the account. The purchase is then a different one and gets a new idempotency key. An
   * empty change starts a new purchase of the same goods.
   */
  function changePurchase(change: { ggid?: string; account?: string }) {
    rememberBegun({ ggid: intent.ggid, account: intent.account, ...change });
    setIntent({ ...intent, ...change, key: newIdempotencyKey(), oid: '' });
  }

  /** Chooses a specification on the page, before a purchase has started. */
  function choose(ggid: string) {
    setIntent({ ...intent, ggid, key: newIdempotencyKey(), oid: '' });
  }

  function buy() {
    rememberBegun({ ggid: intent.ggid, account: intent.account });
    if (session.token() === '') return askLogin();
    setSheet('sku');
  }

  function toPayment() {
    const problem = needsAccount(show) ? checkAccount(format, typed) : undefined;
    setAccountError(problem);
    if (problem) return field.current?.focus();
    const read = needsAccount(show) ? readAccount(format, typed) : '';
    if (sku && (sku.id !== intent.ggid || read !== intent.account)) changePurchase({ ggid: sku.id, account: read });
    setSheet('pay');
  }

  function handleRejection(code: string | undefined, message: string | undefined): boolean {
    switch (code) {
      case 'sold_out':
      case 'goods_not_found':
        toast(message);
        setSheet(undefined);
        changePurchase({});
        void queries.invalidateQueries({ queryKey: ['goods'] });
        return true;
      case 'recharge_account_required':
      case 'recharge_account_invalid':
        setAccountError(message);
        setSheet('sku');
        return true;
      case 'order_expired':
      case 'order_not_found':
        // The order has ended, so buying the same goods is a new purchase.
        toast(code === 'order_expired' ? '订单过期' : '订单已失效');
        changePurchase({});
        return true;
      case 'idempotency_key_reused':
        changePurchase({});
        return false;
      default:
        return false;
    }
  }

  const img = sku?.img || show.img;
  return (
    <div className="mq-column mq-gap-12 mq-page">
      {img && (
        <div className="goods__img mq-stage mq-center mq-relative mq-sheet mq-clip">
          {!soldOut && <Picture src={img} alt="" eager className="mq-backdrop" />}
          <Picture
            className={soldOut ? 'goods-out' : undefined}
            src={img}
            alt={show.title}
            ratio="1"
            width={148}
            eager
          />
          {soldOut && <strong className="goods-stamp mq-pill mq-white mq-text-18 mq-strong">已售罄</strong>}
        </div>
      )}
      <section className="mq-card mq-grid mq-gap-6" aria-label="商品信息">
        <p className="mq-line mq-gap-6 mq-rows-0 mq-second">
          <Price amount={soldOut || !sku ? show.price : sku.price} size="large" look={soldOut ? 'plain' : 'strong'} />
          {soldOut && list.length > 1 && <small>起</small>}
          <DeliveryTag goods={show} />
          {soldOut && !img && <Tag>已售罄</Tag>}
        </p>
        <h2 className="mq-text-20">{show.title}</h2>
        <p className="mq-second">{show.product}</p>
      </section>
      <GoodsTerms goods={show} skus={list} picked={soldOut ? undefined : sku?.id} onPick={choose} />
      <Content html={show.content} id={show.id} />
      <OtherGoods shown={[show]} />
      <SubmitBar
        total={
          <span className="goods__acts mq-flex mq-gap-8 mq-rows-0">
            {service && (
              <a
                href={service}
                rel="noopener"
                className="goods__act mq-stack mq-align-center mq-middle mq-touch mq-gap-2 mq-second"
              >
                <Icon name="service" />
                联系客服
              </a>
            )}
            <button
              type="button"
              className="goods__act mq-stack mq-align-center mq-middle mq-touch mq-gap-2 mq-second"
              onClick={() => share(show.title)}
            >
              <Icon name="share" />
              分享
            </button>
          </span>
        }
        text={soldOut ? '看看其他商品' : '立即购买'}
        onSubmit={soldOut ? () => navigate(paths.members()) : buy}
      />
      <SkuSheet
        open={sheet === 'sku'}
        onClose={() => setSheet(undefined)}
        title={show.title}
        skus={list}
        picked={sku?.id}
        onPick={(ggid) => changePurchase({ ggid })}
        quantity={1}
        quantityNote="每单限购 1 件"
        text="去支付"
        onSubmit={toPayment}
      >
        {needsAccount(show) && (
          <Field
            ref={field}
            label="充值账号"
            {...accountField(format)}
            className="goods__account mq-sunken"
            clearable
            value={typed}
            error={accountError}
            onBlur={() => account !== intent.account && changePurchase({ account })}
            onChange={(next) => {
              setAccountError(undefined);
              setEdited(true);
              changePurchase({ account: next });
            }}
          />
        )}
      </SkuSheet>
      {sku && (
        <PaySheet
          open={sheet === 'pay'}
          onClose={() => setSheet(undefined)}
          goods={
            intent.oid
              ? { kind: 'order', oid: intent.oid, ggid: sku.id }
              : { kind: 'new', ggid: sku.id, account, key: intent.key }
          }
          due={sku.price}
          summary={{ img: sku.img, title: show.title, spec: sku.sku, account }}
          onOrder={(oid) => setIntent({ ...intent, oid })}
          onRejected={handleRejection}
          // The next purchase starts with the customer's own number again instead of the account of the last one.
          onEnd={() => changePurchase({ account: '' })}
          onLeave={leave}
        />
      )}
    </div>
  );
}

/**
 * The customer's phone number, as the suggested account to recharge; empty if it is not known, not `wanted`, or hidden
 * because the session has limited access.
 */
function useOwnPhone(wanted: boolean): string {
  const token = useToken();
  const full = useAccess() === '';
  const member = useQuery({ ...memberQuery, enabled: wanted && full && token !== '' });
  return wanted && full && token !== '' ? (member.data?.all_phone ?? '') : '';
}

/** The description from the back office, sanitized. */
function Content({ html, id }: { html: string; id: string }) {
  const clean = useQuery({
    queryKey: ['goods-content', id, html],
    queryFn: () => sanitizeHtml(html, 3),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (html.trim() === '' || clean.isError) return null;
  return (
    <section className="mq-column mq-card mq-gap-8" aria-labelledby="content">
      <h2 id="content">图文介绍</h2>
      {clean.data === undefined ? (
        <Skeleton rows={5} />
      ) : (
        // `clean.data` is sanitized.
        <RichText className="rich mq-second" html={clean.data} />
      )}
    </section>
  );
}

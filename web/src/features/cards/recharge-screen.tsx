import './recharge.css';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { appChannel, payButtonText } from '../../pay/app-channel';
import { OpenInApp } from '../../pay/open-in-app';
import { PaymentRemark } from '../../pay/remark';
import { useIdentity } from '../../session/use-identity';
import { isFrozen } from '../../shop/card';
import { CardFace } from '../../shop/card-face';
import { paths } from '../../shop/paths';
import { hundredths, yuan } from '../../shop/price';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Price } from '../../ui/price';
import { SubmitBar } from '../../ui/submit-bar';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import type { Card } from '../../wire/generated/Card';
import type { RechargePackage } from '../../wire/generated/RechargePackage';
import { rechargeOfferQuery } from './recharge-card';
import { type RechargeIntent, useRechargeIntent } from './recharge-intent';
import { pointsInput, pointsRange, readPoints, shortPoints } from './recharge-points';
import { type RechargeRequest, useRecharge } from './use-recharge';

/** The page to recharge a card with a package or an amount of the customer's choice. */
export default function RechargeScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query] = useSearchParams();
  const cardId = query.get('cardId') ?? '';
  const offer = useQuery(rechargeOfferQuery(cardId));
  const missing = cardId === '' || codeOf(offer.error) === 'card_not_found' || codeOf(offer.error) === 'invalid_input';

  return (
    <>
      <NavBar title="福利卡充值" onBack={back} />
      {missing ? (
        <Empty text="未找到这张卡">
          <Button kind="primary" onClick={() => navigate(paths.cards(), { replace: true })}>
            查看我的福利卡
          </Button>
        </Empty>
      ) : offer.data ? (
        <Offer card={offer.data.card} packages={offer.data.taocan} />
      ) : offer.isError ? (
        <ErrorState message={customerMessage(offer.error) ?? '请先登录'} onRetry={() => offer.refetch()} />
      ) : (
        <PageSkeleton cards={[2, 9]} bar />
      )}
    </>
  );
}

/** The recharge to pay for, or undefined while no valid amount is chosen. */
function requestOf(intent: RechargeIntent, packages: readonly RechargePackage[]): RechargeRequest | undefined {
  const chosen = packages.find(({ id }) => id === intent.taocan);
  if (chosen) return { num: chosen.num, price: chosen.price, taocan: chosen.id };
  const points = readPoints(intent.typed);
  return points === undefined ? undefined : { num: points, price: points };
}

function Offer({ card, packages }: { card: Card; packages: readonly RechargePackage[] }) {
  const navigate = useNavigate();
  const [intent, setIntent] = useRechargeIntent(card.id);
  const request = requestOf(intent, packages);
  const [resumed, setResumed] = useState(false);
  const payment = useRecharge(card.id, request, { resumed, done: leave });
  const frozen = isFrozen(card);
  const [inAppOpen, setInAppOpen] = useState(false);
  const [own, setOwn] = useState(intent.typed !== '' || packages.length === 0);

  function leave() {
    setIntent({ taocan: '', typed: '' });
    const index: unknown = window.history.state?.idx;
    if (typeof index === 'number' && index > 0) navigate(-1);
    else navigate(paths.card({ cardid: card.id }), { replace: true });
  }

  /** Why the recharge cannot be paid, as text. */
  function obstacle(): string | undefined {
    if (frozen) return '所选卡不可用';
    if (request) return undefined;
    return intent.typed === '' ? '请选择充值点数' : limits;
  }

  function submit() {
    const text = obstacle();
    if (text) return toast(text);
    return appChannel() === 'none' ? setInAppOpen(true) : payment.pay();
  }

  // After OAuth the payment that the customer had begun continues automatically.
  const identifying = useIdentity(
    () => {
      const text = obstacle();
      if (text) toast(text);
      else setResumed(true);
    },
    (failure) => toast(customerMessage(failure)),
  );

  return (
    <>
      <div className="mq-column package mq-gap-16">
        <CardLine card={card} />
        <PaymentRemark {...payment.lastAttempt} />
        <fieldset className="package__form mq-column mq-shrink mq-gap-16" disabled={payment.busy} aria-label="充值内容">
          {packages.length > 0 && (
            <section aria-labelledby="packages">
              <h2 id="packages">充值套餐</h2>
              <div className="package__list mq-grid mq-gap-10">
                <div role="radiogroup" aria-labelledby="packages">
                  {packages.map((one) => (
                    <PackageChoice
                      key={one.id}
                      offer={one}
                      checked={intent.taocan === one.id}
                      onChoose={() => {
                        setOwn(false);
                        setIntent({ taocan: one.id, typed: '' });
                      }}
                    />
                  ))}
                </div>
                <button
                  type="button"
                  className="package__text"
                  aria-pressed={own}
                  onClick={() => {
                    setOwn(true);
                    setIntent({ taocan: '', typed: intent.typed });
                  }}
                >
                  <strong className="package__own mq-text-20 mq-strong">自定义</strong>
                  {intent.typed !== '' && request ? (
                    <>
                      <b className="mq-brand mq-medium mq-block">¥{request.price}</b>
                      <small className="mq-small">{shortPoints(request.num)} 点</small>
                    </>
                  ) : (
                    <>
                      <span className="mq-medium">{pointsRange} 点</span>
                      <small className="mq-small">1.00元/点</small>
                    </>
                  )}
                </button>
              </div>
            </section>
          )}
          {own && (
            <OwnPoints
              focused={packages.length > 0 && intent.typed === ''}
              typed={intent.typed}
              onType={(typed) => setIntent({ taocan: '', typed })}
            />
          )}
        </fieldset>
        <p className="mq-small">{own && '自定义点数按一点一元计；'}支付成功后点数即时到账，自充值之日起三年内有效。</p>
      </div>
      <SubmitBar
        total={<Price amount={request?.price ?? '0.00'} />}
        note={
          request ? (
            <>
              <span>到账 {shortPoints(request.num)} 点</span> · <span>微信支付</span>
            </>
          ) : (
            '请选择充值点数'
          )
        }
        text={payButtonText(appChannel() === 'none')}
        loading={identifying || payment.busy}
        onSubmit={submit}
      />
      <OpenInApp open={inAppOpen} onClose={() => setInAppOpen(false)} ordered={false} />
    </>
  );
}

function CardLine({ card }: { card: Card }) {
  return (
    <div className="package__card mq-row mq-gap-12 mq-px-16 mq-py-12 mq-box">
      <CardFace size="mini" face={card.pid} title={card.name} />
      <span className="mq-grid mq-medium">
        {card.name}
        <small className="mq-small mq-regular">尾号{card.num.slice(-4)}</small>
      </span>
      <span className="package__balance mq-grid mq-medium">
        <small className="mq-small mq-regular">当前余额</small>
        <Price amount={card.price} unit="points" size="small" />
      </span>
    </div>
  );
}

function PackageChoice({
  offer,
  checked,
  onChoose,
}: {
  offer: RechargePackage;
  checked: boolean;
  onChoose: () => void;
}) {
  const name = useId();
  // One point is worth one yuan.
  const saved = hundredths(offer.num) - hundredths(offer.price);
  return (
    <label className="package__choice mq-grid mq-relative">
      <input
        type="radio"
        name="package"
        className="mq-hidden"
        checked={checked}
        onChange={onChoose}
        aria-labelledby={name}
      />
      <span id={name} className="package__text">
        <strong className="mq-text-20 mq-strong">
          {shortPoints(offer.num)}
          <small className="mq-small mq-regular"> 点</small>
        </strong>
        <span className="mq-medium">¥{shortPoints(offer.price)}</span>
        <small className="mq-small">
          {offer.danjia}{' '}
          {saved > 0 && <b className="package__flag mq-brand mq-medium mq-block">省 ¥{shortPoints(yuan(saved))}</b>}
        </small>
      </span>
    </label>
  );
}

const limits = `充值点数须为${pointsRange}，最多两位小数`;

interface OwnPointsProps {
  /** Whether the field takes the focus when it appears. */
  focused: boolean;
  typed: string;
  onType: (typed: string) => void;
}

function OwnPoints({ focused, typed, onType }: OwnPointsProps) {
  const wrong = typed !== '' && readPoints(typed) === undefined;
  return (
    <section aria-labelledby="own-points">
      <h2 id="own-points">自定义点数</h2>
      <div className="mq-cells">
        <Field
          autoFocus={focused}
          label="充值点数"
          placeholder={`${pointsRange}，最多两位小数`}
          inputMode="decimal"
          clearable
          value={typed}
          onChange={(next) => onType(pointsInput(typed, next))}
          error={wrong ? limits : undefined}
        />
      </div>
    </section>
  );
}

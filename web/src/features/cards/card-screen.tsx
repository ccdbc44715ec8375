import './cards.css';
import './card.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { isFrozen, isUsable, scopeText, typeName } from '../../shop/card';
import { cardsChanged } from '../../shop/invalidate';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { isZero } from '../../shop/price';
import { ServiceLink } from '../../shop/service-link';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Cell, CellGroup } from '../../ui/cell';
import { confirm } from '../../ui/dialog';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Popup } from '../../ui/popup';
import { Bone, Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import type { Card } from '../../wire/generated/Card';
import { CardCode } from './card-code';
import { cardFromAddress, ownPicture } from './card-preview';
import { deleteCard } from './delete-card';
import { cardQuery } from './show-card';
import { WelfareCard } from './welfare-card';

/** The page of a card: its face, its code and links to its records and actions. */
export default function CardScreen() {
  const back = useBack();
  const [query] = useSearchParams();
  const cardid = query.get('cardid') ?? '';
  const shown = useQuery(cardQuery(cardid));
  const card = shown.data ?? cardFromAddress(query);
  const missing = cardid === '' || codeOf(shown.error) === 'card_not_found' || codeOf(shown.error) === 'invalid_input';

  return (
    <>
      <NavBar
        title={missing ? '福利卡' : titleOf(card, query.get('cardName'), Number(query.get('id')))}
        onBack={back}
        right={
          shown.data && !missing && <CardMenu card={shown.data} onGone={back} onRejected={() => shown.refetch()} />
        }
      />
      {missing ? (
        <NoSuchCard />
      ) : shown.isError && !shown.data ? (
        <ErrorState message={customerMessage(shown.error) ?? '请先登录'} onRetry={() => shown.refetch()} />
      ) : card ? (
        <div className="mq-column mq-gap-12 mq-page">
          <WelfareCard
            card={card}
            picture={ownPicture(query.get('backImg'))}
            action={shown.data && isUsable(shown.data) && <RechargeButton card={shown.data} look="face" />}
          />
          {!shown.data ? (
            <Skeleton>
              <Bone height={344} radius={12} />
            </Skeleton>
          ) : isUsable(shown.data) ? (
            <CardCode code={shown.data.code} since={shown.dataUpdatedAt} onRefresh={() => shown.refetch()} />
          ) : null}
          {shown.data && <Actions card={shown.data} />}
        </div>
      ) : (
        <PageSkeleton head={<Bone height={168} radius={14} />} cards={[11, 3]} />
      )}
    </>
  );
}

/**
 * The title: the name of the card or, while the card is not known yet, the name in the address (`named`). If that name
 * is missing or longer than 20 characters, the title is the name of the card type in the address (`pid`).
 */
function titleOf(card: Card | undefined, named: string | null, pid: number): string {
  if (card) return card.name;
  return named && named.length <= 20 ? named : typeName(pid);
}

function NoSuchCard() {
  const navigate = useNavigate();
  return (
    <Empty text="未找到这张卡">
      <Button kind="primary" onClick={() => navigate(paths.cards(), { replace: true })}>
        我的福利卡
      </Button>
    </Empty>
  );
}

interface CardMenuProps {
  card: Card;
  onGone: () => void;
  onRejected: () => unknown;
}

/** The menu with the actions of a card that are seldom needed. */
function CardMenu({ card, onGone, onRejected }: CardMenuProps) {
  const [open, setOpen] = useState(false);
  const here = useIsOnPage();
  const queries = useQueryClient();

  async function remove() {
    setOpen(false);
    if (!isZero(card.price)) return toast('卡内有余额，无法删除');
    const yes = await confirm({
      title: '确定删除这张卡？',
      message: '删除后将不再显示在「我的福利卡」中。',
      confirmText: '删除',
      destructive: true,
    });
    if (!yes) return;
    try {
      if (!(await deleteCard(card.id))) throw new Error('the card was not deleted');
    } catch (failure) {
      toast(customerMessage(failure));
      onRejected();
      return;
    }
    toast.ok('删除成功');
    void cardsChanged(queries);
    if (here()) onGone();
  }

  return (
    <>
      <Button
        kind="text"
        size="small"
        icon="more"
        aria-label="更多操作"
        className="card-menu"
        onClick={() => setOpen(true)}
      />
      <Popup open={open} onClose={() => setOpen(false)} title="更多操作">
        <Button kind="plain" size="large" block onClick={remove}>
          删除卡片
        </Button>
      </Popup>
    </>
  );
}

/** The button to recharge a card: on the face of a usable card, or large below the face of an unusable one. */
function RechargeButton({ card, look }: { card: Card; look: 'face' | 'large' }) {
  const navigate = useNavigate();
  const recharge = () => navigate(paths.recharge(card.id));
  return look === 'face' ? (
    <button type="button" className="card-recharge mq-tap mq-pill mq-text-13 mq-strong" onClick={recharge}>
      充值
    </button>
  ) : (
    <Button kind="primary" size="large" block onClick={recharge}>
      充值
    </Button>
  );
}

function Actions({ card }: { card: Card }) {
  const navigate = useNavigate();
  return (
    <>
      {isFrozen(card) ? (
        <div className="mq-grid mq-gap-10">
          <p className="mq-note">此卡已冻结，暂不能使用和充值，请联系客服。</p>
          <ServiceLink />
        </div>
      ) : (
        !isUsable(card) && (
          <div className="mq-grid mq-gap-10">
            <RechargeButton card={card} look="large" />
            <p className="mq-note">充值后此卡恢复可用，充入的点数自充值之日起三年内有效。</p>
          </div>
        )
      )}
      <CellGroup>
        {scopeText(card) && <Cell icon="info" title="适用范围" label={scopeText(card)} />}
        <Cell icon="document" title="消费记录" onClick={() => navigate(paths.consumptionRecords(card.id))} />
        <Cell icon="wallet-plus" title="充值记录" onClick={() => navigate(paths.rechargeRecords(card.id))} />
      </CellGroup>
    </>
  );
}

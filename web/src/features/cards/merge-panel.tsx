import '../../ui/looks.css';
import './merge.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import { CardFace } from '../../shop/card-face';
import { cardsQuery } from '../../shop/card-list';
import { cardsChanged } from '../../shop/invalidate';
import { directBinding, paths } from '../../shop/paths';
import { hundredths, yuan } from '../../shop/price';
import { shanghaiDate } from '../../shop/time';
import { Button } from '../../ui/button';
import { confirm } from '../../ui/dialog';
import { Empty, ErrorState } from '../../ui/empty';
import { Icon } from '../../ui/icon';
import { Price } from '../../ui/price';
import { Bone, ListSkeleton } from '../../ui/skeleton';
import { SubmitBar } from '../../ui/submit-bar';
import { Tag } from '../../ui/tag';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import type { Card } from '../../wire/generated/Card';
import { checkMerge, keptCard, mergeCards, validateMerge } from './merge-cards';
import { MergePreview } from './merge-preview';

/** The tab to merge cards: cards of one type are merged into the one with the highest balance. */
export function MergePanel() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const cards = useQuery(cardsQuery(1));
  const [before, remember] = useLoginReturn('merge', v.array(v.string()));
  const [ids, setIds] = useState<readonly string[]>(before ?? []);
  const [busy, setBusy] = useState(false);
  // A refreshed list may no longer contain a selected card.
  const picked = cards.data?.filter((card) => ids.includes(card.id)) ?? [];

  function toggle(card: Card) {
    if (ids.includes(card.id)) return pick(ids.filter((id) => id !== card.id));
    if (picked.some(({ pid }) => pid !== card.pid)) return toast('只可合并同一类型的卡');
    pick([...picked.map(({ id }) => id), card.id]);
  }

  function pick(next: string[]) {
    setIds(next);
    remember(next);
  }

  async function merge() {
    const problem = validateMerge(picked);
    const pid = picked[0]?.pid;
    if (problem || pid === undefined) return toast(problem);
    const chosen = picked.map(({ id }) => id);
    setBusy(true);
    try {
      const check = await checkMerge(chosen, pid);
      // The button is not busy while the dialog is open.
      setBusy(false);
      const yes = await confirm({
        title: '确认合并福利卡',
        message: <MergePreview check={check} cards={picked} />,
        confirmText: '确认合并',
      });
      if (!yes) return;
      setBusy(true);
      await mergeCards(chosen, pid, check.code);
      toast.ok('合并成功');
      pick([]);
    } catch (failure) {
      toast(customerMessage(failure));
    } finally {
      setBusy(false);
    }
    await cardsChanged(queries);
  }

  if (cards.isPending) return <ListSkeleton height={68} look="box" head={<Bone height={88} />} />;
  if (!cards.data)
    return <ErrorState message={customerMessage(cards.error) ?? '请先登录'} onRetry={() => cards.refetch()} />;
  const groups = mergeable(cards.data);
  if (groups.length === 0) {
    return (
      <Empty text="暂无可合并卡">
        <p>至少有两张同一类型的卡才能合并</p>
        <Button onClick={() => navigate(paths.bindCard(), { state: directBinding })}>绑定福利卡</Button>
      </Empty>
    );
  }

  // One card cannot be merged.
  const kept = picked.length > 1 ? keptCard(picked) : undefined;
  const sum = picked.reduce((total, card) => total + hundredths(card.price), 0);
  return (
    <>
      <div className="mq-column merge mq-gap-12">
        <p className="mq-note">选择至少两张同一类型的卡，点数将转入其中余额最多的一张；转入的点数仍按原有效期使用。</p>
        {groups.map(({ pid, name, list }) => (
          <section key={pid}>
            <h2 className="mq-row mq-gap-8 mq-text-14">
              {name}
              <small className="mq-small mq-regular">{list.length} 张</small>
              <Button
                kind="text"
                size="small"
                aria-label={`全选${name}`}
                onClick={() => pick(list.map(({ id }) => id))}
              >
                全选
              </Button>
            </h2>
            <ul className="mq-cells mq-divided">
              {list.map((card) => (
                <li key={card.id}>
                  <Pick
                    card={card}
                    checked={ids.includes(card.id)}
                    kept={card.id === kept?.id}
                    onToggle={() => toggle(card)}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <SubmitBar
        total={<Price amount={yuan(sum)} unit="points" />}
        note={
          <>
            <span>已选 {picked.length} 张</span> {kept && <span>并入尾号{kept.num.slice(-4)}</span>}
          </>
        }
        text="合并"
        loading={busy}
        onSubmit={() => void merge()}
      />
    </>
  );
}

interface PickProps {
  card: Card;
  checked: boolean;
  /** Whether the chosen cards are merged into this one. */
  kept: boolean;
  onToggle: () => void;
}

function Pick({ card, checked, kept, onToggle }: PickProps) {
  const tail = card.num.slice(-4);
  const end = shanghaiDate(card.end_time);
  return (
    <label className="merge__pick mq-row mq-relative mq-gap-12 mq-px-16 mq-py-12">
      <CardFace size="mini" face={card.pid} title={card.name} />
      <span className="mq-grid mq-fill">
        <span>
          <span>尾号{tail}</span> {kept && <Tag tone="gold">保留</Tag>}
        </span>
        {end && (
          <small className="mq-small">
            有效期至 <span className="mq-nowrap">{end}</span>
          </small>
        )}
      </span>
      <Price amount={card.price} unit="points" size="small" />
      <input
        type="checkbox"
        className="mq-hidden"
        checked={checked}
        onChange={onToggle}
        aria-label={`${card.name} 尾号${tail}，余额${card.price}点${kept ? '，保留' : ''}`}
      />
      <span className="mq-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
    </label>
  );
}

/** Groups cards by type. Types with a single card are left out. */
function mergeable(cards: readonly Card[]): { pid: number; name: string; list: Card[] }[] {
  const types = new Map(cards.map(({ pid, name }) => [pid, name]));
  return [...types]
    .map(([pid, name]) => ({ pid, name, list: cards.filter((card) => card.pid === pid) }))
    .filter(({ list }) => list.length > 1);
}

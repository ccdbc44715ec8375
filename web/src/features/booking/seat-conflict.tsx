import { yuan } from '../../shop/price';
import { unbroken } from '../../shop/ticket-order';
import { Button } from '../../ui/button';
import { Popup } from '../../ui/popup';
import { center, cheapest, distance, freeBlocks, seatIds } from './best-seats';
import { type Hall, type HallSeat, seatsOf } from './hall';
import { partitionPicks, type Rules, total } from './selection';

/** Selected seats that another customer has since bought or locked, and what can be selected instead. */
export interface SeatConflict {
  /** The ids of the selected seats that are still available. */
  kept: readonly string[];
  /** The selected seats that are no longer available. */
  lost: readonly HallSeat[];
  /** The ids of an equal number of seats, as near to the selected ones as possible; empty if there are not enough. */
  offer: readonly string[];
}

/** Finds the selected seats that are no longer available and a replacement; undefined if all are available. */
export function findConflict(hall: Hall, picked: readonly string[], rules: Rules): SeatConflict | undefined {
  const { kept, lost } = partitionPicks(hall, picked);
  if (lost.length === 0) return undefined;
  return { kept, lost: seatsOf(hall, lost), offer: findReplacement(hall, picked, kept, rules) };
}

function findReplacement(hall: Hall, picked: readonly string[], kept: readonly string[], rules: Rules): string[] {
  const before = seatsOf(hall, picked);
  if (before.length === 0) return [];
  const middle = center(before);
  const area = before[0]!.area;
  const candidates = (size: number) =>
    freeBlocks(hall, size, rules.oneArea)
      .filter((block) => !rules.oneArea || block.seats[0]!.area === area)
      .map((block) => ({ block, cost: distance(center(block.seats), middle) + block.orphans }));

  // First choice: one block for all people that contains the seats that are still available.
  const around = candidates(picked.length).filter(({ block }) =>
    kept.every((id) => block.seats.some((seat) => seat.id === id)),
  );
  const oneBlock = cheapest(around, ({ cost }) => cost);
  if (oneBlock) return seatIds(oneBlock.block);

  // Second choice: the seats that are still available, and for the other people the block that is nearest.
  const free = candidates(picked.length - kept.length).filter(
    ({ block }) => !block.seats.some((seat) => kept.includes(seat.id)),
  );
  const second = cheapest(free, ({ cost }) => cost);
  return second ? [...kept, ...seatIds(second.block)] : [];
}

interface SeatConflictPopupProps {
  hall: Hall;
  conflict: SeatConflict | undefined;
  onChoose: (ids: readonly string[]) => void;
}

/**
 * Lists the seats that are no longer available, and offers the replacement or the remaining seats. If the popup is
 * closed, the remaining seats stay selected.
 */
export function SeatConflictPopup({ hall, conflict, onChoose }: SeatConflictPopupProps) {
  const kept = seatsOf(hall, conflict?.kept ?? []);
  const offer = seatsOf(hall, conflict?.offer ?? []);
  const added = offer.filter((seat) => !kept.includes(seat));
  const names = (seats: readonly { name: string }[]) => seats.map((seat) => unbroken(seat.name)).join('、');
  return (
    <Popup
      className="rescue"
      open={conflict !== undefined}
      onClose={() => onChoose(conflict?.kept ?? [])}
      title="座位刚被选走"
    >
      {conflict && (
        <div className="mq-column mq-gap-12 mq-whole">
          <p>
            <strong>{names(conflict.lost)}</strong> 已被其他人选走
            {kept.length > 0 && `，${names(kept)}仍可购买，请尽快锁定`}。
          </p>
          {offer.length > 0 && (
            <Button kind="primary" size="large" block onClick={() => onChoose(conflict.offer)}>
              {kept.length > 0 ? '加选' : '换成'} {names(added)}（共{offer.length}座 ¥
              {yuan(total(hall, conflict.offer))}）
            </Button>
          )}
          <Button size="large" block onClick={() => onChoose(conflict.kept)}>
            {kept.length > 0 ? `只要 ${names(kept)}（¥${yuan(total(hall, conflict.kept))}）` : '重新选座'}
          </Button>
        </div>
      )}
    </Popup>
  );
}

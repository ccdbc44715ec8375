import { yuan } from '../../shop/price';
import { unbroken } from '../../shop/ticket-order';
import { Button } from '../../ui/button';
import { Popup } from '../../ui/popup';
import { type Hall, seatsOf } from './hall';
import type { Rescue } from './rescue';
import { total } from './selection';

interface RescuePopupProps {
  hall: Hall;
  rescue: Rescue | undefined;
  onChoose: (ids: readonly string[]) => void;
}

/** Somebody was quicker: says which seats are gone, keeps the others and offers the nearest instead. */
export function RescuePopup({ hall, rescue, onChoose }: RescuePopupProps) {
  const kept = seatsOf(hall, rescue?.kept ?? []);
  const offer = seatsOf(hall, rescue?.offer ?? []);
  const names = (seats: readonly { name: string }[]) => seats.map((seat) => unbroken(seat.name)).join('、');
  return (
    <Popup open={rescue !== undefined} onClose={() => onChoose(rescue?.kept ?? [])} title="座位刚被选走">
      {rescue && (
        <div className="rescue">
          <p>
            <strong>{names(rescue.lost)}</strong> 已被其他人选走
            {kept.length > 0 && `，已为您保留${names(kept)}`}。
          </p>
          {offer.length > 0 && (
            <Button kind="primary" size="large" block onClick={() => onChoose(rescue.offer)}>
              换成 {names(offer)}（¥{yuan(total(hall, rescue.offer))}）
            </Button>
          )}
          <Button size="large" block onClick={() => onChoose(rescue.kept)}>
            {kept.length > 0 ? `只要${names(kept)}` : '重新选座'}
          </Button>
        </div>
      )}
    </Popup>
  );
}
